import GateProtocol
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
