package import GateModel
public import GatePolicy
import Glibc
package import TTRPCTransport

/// The roles of a peer, by what the kernel says of it (docs/security.md, "Who may do what"). Names of users and groups
/// become ids when this is made, that is, at the start and at a reload.
public struct RoleRules: Hashable, Sendable {
    /// The holders of one role, by what the policy calls them.
    struct Holders: Hashable, Sendable {
        struct Named: Hashable, Sendable {
            var name: String
            /// `nil`: this device knows no such name.
            var id: UInt32?
        }

        var users: [Named]
        var groups: [Named]

        func include(_ credentials: PeerCredentials) -> Bool {
            users.contains { $0.id == credentials.uid }
                || groups.contains { group in
                    group.id.map { $0 == credentials.gid || credentials.groups.contains($0) } ?? false
                }
        }
    }

    let administrators: Holders
    let presenters: Holders
    let grownUpPresenters: Holders
    let providers: Holders
    let brokers: Holders
    let households: Holders
    /// Administrators beside root: the uid that gated runs as.
    let daemonUser: UInt32

    /// - Parameters:
    ///   - user: the uid of a name; nil: there is none.
    ///   - group: the same for groups.
    public init(
        _ policy: RolePolicy, daemonUser: UInt32, user: (String) -> UInt32?, group: (String) -> UInt32?
    ) {
        func resolve(_ names: [String], _ find: (String) -> UInt32?) -> [Holders.Named] {
            names.map { Holders.Named(name: $0, id: UInt32($0) ?? find($0)) }
        }
        func resolve(_ principals: Principals) -> Holders {
            Holders(users: resolve(principals.users, user), groups: resolve(principals.groups, group))
        }
        administrators = resolve(policy.administrators)
        presenters = resolve(policy.presenters)
        grownUpPresenters = resolve(policy.grownUpPresenters)
        providers = resolve(policy.providers)
        brokers = resolve(policy.brokers)
        households = resolve(policy.households)
        self.daemonUser = daemonUser
    }

    /// With the users and groups of this device as they are now.
    public static func ofThisDevice(_ policy: RolePolicy) -> RoleRules {
        RoleRules(policy, daemonUser: geteuid(), user: UserDatabase.userID, group: UserDatabase.groupID)
    }

    package func roles(of credentials: PeerCredentials) -> Roles {
        var roles: Roles = .app
        if presenters.include(credentials) { roles.insert(.presenter) }
        if grownUpPresenters.include(credentials) { roles.formUnion([.presenter, .grownUpPresenter]) }
        if providers.include(credentials) { roles.insert(.provider) }
        if brokers.include(credentials) { roles.insert(.broker) }
        if households.include(credentials) { roles.insert(.household) }
        if credentials.uid == 0 || credentials.uid == daemonUser || administrators.include(credentials) {
            roles.formUnion([.administrator, .presenter, .grownUpPresenter, .provider, .broker, .household])
        }
        return roles
    }

    /// The roles in force, a line each, for people. Names that this device does not know have a line of warning.
    public var description: [String] {
        func line(_ role: String, _ fixed: [String], _ holders: Holders) -> String {
            let who =
                fixed + holders.users.map { "user \($0.name)\($0.idText("uid"))" }
                + holders.groups.map { "group \($0.name)\($0.idText("gid"))" }
            return "role \(role): \(who.isEmpty ? "nobody" : who.joined(separator: ", "))"
        }
        func warnings(_ role: String, _ holders: Holders) -> [String] {
            (holders.users.filter { $0.id == nil }.map { "user \($0.name)" }
                + holders.groups.filter { $0.id == nil }.map { "group \($0.name)" })
                .map { "warning: role \(role) names \($0), which this device does not have" }
        }
        let roles: [(name: String, fixed: [String], holders: Holders)] = [
            ("presenter", [], presenters), ("grown-up-presenter", [], grownUpPresenters), ("provider", [], providers),
            ("broker", [], brokers), ("household", [], households),
            ("administrator", ["root", "uid \(daemonUser)"], administrators),
        ]
        return [line("app", ["every local user"], Holders(users: [], groups: []))]
            + roles.map { line($0.name, $0.fixed, $0.holders) } + roles.flatMap { warnings($0.name, $0.holders) }
    }
}

extension RoleRules.Holders.Named {
    fileprivate func idText(_ kind: String) -> String {
        guard let id else { return "" }
        return "\(id)" == name ? "" : " (\(kind) \(id))"
    }
}
