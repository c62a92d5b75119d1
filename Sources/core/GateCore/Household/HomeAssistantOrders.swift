import GateModel

/// The rules of what Home Assistant may do here (H-07). The broker lets it write, and vouches for nothing: it may always lock, and opens only what an
/// administrator of this device has said in `household.yaml`.
extension GateState {
    /// How the journal names it. Guardians stand in a field of their own, so that none of them can be taken for it.
    static let homeAssistantDetail = "for Home Assistant"

    mutating func obeyHomeAssistant(
        _ order: HomeAssistantOrder, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let settings = try household()
        if let permission = order.permission, !settings.homeAssistantMay(permission) {
            throw .homeAssistantMayNot(permission)
        }
        // What carries it has no right of its own to any of this.
        let carrier = context.peer
        context.peer.roles.formUnion([.app, .administrator])
        defer { context.peer = carrier }
        let journalled = draft.entryCount
        switch order {
        case .lock: _ = try lock(context, &draft)
        case .extend(let duration): _ = try extend(for: duration, presentsItself: false, &context, &draft)
        case .answer(let number, let isApproved):
            // Home Assistant was told the number alone, or what the broker let it read: no digest of the words comes back. But no two
            // questions of a device have one number, so an answer counts for the question that it was told of, or for none.
            guard requestsForGuardians.contains(where: { $0.words.number == number }) else { throw .cookie(.closed) }
            take(RequestAnswer(number: number, shown: [], isApproved: isApproved), &context, &draft)
        }
        draft.addDetail(Self.homeAssistantDetail, after: journalled)
        return .done
    }
}

extension GateError {
    fileprivate static func homeAssistantMayNot(_ permission: HomeAssistantPermission) -> GateError {
        .notPermitted(
            "home-assistant",
            "Home Assistant may not do that on this device. An administrator lets it in household.yaml: "
                + "home-assistant: may: [\(permission.rawValue)].")
    }
}
