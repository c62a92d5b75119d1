import GateProtocol
import Testing

@testable import GateDaemon

@Suite("The routers")
struct RouterTests {
    @Test("every method of the descriptors has a handler, and no other method has one")
    func everyMethod() async throws {
        let described = Set(
            ServiceCatalog.all.flatMap { service in
                service.methods.map { Router.MethodName(service: service.name, method: $0.name) }
            })
        #expect(!described.isEmpty)
        try await LiveGate.with { gate, _ in
            #expect(await gate.authority.methods == described)
        }
    }
}

extension Authority {
    fileprivate var methods: Set<Router.MethodName> { Set(router.handlers.keys) }
}
