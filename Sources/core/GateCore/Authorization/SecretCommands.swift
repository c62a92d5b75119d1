public import GateModel

/// Commands that set up and remove secrets. The core gets a new passcode only as its hash.
package enum SecretCommand: Hashable, Sendable {
    /// A hash as crypt(3) makes it.
    case setPasscode(hash: String)
    /// The code of this time step has shown that the authenticator holds the key. That code is used up.
    case setTOTP(key: GateSecret, usedStep: UInt64)
    case removeSecret(SecretKind)

    var rules: CommandRules {
        switch self {
        case .setPasscode, .setTOTP, .removeSecret: CommandRules(.administrator)
        }
    }
}

extension GateState {
    mutating func perform(
        _ command: SecretCommand, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        let changed: SecretKind
        switch command {
        case .setPasscode(let hash):
            changed = .passcode
            record(.passcodeSet(hash: hash), &draft)
            draft.journal(.secretSet, by: context.peer, changed.rawValue)
        case .setTOTP(let key, let usedStep):
            changed = .totp
            record(.totpSet(TOTPEnrolment(key: key, usedStep: usedStep)), &draft)
            draft.journal(.secretSet, by: context.peer, changed.rawValue)
        case .removeSecret(let kind):
            guard secretKinds.contains(kind) else { throw .notSetUp(kind) }
            changed = kind
            switch kind {
            case .passcode: record(.passcodeSet(hash: nil), &draft)
            case .totp: record(.totpSet(nil), &draft)
            }
            draft.journal(.secretRemoved, by: context.peer, kind.rawValue)
        }
        forgetGuesses(at: changed, &draft)
        return .done
    }
}

/// An authenticator that was set up: an app or a device that shows codes.
public struct TOTPEnrolment: Hashable, Sendable {
    public var key: GateSecret
    /// The newest time step whose code was used. Each code is accepted once.
    public var usedStep: UInt64

    public init(key: GateSecret, usedStep: UInt64) {
        self.key = key
        self.usedStep = usedStep
    }
}
