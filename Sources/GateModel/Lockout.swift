/// The wrong answers of one owner at one gate (G-03). Durable.
public struct Lockout: Hashable, Sendable {
    /// Counters are per owner and gate, so that a child can't lock a parent out.
    public struct Key: Hashable, Sendable {
        /// The one whose wrong answers count.
        public var owner: Owner
        /// "mode", or the name of a gated action; "passcode" and "totp" have counters of their own, for all gates.
        public var gate: String

        /// Makes a key of these values.
        public init(owner: Owner, gate: String) {
            self.owner = owner
            self.gate = gate
        }
    }

    /// Wrong answers since the last success, and what counts as one.
    public var wrongAnswers: Int
    /// Dismissals, expiries and deaths since the last success. The first is free.
    public var unanswered: Int
    /// While locked out: until when.
    public var lockedUntil: BootTime?
    /// How long the newest lock lasts from its beginning; after a reboot it starts again. Zero before the first lock.
    public var lockDuration: Duration

    /// Makes a lockout of these values.
    public init(wrongAnswers: Int, unanswered: Int, lockedUntil: BootTime?, lockDuration: Duration) {
        self.wrongAnswers = wrongAnswers
        self.unanswered = unanswered
        self.lockedUntil = lockedUntil
        self.lockDuration = lockDuration
    }
}
