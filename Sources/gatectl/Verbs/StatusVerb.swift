import ArgumentParser
import GateClient
import GateModel

struct StatusVerb: Verb {
    static let configuration = CommandConfiguration(commandName: "status", abstract: "Print the mode.")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.status()
        try session.output.mode(response, response.revision, response.state)
    }
}
