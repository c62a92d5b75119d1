import CGateProtocol
public import GateModel

// control.proto: the policy in force

public struct PolicyRequest: MappedMessage {
    public init() {}

    static var initialise: Initialise<Gate__V1__PolicyRequest> { gate__v1__policy_request__init }
    init(reading message: Gate__V1__PolicyRequest) {}
    func write(to message: inout Gate__V1__PolicyRequest, in arena: inout MessageArena) {}
}

public struct PolicyResponse: MappedMessage {
    /// What is in force, a line each, for people.
    public var inForce: [String]
    /// The same for programs.
    public var policy: PolicySummary?

    public init(inForce: [String], policy: PolicySummary? = nil) {
        self.inForce = inForce
        self.policy = policy
    }

    static var initialise: Initialise<Gate__V1__PolicyResponse> { gate__v1__policy_response__init }

    init(reading message: Gate__V1__PolicyResponse) throws(GateError) {
        self.init(
            inForce: [String](reading: message.in_force, count: message.n_in_force),
            policy: try message.policy.map { policy throws(GateError) in try PolicySummary(reading: policy.pointee) })
    }

    func write(to message: inout Gate__V1__PolicyResponse, in arena: inout MessageArena) {
        message.n_in_force = inForce.count
        message.in_force = arena.strings(inForce)
        if let policy { message.policy = arena.message(policy) }
    }
}

/// What a policy sets, but for what has lists of its own.
public struct PolicySummary: Hashable, Sendable, MessageMapping {
    /// What it was read from, in that order. Empty: nothing, and the built-in policy is in force.
    public var files: [String]
    /// What stands before parent mode, by age, the youngest first.
    public var modeChallenges: [ChallengeForAge]
    public var lease: Duration
    /// The longest lease that can be asked for.
    public var maximumLease: Duration
    /// How long a question waits for its answer once it can be shown.
    public var answerTime: Duration
    public var lockout: Configuration.LockoutRule
    public var signIn: SignInRule
    /// Who has which role. At most `maximumHolders` users and as many groups of each are told.
    public var roles: [RoleHolders]
    /// The program that opens links; `nil`: none was named.
    public var browser: String?

    /// Users, or groups, of one role that are told: an answer has room for so many fields.
    public static let maximumHolders = 500

    public init(
        files: [String], modeChallenges: [ChallengeForAge], lease: Duration, maximumLease: Duration,
        answerTime: Duration, lockout: Configuration.LockoutRule, signIn: SignInRule, roles: [RoleHolders],
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

    public init(_ configuration: Configuration, files: [String], roles: [RoleHolders], browser: String?) {
        self.init(
            files: files, modeChallenges: ChallengeForAge.list(of: configuration.modeChallenge),
            lease: configuration.lease, maximumLease: configuration.maximumLease,
            answerTime: configuration.answerTime, lockout: configuration.lockout, signIn: configuration.signIn,
            roles: roles, browser: browser)
    }

    static var initialise: Initialise<Gate__V1__PolicySummary> { gate__v1__policy_summary__init }

    init(reading message: Gate__V1__PolicySummary) throws(GateError) {
        let unset = Configuration.LockoutRule(after: 0, duration: .zero, factor: 0, maximum: .zero)
        self.init(
            files: [String](reading: message.files, count: message.n_files),
            modeChallenges: try [ChallengeForAge](reading: message.mode_challenges, count: message.n_mode_challenges),
            lease: .milliseconds(message.lease_milliseconds),
            maximumLease: .milliseconds(message.maximum_lease_milliseconds),
            answerTime: .milliseconds(message.answer_milliseconds),
            lockout: message.lockout.map { WireLockoutRule(reading: $0.pointee).rule } ?? unset,
            signIn: SignInRule(
                isRequired: message.is_sign_in_required != 0, session: .milliseconds(message.session_milliseconds),
                maximumSession: .milliseconds(message.maximum_session_milliseconds)),
            roles: try [RoleHolders](reading: message.roles, count: message.n_roles),
            browser: String(reading: message.browser).isEmpty ? nil : String(reading: message.browser))
    }

    func write(to message: inout Gate__V1__PolicySummary, in arena: inout MessageArena) {
        message.n_files = files.count
        message.files = arena.strings(files)
        message.n_mode_challenges = modeChallenges.count
        message.mode_challenges = arena.messages(modeChallenges)
        message.lease_milliseconds = lease.wireMilliseconds
        message.maximum_lease_milliseconds = maximumLease.wireMilliseconds
        message.answer_milliseconds = answerTime.wireMilliseconds
        message.lockout = arena.message(WireLockoutRule(rule: lockout))
        message.is_sign_in_required = signIn.isRequired ? 1 : 0
        message.session_milliseconds = signIn.session.wireMilliseconds
        message.maximum_session_milliseconds = signIn.maximumSession.wireMilliseconds
        message.n_roles = roles.count
        message.roles = arena.messages(roles)
        message.browser = arena.string(browser ?? "")
    }
}

private struct WireLockoutRule: MessageMapping {
    let rule: Configuration.LockoutRule

