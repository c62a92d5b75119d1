/// The wrong answers of one owner at one gate (G-03). Durable. Administrators read it as a `LockoutSummary`.
public struct Lockout: Hashable, Sendable {
    /// Counters are per owner and gate, so that a child can't lock a parent out.
    package struct Key: Hashable, Sendable {
        /// The one whose wrong answers count.
        package var owner: Owner
        /// "mode", or the name of a gated action; "passcode" and "totp" have counters of their own, for all gates. `Lockout.Gate.text`.
        package var gate: String

        /// Makes a key of these values.
        package init(owner: Owner, gate: String) {
            self.owner = owner
            self.gate = gate
        }
    }

    /// Wrong answers since the last success, and what counts as one.
    package var wrongAnswers: Int
    /// Dismissals, expiries and deaths since the last success. The first is free.
    package var unanswered: Int
    /// While locked out: until when.
    package var lockedUntil: BootTime?
    /// How long the newest lock lasts from its beginning; after a reboot it starts again. Zero before the first lock.
    package var lockDuration: Duration

    /// Makes a lockout of these values.
    package init(wrongAnswers: Int, unanswered: Int, lockedUntil: BootTime?, lockDuration: Duration) {
        self.wrongAnswers = wrongAnswers
        self.unanswered = unanswered
        self.lockedUntil = lockedUntil
        self.lockDuration = lockDuration
    }
}

extension Lockout {
    /// Where wrong answers are counted.
    @nonexhaustive
    public enum Gate: Hashable, Sendable {
        /// At the way into parent mode.
        case mode
        /// At the gated action of this name.
        case gatedAction(String)
        /// At a secret, for whatever it was asked.
        case secret(SecretKind)
        /// All that the device takes at a secret: they count beside `secret`, and have a limit (T-02).
        case secretOfDevice(SecretKind)
        /// At the password of an account. A name that no account has is "#" and a hash; an empty one stands for all names that
        /// have no counter of their own.
        case signIn(account: String)
        /// At the screens of others: sign-ins, paywalls, forms and release notes that were shown there and left.
        case otherScreens

        /// As the counters are called, and as people type it: "mode", "link.open", "passcode", "passcode on this device",
        /// "sign-in anna", "sign-in", "other screens".
        public init(text: String) {
            let secret = SecretKind.allCases.first { text.hasPrefix($0.rawValue) }
            self =
                switch (text, secret) {
                case ("mode", _): .mode
                case ("sign-in", _): .signIn(account: "")
                case (Self.otherScreensText, _): .otherScreens
                case (_, let secret?) where text == secret.rawValue: .secret(secret)
                case (_, let secret?) where text == secret.rawValue + Self.ofDevice: .secretOfDevice(secret)
                case (_, _) where text.hasPrefix(Self.signInPrefix):
                    .signIn(account: String(text.dropFirst(Self.signInPrefix.count)))
                default: .gatedAction(text)
                }
        }

        /// The name that `init(text:)` reads.
        public var text: String {
            switch self {
            case .mode: "mode"
            case .gatedAction(let name): name
            case .secret(let kind): kind.rawValue
            case .secretOfDevice(let kind): kind.rawValue + Self.ofDevice
            case .signIn(account: ""): "sign-in"
            case .signIn(let account): Self.signInPrefix + account
            case .otherScreens: Self.otherScreensText
            }
        }

        // No gated action has a name with a space.
        private static let ofDevice = " on this device"
        private static let signInPrefix = "sign-in "
        private static let otherScreensText = "other screens"
    }
}
