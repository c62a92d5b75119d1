import GateProtocol
import Testing

@testable import GateDaemon

@Suite("The routers")
struct RouterTests {
    @Test("every method of the descriptors has a handler")
    func everyMethod() async throws {
        #expect(!ServiceCatalog.methods.isEmpty)
        try await LiveGate.with { gate, _ in
            let missing = await zip(ServiceCatalog.methods, gate.authority.hasHandler).filter { !$1 }.map(\.0.name)
            #expect(missing.isEmpty)
        }
    }
}

extension Authority {
    fileprivate var hasHandler: [Bool] { router.handlers.map { $0 != nil } }
}
