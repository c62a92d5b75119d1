import ArgumentParser
import GateClient
import GateModel

struct LockVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Go to child mode from anywhere, at once.")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.lock()
        try session.output.mode(response, response.revision, response.state)
    }
}
