import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct PingVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "ping", abstract: localized("Ask whether the daemon answers, and how fast."))

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        // The first call opens the connection, so it is not measured.
        try await session.gate.control.ping()
        let start = BootTime.now()
        let response = try await session.gate.call(Methods.Control.ping, PingRequest())
        let microseconds = start.duration(to: .now()).clampedNanoseconds / 1000
        try session.output.result(response, "rev \(response.revision)  \(microseconds) µs")
    }
}
