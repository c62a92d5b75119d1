import GateModel

/// The commands of the service `Secrets`. The core keeps what was set up, and never sees a passcode while it is set.
extension GateState {
    mutating func setSecret(
        _ kind: SecretKind, _ change: RecordChange, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        record(change, &draft)
        forgetGuesses(at: kind, &draft)
        draft.journal(.secretSet, by: context.peer, kind.rawValue)
        return .done
    }

    mutating func removeSecret(
        _ kind: SecretKind, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard secretKinds.contains(kind) else { throw .notSetUp(kind) }
        switch kind {
        case .passcode: record(.passcodeSet(hash: nil), &draft)
        case .totp: record(.totpSet(nil), &draft)
        }
        forgetGuesses(at: kind, &draft)
        draft.journal(.secretRemoved, by: context.peer, kind.rawValue)
        return .done
    }
}
