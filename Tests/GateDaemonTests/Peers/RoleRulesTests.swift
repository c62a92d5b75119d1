import GateModel
import GatePolicy
import TTRPCTransport
import Testing

@testable import GateDaemon

@Suite("Roles")
struct RoleRulesTests {
    private let rules = RoleRules(
        RolePolicy(
            administrators: Principals(users: ["carla"], groups: ["admins"]),
            presenters: Principals(users: ["screen", "1234"], groups: ["presenters"]),
            grownUpPresenters: Principals(users: ["mother", "nobody-here"], groups: ["77"]),
            providers: Principals(users: ["shop"], groups: ["88"]),
            brokers: Principals(users: ["power"], groups: ["89"])),
        daemonUser: 900, user: { ["carla": 1001, "screen": 1003, "mother": 1004, "shop": 1005, "power": 1006][$0] },
        group: { ["admins": 50, "presenters": 60][$0] })

    private func roles(uid: UInt32, gid: UInt32 = 1, groups: [UInt32] = []) -> Roles {
        rules.roles(of: .init(uid: uid, gid: gid, pid: 1, groups: groups))
    }

    private let all: Roles = [
        .app, .presenter, .grownUpPresenter, .provider, .broker, .household, .administrator,
    ]

    @Test("every local user is an app")
    func app() {
        #expect(roles(uid: 1000, groups: [1000, 7]) == .app)
    }

    @Test("root, the daemon's own user and the users that the policy names have all roles")
    func administrators() {
        for roles in [
            roles(uid: 0), roles(uid: 900), roles(uid: 1001), roles(uid: 5, groups: [50]), roles(uid: 5, gid: 50),
        ] {
            #expect(roles == all)
        }
    }

    @Test("a presenter has the roles of an app and a presenter alone", arguments: [1003, 1234] as [UInt32])
    func presenters(uid: UInt32) {
        #expect(roles(uid: uid) == [.app, .presenter])
        #expect(roles(uid: 5, groups: [60]) == [.app, .presenter])
    }

    @Test("a grown-up's presenter also has the role of a presenter")
    func grownUps() {
        #expect(roles(uid: 1004) == [.app, .presenter, .grownUpPresenter])
        #expect(roles(uid: 5, groups: [77]) == [.app, .presenter, .grownUpPresenter])
    }

    @Test("a provider has the roles of an app and a provider alone")
    func providers() {
        #expect(roles(uid: 1005) == [.app, .provider])
        #expect(roles(uid: 5, groups: [88]) == [.app, .provider])
        #expect(rules.description.contains { $0.hasPrefix("role provider: user shop") })
    }

    @Test("a broker has the roles of an app and a broker alone", arguments: [1006] as [UInt32])
    func brokers(uid: UInt32) {
        #expect(roles(uid: uid) == [.app, .broker])
        #expect(roles(uid: 5, groups: [89]) == [.app, .broker])
    }

    @Test("a timekeeper has the roles of an app and a timekeeper alone (Z-05)")
    func timekeepers() {
        let rules = RoleRules(
            RolePolicy(
                administrators: Principals(), presenters: Principals(), grownUpPresenters: Principals(),
                timekeepers: Principals(users: ["clock"], groups: ["90"])),
            daemonUser: 900, user: { ["clock": 1007][$0] }, group: { _ in nil })
        #expect(rules.roles(of: .init(uid: 1007, gid: 1, pid: 1, groups: [])) == [.app, .timekeeper])
        #expect(rules.roles(of: .init(uid: 5, gid: 1, pid: 1, groups: [90])) == [.app, .timekeeper])
        #expect(rules.description.contains { $0.hasPrefix("role timekeeper: user clock") })
    }

    @Test("a role for an unknown user goes to nobody, and a warning says so")
    func unknownNames() {
        #expect(roles(uid: .max, gid: .max) == .app)
        let warnings = rules.description.filter { $0.hasPrefix("warning") }
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("nobody-here") ?? false)
    }
}
