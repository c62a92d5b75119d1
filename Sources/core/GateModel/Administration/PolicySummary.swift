/// The settings of a policy, without those that have lists of their own.
public struct PolicySummary: Hashable, Sendable {
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

        /// Makes a rule of these values.
        package init(after: Int, duration: Duration, factor: Int, maximum: Duration) {
            self.after = after
            self.duration = duration
            self.factor = factor
            self.maximum = maximum
        }
    }

    /// How people sign in, and for how long (F-48).
    public struct SignInRule: Hashable, Sendable {
        /// Whether the cover shows while nobody is signed in (F-49).
        public var isRequired: Bool
        /// How long a session lasts that nobody uses.
        public var session: Duration
        /// The longest that a session lasts, however much it is used.
        public var maximumSession: Duration

        /// Makes a rule of these values.
        package init(isRequired: Bool, session: Duration, maximumSession: Duration) {
            self.isRequired = isRequired
            self.session = session
            self.maximumSession = maximumSession
        }
    }

    /// The files it was read from, in that order. Empty: none, and the built-in policy is in force.
    public var files: [String]
    /// The questions before parent mode, by age, the youngest first.
    public var modeChallenges: [ChallengeForAge]
    /// How long parent mode lasts.
    public var lease: Duration
    /// The longest lease that can be asked for.
    public var maximumLease: Duration
    /// How long a question waits for its answer once it can be shown.
    public var answerTime: Duration
    /// The price of wrong answers.
    public var lockout: LockoutRule
    /// Whether somebody has to sign in, and for how long.
    public var signIn: SignInRule
    /// The holders of each role.
    public var roles: [RoleHolders]
    /// The program that opens links; `nil`: none was named.
    public var browser: String?

    /// The number of users, and of groups, that are named for one role: an answer has room for so many fields.
    package static let maximumHolders = 500

    /// Makes a summary of these values.
    package init(
        files: [String], modeChallenges: [ChallengeForAge], lease: Duration, maximumLease: Duration,
        answerTime: Duration, lockout: LockoutRule, signIn: SignInRule, roles: [RoleHolders],
        browser: String?
    ) {
        self.files = files
        self.modeChallenges = modeChallenges
        self.lease = lease
        self.maximumLease = maximumLease
        self.answerTime = answerTime
        self.lockout = lockout
        self.signIn = signIn
        self.roles = roles
        self.browser = browser
    }

    /// The summary of a configuration.
    package init(_ configuration: Configuration, files: [String], roles: [RoleHolders], browser: String?) {
        self.init(
            files: files, modeChallenges: ChallengeForAge.list(of: configuration.modeChallenge),
            lease: configuration.lease, maximumLease: configuration.maximumLease,
            answerTime: configuration.answerTime, lockout: configuration.lockout, signIn: configuration.signIn,
            roles: roles, browser: browser)
    }
}

/// The users and groups that have a role.
public struct RoleHolders: Hashable, Sendable {
    /// The roles that a policy gives to people.
    @nonexhaustive
    public enum Role: Hashable, Sendable, CaseIterable {
        /// Changes settings, and overrides the mode.
        case administrator
        /// Shows questions to people.
        case presenter
        /// Shows the questions that only grown-ups may see.
        case grownUpPresenter
        /// Submits what stores say.
        case provider
        /// Asks for somebody else, whom the kernel attests.
        case broker
        /// Passes on the commands of guardians.
        case household
        /// One that this version does not know.
        case unrecognized
    }

    /// The role.
    public var role: Role
    /// The users, by name or by number, as the policy names them: the first 500.
    public var users: [String]
    /// The groups, by name or by number, as many of them.
    public var groups: [String]
    /// The number of users, those that are not in `users` too.
    public var userCount: Int
    /// The number of groups, those that are not in `groups` too.
    public var groupCount: Int

    /// Makes a value of these.
    ///
    /// - Parameters:
    ///   - role: the role.
    ///   - users: the users, or the first of them.
    ///   - groups: the groups, or the first of them.
    ///   - userCount: the number of users; `nil`: all are in `users`.
    ///   - groupCount: the number of groups; `nil`: all are in `groups`.
    package init(role: Role, users: [String], groups: [String], userCount: Int? = nil, groupCount: Int? = nil) {
        self.role = role
        self.users = users
        self.groups = groups
        self.userCount = userCount ?? users.count
        self.groupCount = groupCount ?? groups.count
    }
}

/// A question, and from which age it is asked.
public struct ChallengeForAge: Hashable, Sendable {
    /// The age in years; the next one's age ends it.
    public var fromAge: Int
    /// The kind of question; `nil`: a kind that this version does not know.
    public var challenge: Challenge.Kind?
    /// Only a grown-up's presenter may show it.
    public var isForGrownUps: Bool

    /// Makes a value of these.
    package init(fromAge: Int, challenge: Challenge.Kind?, isForGrownUps: Bool) {
        self.fromAge = fromAge
        self.challenge = challenge
        self.isForGrownUps = isForGrownUps
    }

    /// The questions of a rule, the youngest first.
    package static func list(of rule: ChallengeRule) -> [ChallengeForAge] {
        rule.bands.map {
            ChallengeForAge(
                fromAge: $0.ages.lowerBound, challenge: $0.challenge.kind,
                isForGrownUps: $0.challenge.answeredBy == .grownUp)
        }
    }
}
