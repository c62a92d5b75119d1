import GateModel

/// What Home Assistant may do on this device. The broker lets it write, but proves nothing about the sender. So it may
/// always lock, and may open something only if an administrator of this device permitted that in `household.yaml`.
extension GateState {
    /// The words for Home Assistant in the journal. No guardian's name can pass for this: those have their own field.
    static let homeAssistantDetail = "for Home Assistant"

    mutating func obeyHomeAssistant(
        _ order: HomeAssistantOrder, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let settings = try household()
        if let permission = order.permission, !settings.homeAssistantMay(permission) {
            throw .homeAssistantMayNot(permission)
        }
        // The carrier itself has no right to any of this, so the command runs with an administrator's roles.
        let carrier = context.peer
        context.peer.roles.formUnion([.app, .administrator])
        defer { context.peer = carrier }
        let journalled = draft.entryCount
        switch order {
        case .lock: _ = try lock(context, &draft)
        case .extend(let duration): _ = try extend(for: duration, presentsItself: false, &context, &draft)
        case .answer(let number, let answer): try take(answer, to: number, &context, &draft)
        }
        draft.addDetail(Self.homeAssistantDetail, after: journalled)
        return .done
    }

    /// Home Assistant does not send back a digest of the words that it was shown. That is safe, since a device never uses
    /// a number for two questions: the answer counts for the question with that number or for none.
    private mutating func take(
        _ answer: AskAnswer, to number: UInt64, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) {
        guard answer.mayBeHomeAssistants else { throw .choiceOfGuardians }
        guard let open = requestsForGuardians.first(where: { $0.words.number == number }) else {
            throw .cookie(.closed)
        }
        // Only waiting asks are published for Home Assistant.
        if let ask = open.words.ask, ask.isAllowed { throw .cookie(.closed) }
        // While the call of a question that can wait is open, its ask can be answered with a choice, too.
        if open.words.ask != nil || records.asks[number] != nil && answer.isMoreThanYesOrNo {
            _ = try answerAsk(number, answer, isFromElsewhere: true, &context, &draft)
        } else if answer.isMoreThanYesOrNo {
            throw .onlyYesOrNo
        } else {
            take(RequestAnswer(number: number, shown: [], isApproved: answer.isAllowed), &context, &draft)
        }
    }
}

extension AskAnswer {
    /// Home Assistant's answers are not signed, so they may allow something once or for a time, but not until it is
    /// taken back.
    fileprivate var mayBeHomeAssistants: Bool {
        switch self {
        case .yes(.once), .yes(.time), .yes(nil), .no, .notUntilTomorrow: true
        case .yes(.today), .yes(.always), .yes(.thisSite), .yes(.unrecognized): false
        }
    }

    fileprivate var isMoreThanYesOrNo: Bool {
        switch self {
        case .yes(nil), .yes(.once), .no: false
        case .yes, .notUntilTomorrow: true
        }
    }
}

extension GateError {
    fileprivate static let choiceOfGuardians = notPermitted(
        "home-assistant",
        "Home Assistant can allow something once, or for a time like 30m. A guardian can allow more on their own device."
    )

    fileprivate static let onlyYesOrNo = invalid(
        "choice", "This question ends with its program, so it is answered with yes or no alone.")

    fileprivate static func homeAssistantMayNot(_ permission: HomeAssistantPermission) -> GateError {
        .notPermitted(
            "home-assistant",
            "Home Assistant may not do that on this device. An administrator can allow it in household.yaml: "
                + "home-assistant: may: [\(permission.rawValue)].")
    }
}
