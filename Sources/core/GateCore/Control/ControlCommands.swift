package import GateModel

/// Commands about the store, and about what stands before gated actions.
package enum ControlCommand: Hashable, Sendable {
    /// Opens Gate again after its store was damaged.
    case recover
    /// A backup of all durable records is about to be made. The command changes nothing but the journal.
    case backUp
    /// Replaces the records by those of a backup, merged by `RestoreRules`, whose `choices` these are. `detail` names
    /// the backup for the journal.
    indirect case restore(DurableRecords, choices: [String: ChosenRule] = [:], detail: String)
    /// Changes what stands before a gated action, or an allowance or a schedule. Administrators may do that, and
    /// grown-ups with a grant.
    indirect case changeGate(GateChange)

    var rules: CommandRules {
        switch self {
        case .recover, .backUp, .restore: CommandRules(.administrator)
        // `changeGate` checks the rights of its peer itself: see `checkChange`.
        case .changeGate: CommandRules(.everyone)
        }
    }
}

extension GateState {
    mutating func perform(
        _ command: ControlCommand, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch command {
        case .recover:
            guard let file = quarantinedFile else { throw .notDamaged }
            record(.damageSet(quarantinedFile: nil), &draft)
            draft.journal(.recovered, by: context.peer, file)
            return .recovered(quarantinedFile: file)
        case .backUp:
            draft.journal(.backedUp, by: context.peer)
            return .done
        case .restore(let backup, let choices, let detail):
            return restore(backup, choices, detail, context, &draft)
        case .changeGate(let change): return try changeGate(change, context, &draft)
        }
    }
}
