package import GateModel

/// The content of the policy files, checked as a whole.
public struct Policy: Hashable, Sendable {
    package var configuration: Configuration
    public var roles: RolePolicy
    /// The settings of `providers.yaml`.
    package var providers: ProviderSettings
    /// The program that `gatectl open` gives links to: a path, or a name to look for in PATH. `nil`: none was named.
    public var browser: String?
    /// The files that it was read from, in that order. Empty: none, and the built-in policy is in force.
    public var files: [String]
    /// The parts of the files that Gate does not use, or could not check. They are in force all the same.
    public var warnings: [PolicyProblem]

    package init(
        configuration: Configuration, roles: RolePolicy = .builtIn, providers: ProviderSettings = .none,
        browser: String? = nil, files: [String] = [], warnings: [PolicyProblem] = []
    ) {
        self.configuration = configuration
        self.roles = roles
        self.providers = providers
        self.browser = browser
        self.files = files
        self.warnings = warnings
    }

    /// Until a file says otherwise.
    public static let builtIn = Policy(configuration: .builtIn)
}

/// The holders of each role, by the names of users and groups. They become ids where the policy is put into force.
public struct RolePolicy: Hashable, Sendable {
    /// Beside root and the user that gated runs as, who always are.
    public var administrators: Principals
    public var presenters: Principals
    /// The users and groups that may show what asks for a secret, and answer what only a grown-up may.
    public var grownUpPresenters: Principals
    /// The users and groups that may hand over what providers say of purchases (F-50).
    public var providers: Principals
    /// The users and groups that may ask for other processes (B-06).
    public var brokers: Principals
    /// The users and groups that may hand over what guardians of the household have signed (H-03).
    public var households: Principals

    public init(
        administrators: Principals, presenters: Principals, grownUpPresenters: Principals,
        providers: Principals = Principals(), brokers: Principals = Principals(),
        households: Principals = Principals()
    ) {
        self.administrators = administrators
        self.presenters = presenters
        self.grownUpPresenters = grownUpPresenters
        self.providers = providers
        self.brokers = brokers
        self.households = households
    }

    /// The users and groups that it names, of every role.
    public var principals: [Principals] {
        [administrators, presenters, grownUpPresenters, providers, brokers, households]
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
