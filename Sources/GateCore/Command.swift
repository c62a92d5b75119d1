public import GateModel

/// Everything that can be asked of the core, by a peer or by the daemon itself.
public enum Command: Hashable, Sendable {
    // Mode
    case toggle(presentsItself: Bool)
    case cancel
    case lock
    /// `nil`: the length of a lease as configured.
    case extend(Duration?, presentsItself: Bool)
    case override(Mode, Duration?, reason: String)

    // Presentations
    case complete(Cookie, answer: String)
    case dismiss(Cookie)

    // Control
    case recover

    // The daemon itself (`Peer.connection` 0)
    /// The first command after a start: parent mode and presentations of before are gone.
    case start
    /// The store was damaged and set aside to the file named; closed until `recover`.
    case closeForDamage(setAside: String)
    /// Some deadline is due.
    case deadlineReached
    /// The connection of the acting peer has ended.
    case peerDisconnected
    /// The configuration was read again; `detail` says what for the journal.
    case configure(Configuration, detail: String)
}

/// What surrounds a command: when, who, and chance.
public struct Context {
    public var now: BootTime
    public var wallTime: WallTime
    public var peer: Peer
    public var random: any RandomNumberGenerator

    public init(now: BootTime, wallTime: WallTime, peer: Peer, random: any RandomNumberGenerator) {
        self.now = now
        self.wallTime = wallTime
        self.peer = peer
        self.random = random
    }
}

/// What an administrator can set. Until a policy says otherwise, `Configuration.builtIn` is in force.
public struct Configuration: Hashable, Sendable {
    /// When wrong answers lock, and for how long (G-03).
    public struct LockoutRule: Hashable, Sendable {
        /// The wrong answer in a row that locks.
        public var after: Int
        /// How long the first lock lasts.
        public var duration: Duration
        /// How many times longer each later lock is.
        public var factor: Int
        /// The longest lock.
        public var maximum: Duration

        public init(after: Int, duration: Duration, factor: Int, maximum: Duration) {
            self.after = after
            self.duration = duration
            self.factor = factor
            self.maximum = maximum
        }
    }

    /// The challenge in front of parent mode.
    public var modeChallenge: Challenge.Kind
    /// How long parent mode lasts (G-02).
    public var lease: Duration
    /// The longest lease that can be asked for.
    public var maximumLease: Duration
    /// How long a challenge waits for its answer.
    public var answerTime: Duration
    public var lockout: LockoutRule

    public init(
        modeChallenge: Challenge.Kind, lease: Duration, maximumLease: Duration, answerTime: Duration,
        lockout: LockoutRule
    ) {
        self.modeChallenge = modeChallenge
        self.lease = lease
        self.maximumLease = maximumLease
        self.answerTime = answerTime
        self.lockout = lockout
    }

    /// Arithmetic with a choice, 15 minutes of parent mode, a minute to answer; three wrong answers lock for 30 s,
    /// each later one twice as long, at most an hour.
    public static let builtIn = Configuration(
        modeChallenge: .arithmeticChoice, lease: .seconds(15 * 60), maximumLease: .seconds(24 * 3600),
        answerTime: .seconds(60),
        lockout: LockoutRule(after: 3, duration: .seconds(30), factor: 2, maximum: .seconds(3600)))
}