    init(rule: Configuration.LockoutRule) {
        self.rule = rule
    }

    static var initialise: Initialise<Gate__V1__LockoutRule> { gate__v1__lockout_rule__init }

    init(reading message: Gate__V1__LockoutRule) {
        rule = Configuration.LockoutRule(
            after: Int(message.after), duration: .milliseconds(message.duration_milliseconds),
            factor: Int(message.factor), maximum: .milliseconds(message.maximum_milliseconds))
    }

    func write(to message: inout Gate__V1__LockoutRule, in arena: inout MessageArena) {
        message.after = UInt32(clamping: rule.after)
        message.duration_milliseconds = rule.duration.wireMilliseconds
        message.factor = UInt32(clamping: rule.factor)
        message.maximum_milliseconds = rule.maximum.wireMilliseconds
    }
}

/// Who has a role.
public struct RoleHolders: Hashable, Sendable, MessageMapping {
    /// What a policy names people for.
    public enum Role: Hashable, Sendable, CaseIterable {
        case administrator
        case presenter
        case grownUpPresenter
        case provider
        case broker
        case household
        /// One that this version does not know.
        case unrecognized
    }

    public var role: Role
    /// By name or by number, as the policy names them.
    public var users: [String]
    public var groups: [String]

    public init(role: Role, users: [String], groups: [String]) {
        self.role = role
        self.users = users
        self.groups = groups
    }

    static var initialise: Initialise<Gate__V1__RoleHolders> { gate__v1__role_holders__init }

    init(reading message: Gate__V1__RoleHolders) {
        self.init(
            role: Role(wire: message.role, else: .unrecognized),
            users: [String](reading: message.users, count: message.n_users),
            groups: [String](reading: message.groups, count: message.n_groups))
    }

    func write(to message: inout Gate__V1__RoleHolders, in arena: inout MessageArena) {
        message.role = role.wire
        message.n_users = users.count
        message.users = arena.strings(users)
        message.n_groups = groups.count
        message.groups = arena.strings(groups)
    }
}

extension RoleHolders.Role: EnumMapping {
    var wire: Gate__V1__Role {
        switch self {
        case .administrator: GATE__V1__ROLE__ROLE_ADMINISTRATOR
        case .presenter: GATE__V1__ROLE__ROLE_PRESENTER
        case .grownUpPresenter: GATE__V1__ROLE__ROLE_GROWN_UP_PRESENTER
        case .provider: GATE__V1__ROLE__ROLE_PROVIDER
        case .broker: GATE__V1__ROLE__ROLE_BROKER
        case .household: GATE__V1__ROLE__ROLE_HOUSEHOLD
        case .unrecognized: GATE__V1__ROLE__ROLE_UNSPECIFIED
        }
    }
}
