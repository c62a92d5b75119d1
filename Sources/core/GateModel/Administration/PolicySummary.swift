/// The settings of a policy, except what has lists of its own, like gated actions and forms.
public struct PolicySummary: Hashable, Sendable {
    /// After how many wrong answers an owner is locked out, and for how long.
    public struct LockoutRule: Hashable, Sendable {
        /// How many wrong answers since the last right one begin the first lock. Each later one locks again.
        public var after: Int
        /// How long the first lock lasts.
        public var duration: Duration
        /// How many times longer each lock is than the one before.
        public var factor: Int
        /// The longest that a lock lasts.
        public var maximum: Duration

        package init(after: Int, duration: Duration, factor: Int, maximum: Duration) {
            self.after = after
            self.duration = duration
            self.factor = factor
            self.maximum = maximum
        }
    }

    /// Whether people have to sign in, and how long a session lasts.
    public struct SignInRule: Hashable, Sendable {
        /// Whether a cover hides the screen while nobody is signed in.
        public var isRequired: Bool
        /// How long a session lasts if nobody uses it. Each use renews it.
        public var session: Duration
        /// The longest that a session lasts, however often it is used.
        public var maximumSession: Duration

        package init(isRequired: Bool, session: Duration, maximumSession: Duration) {
            self.isRequired = isRequired
            self.session = session
            self.maximumSession = maximumSession
        }
    }

    /// The policy's files, in the order in which they were read. Empty if the built-in policy is in force.
    public var files: [String]
    /// The questions that guard parent mode, by age, the lowest age first.
    public var modeChallenges: [ChallengeForAge]
    /// How long parent mode lasts if the request does not say.
    public var lease: Duration
    /// The longest parent mode that can be asked for.
    public var maximumLease: Duration
    /// How long a question waits for its answer, from the moment at which it can be shown.
    public var answerTime: Duration
    /// When wrong answers lock, and for how long.
    public var lockout: LockoutRule
    /// Whether people have to sign in, and how long a session lasts.
    public var signIn: SignInRule
    /// The users and groups that hold each role.
    public var roles: [RoleHolders]
    /// The program that opens links; `nil` if the policy names none.
    public var browser: String?
    /// Where the settings above were written, sorted by setting. What is missing is built in.
    public var origins: [PolicySettingOrigin]
    /// The mistakes for which shipped files and choices are left out, as at most 200 English lines. The gated actions
    /// that such a file or choice names are denied, unless a later layer of the policy defines them.
    public var mistakes: [String]
    /// All allowances, and then all schedules, each sorted by name.
    public var timeRules: [TimeRule]

    /// The most users, and the most groups, that are listed for one role, because one answer has no room for more.
    package static let maximumHolders = 500

    package init(
        files: [String], modeChallenges: [ChallengeForAge], lease: Duration, maximumLease: Duration,
        answerTime: Duration, lockout: LockoutRule, signIn: SignInRule, roles: [RoleHolders],
        browser: String?, origins: [PolicySettingOrigin] = [], mistakes: [String] = [],
        timeRules: [TimeRule] = []
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
        self.origins = origins
        self.mistakes = mistakes
        self.timeRules = timeRules
    }

    package init(
        _ configuration: Configuration, files: [String], roles: [RoleHolders], browser: String?,
        origins: [PolicySettingOrigin] = [], mistakes: [String] = [],
        timeRules: [TimeRule] = []
    ) {
        self.init(
            files: files, modeChallenges: ChallengeForAge.list(of: configuration.modeChallenge),
            lease: configuration.lease, maximumLease: configuration.maximumLease,
            answerTime: configuration.answerTime, lockout: configuration.lockout, signIn: configuration.signIn,
            roles: roles, browser: browser, origins: origins, mistakes: mistakes, timeRules: timeRules)
    }
}

/// The users and groups that have a role.
public struct RoleHolders: Hashable, Sendable {
    /// The roles that a policy gives to users and groups.
    @nonexhaustive
    public enum Role: Hashable, Sendable, CaseIterable {
        /// May change settings and override the mode.
        case administrator
        /// May show questions to people.
        case presenter
        /// May also show the questions that are for grown-ups only.
        case grownUpPresenter
        /// May submit what stores say about purchases.
        case provider
        /// May ask on behalf of other processes, which the kernel attests.
        case broker
        /// May pass on the signed commands of guardians.
        case household
        /// May take the time that grown-ups have allowed for a session.
        case timekeeper
        /// A role that this version does not know.
        case unrecognized
    }

    /// The role that they have.
    public var role: Role
    /// The users, by name or number as the policy names them; the first 500 at most.
    public var users: [String]
    /// The groups, by name or number as the policy names them; the first 500 at most.
    public var groups: [String]
    /// The number of all users, including those that `users` leaves out.
    public var userCount: Int
    /// The number of all groups, including those that `groups` leaves out.
    public var groupCount: Int

    /// `userCount` and `groupCount` are `nil` if `users` and `groups` list all.
    package init(role: Role, users: [String], groups: [String], userCount: Int? = nil, groupCount: Int? = nil) {
        self.role = role
        self.users = users
        self.groups = groups
        self.userCount = userCount ?? users.count
        self.groupCount = groupCount ?? groups.count
    }
}

/// The question for an age group.
public struct ChallengeForAge: Hashable, Sendable {
    /// The youngest age of the group, in years. The group reaches up to the age of the next one.
    public var fromAge: Int
    /// The kind of question; `nil` if this version does not know the kind.
    public var challenge: Challenge.Kind?
    /// Whether only presenters of grown-ups may show it.
    public var isForGrownUps: Bool

    package init(fromAge: Int, challenge: Challenge.Kind?, isForGrownUps: Bool) {
        self.fromAge = fromAge
        self.challenge = challenge
        self.isForGrownUps = isForGrownUps
    }

    /// Whether it asks for a secret of the device.
    package var isSecret: Bool { challenge?.isSecret == true }

    package static func list(of rule: ChallengeRule) -> [ChallengeForAge] {
        rule.bands.map {
            ChallengeForAge(
                fromAge: $0.ages.lowerBound, challenge: $0.challenge.kind,
                isForGrownUps: $0.challenge.answeredBy == .grownUp)
        }
    }
}
