/// The wrong answers of one owner at one gate. Durable. Administrators read them as a `LockoutSummary`.
public struct Lockout: Hashable, Sendable {
    /// Names a counter. Each owner has its own at each gate, so a child can't lock a parent out.
    package struct Key: Hashable, Sendable {
        package var owner: Owner
        /// The gate as `Lockout.Gate.text` writes it: "mode", or the name of a gated action. "passcode" and "totp" have
        /// counters of their own, which count for all gates.
        package var gate: String

        package init(owner: Owner, gate: String) {
            self.owner = owner
            self.gate = gate
        }
    }

    /// The wrong answers since the last right one. Unanswered challenges after the first count, too.
    package var wrongAnswers: Int
    /// Challenges since the last right answer that ended without an answer, for example dismissed or expired. The first
    /// is free.
    package var unanswered: Int
    /// When the lock ends; `nil` if the owner is not locked out.
    package var lockedUntil: BootTime?
    /// The whole length of the newest lock; zero before the first lock. After a reboot, a lock that was running begins
    /// again with this length.
    package var lockDuration: Duration

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
        /// The way into parent mode.
        case mode
        /// The gated action with this name.
        case gatedAction(String)
        /// A secret of the device, whatever it is asked for.
        case secret(SecretKind)
        /// A limit for the whole device on wrong answers to this secret, in addition to `secret`.
        case secretOfDevice(SecretKind)
        /// The password of an account. For a name without an account it is "#" and a hash. An empty name stands for all
        /// names that have no counter of their own.
        case signIn(account: String)
        /// Screens of other owners: sign-ins, paywalls, forms and news that were shown there and left unanswered.
        case otherScreens

        /// Reads the name of a counter, which people type, too: "mode", "link.open", "passcode", "passcode on this
        /// device", "sign-in anna", "sign-in", "other screens".
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

        /// The name of the counter, which `init(text:)` reads.
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

        // Names of gated actions contain no spaces, so these can't be confused with one.
        private static let ofDevice = " on this device"
        private static let signInPrefix = "sign-in "
        private static let otherScreensText = "other screens"
    }
}
