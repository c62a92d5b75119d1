import CGateProtocol
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

    @Test("the requests that carry secrets are those whose bytes are wiped and not cached")
    func secrets() async throws {
        try await LiveGate.with { gate, _ in
            let secret = await gate.authority.secretMethods
            let carrying = ServiceCatalog.methods.filter(\.carriesSecret).map(\.number)
            #expect(carrying.count == 7 && secret == Set(carrying))
        }
    }
}

extension MethodDescription {
    /// By the names of its fields: secrets are bytes.
    fileprivate var carriesSecret: Bool {
        let names: Set = ["password", "old_password", "new_password", "passcode", "code", "secret"]
        return (0..<Int(input.pointee.n_fields)).contains { index in
            let field = input.pointee.fields[index]
            return field.type == PROTOBUF_C_TYPE_BYTES && names.contains(String(cString: field.name))
        }
    }
}

extension Authority {
    fileprivate var secretMethods: Set<Int> { router.secretMethods }
    fileprivate var hasHandler: [Bool] { router.handlers.map { $0 != nil } }
}
