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
        case .answer(let number, let isApproved):
            // Home Assistant does not send back a digest of the words that it was shown. That is safe, since a device
            // never uses a number for two questions: the answer counts for the question with that number or for none.
            // A yes to an ask allows it once.
            guard let open = requestsForGuardians.first(where: { $0.words.number == number }) else {
                throw .cookie(.closed)
            }
            switch open.words.ask {
            case nil: take(RequestAnswer(number: number, shown: [], isApproved: isApproved), &context, &draft)
            // Home Assistant is told only of asks that wait.
            case let ask? where ask.isAllowed: throw .cookie(.closed)
            case _?: _ = try answerAsk(number, isApproved ? .yes(.once) : .no, &context, &draft)
            }
        }
        draft.addDetail(Self.homeAssistantDetail, after: journalled)
        return .done
    }
}

extension GateError {
    fileprivate static func homeAssistantMayNot(_ permission: HomeAssistantPermission) -> GateError {
        .notPermitted(
            "home-assistant",
            "Home Assistant may not do that on this device. An administrator can allow it in household.yaml: "
                + "home-assistant: may: [\(permission.rawValue)].")
    }
}
