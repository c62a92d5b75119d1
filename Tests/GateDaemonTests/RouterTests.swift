import GateModel
import GateProtocol
import TTRPCTransport
import Testing

@testable import GateDaemon

@Suite("The routers")
struct RouterTests {
    @Test("every method of the descriptors has a handler, and no other method has one")
    func everyMethod() {
        let described = Set(
            ServiceCatalog.all.flatMap { service in
                service.methods.map { Router.MethodName(service: service.name, method: $0.name) }
            })
        #expect(Set(Router.shared.handlers.keys) == described)
        #expect(!described.isEmpty)
    }
}

@Suite("Roles")
struct RoleRulesTests {
    private let rules = RoleRules(administratorGroup: 50, presenterGroup: 60, daemonUser: 900)

    @Test("every local user is an app")
    func app() {
        #expect(rules.roles(of: .init(uid: 1000, gid: 1000, pid: 1, groups: [1000, 7])) == .app)
    }

    @Test("root, the daemon's own user and the administrators' group administer")
    func administrators() {
        #expect(rules.roles(of: .init(uid: 0, gid: 0, pid: 1, groups: [])).contains(.administrator))
        #expect(rules.roles(of: .init(uid: 900, gid: 900, pid: 1, groups: [])).contains(.administrator))
        #expect(rules.roles(of: .init(uid: 1000, gid: 1000, pid: 1, groups: [50])).contains(.administrator))
        #expect(rules.roles(of: .init(uid: 1000, gid: 50, pid: 1, groups: [])).contains(.administrator))
    }

    @Test("the presenters' group presents, and no more")
    func presenters() {
        #expect(rules.roles(of: .init(uid: 1000, gid: 1000, pid: 1, groups: [60])) == [.app, .presenter])
    }

    @Test("a device without the groups has no members of them")
    func noGroups() {
        let rules = RoleRules(administratorGroup: nil, presenterGroup: nil, daemonUser: 900)
        #expect(rules.roles(of: .init(uid: 1000, gid: 1000, pid: 1, groups: [50, 60])) == .app)
    }
}
