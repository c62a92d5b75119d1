package import GateModel
public import GatePolicy
import Glibc
package import TTRPCTransport

/// Gives a peer its roles, from its credentials as the kernel reports them (docs/security.md, "Who may do what"). Names
/// of users and groups become ids when the rules are made, which is at the start and at each reload.
public struct RoleRules: Hashable, Sendable {
    /// The users and groups that have one role, as the policy names them.
    struct Holders: Hashable, Sendable {
        struct Named: Hashable, Sendable {
            var name: String
            /// `nil` if this device has no such name.
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
    let timekeepers: Holders
    /// The uid that gated runs as. It is an administrator, like root.
    let daemonUser: UInt32

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
        timekeepers = resolve(policy.timekeepers)
        self.daemonUser = daemonUser
    }

    public static func ofThisDevice(_ policy: RolePolicy) -> RoleRules {
        RoleRules(policy, daemonUser: geteuid(), user: UserDatabase.userID, group: UserDatabase.groupID)
    }

    /// - Parameter person: the kind of person whose own user this is; `nil` if it is nobody's.
    package func roles(of credentials: PeerCredentials, _ person: GatePerson.Kind? = nil) -> Roles {
        var roles: Roles = .app
        switch person {
        case .grownUp: roles.formUnion([.presenter, .grownUpPresenter])
        case .child: roles.insert(.ownPresenter)
        case .shared, nil: break
        }
        if presenters.include(credentials) { roles.insert(.presenter) }
        if grownUpPresenters.include(credentials) { roles.formUnion([.presenter, .grownUpPresenter]) }
        if providers.include(credentials) { roles.insert(.provider) }
        if brokers.include(credentials) { roles.insert(.broker) }
        if households.include(credentials) { roles.insert(.household) }
        if timekeepers.include(credentials) { roles.insert(.timekeeper) }
        if credentials.uid == 0 || credentials.uid == daemonUser || administrators.include(credentials) {
            roles.formUnion([.administrator, .presenter, .grownUpPresenter, .provider, .broker, .household])
        }
        return roles
    }

    /// The roles in force, one line each, for people, and a warning for each name that this device does not have.
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
            ("timekeeper", [], timekeepers),
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
