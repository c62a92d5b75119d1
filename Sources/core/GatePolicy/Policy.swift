package import GateModel

/// The content of all policy files, after they were checked together.
public struct Policy: Hashable, Sendable {
    package var configuration: Configuration
    public var roles: RolePolicy
    package var providers: ProviderSettings
    /// The program that `gatectl open` gives links to, by path or by a name in PATH; `nil` if the policy names none.
    public var browser: String?
    /// The files of the policy, in the order in which they were read. Empty if the built-in policy is in force.
    public var files: [String]
    /// What Gate does not use in the files, can't check, or wants the author to know. The files are in force anyway.
    public var warnings: [PolicyProblem]
    /// The files that have mistakes and are left out, although the rest is in force.
    package var broken: [BrokenPolicyFile]
    /// Where each setting that is not built in was given: "mode.lease", "gated-actions.link.open".
    package var origins: [String: PolicyOrigin]
    /// By name, also those that no gated action needs.
    package var allowances: [String: Allowance] = [:]
    package var schedules: [String: Schedule] = [:]

    package init(
        configuration: Configuration, roles: RolePolicy = .builtIn, providers: ProviderSettings = .none,
        browser: String? = nil, files: [String] = [], warnings: [PolicyProblem] = [],
        broken: [BrokenPolicyFile] = [], origins: [String: PolicyOrigin] = [:]
    ) {
        self.configuration = configuration
        self.roles = roles
        self.providers = providers
        self.browser = browser
        self.files = files
        self.warnings = warnings
        self.broken = broken
        self.origins = origins
    }

    public static let builtIn = Policy(configuration: .builtIn)
}

/// The holders of each role by name; `RoleHolders.Role` says what each role may. The daemon turns the names into ids
/// when it puts the policy into force.
public struct RolePolicy: Hashable, Sendable {
    /// The administrators besides root and the user that gated runs as, who always are.
    public var administrators: Principals
    public var presenters: Principals
    /// The presenters that may also show questions for secrets, and answer what only a grown-up may.
    public var grownUpPresenters: Principals
    public var providers: Principals
    public var brokers: Principals
    public var households: Principals
    public var timekeepers: Principals

    public init(
        administrators: Principals, presenters: Principals, grownUpPresenters: Principals,
        providers: Principals = Principals(), brokers: Principals = Principals(),
        households: Principals = Principals(), timekeepers: Principals = Principals()
    ) {
        self.administrators = administrators
        self.presenters = presenters
        self.grownUpPresenters = grownUpPresenters
        self.providers = providers
        self.brokers = brokers
        self.households = households
        self.timekeepers = timekeepers
    }

    public var principals: [Principals] {
        [administrators, presenters, grownUpPresenters, providers, brokers, households, timekeepers]
    }

    public static let builtIn = RolePolicy(
        administrators: Principals(groups: ["gate-admin"]), presenters: Principals(groups: ["gate-presenter"]),
        grownUpPresenters: Principals())
}

/// Users and groups, by name or by number.
public struct Principals: Hashable, Sendable {
    public var users: [String]
    public var groups: [String]

    public init(users: [String] = [], groups: [String] = []) {
        self.users = users
        self.groups = groups
    }
}
