import ArgumentParser
import GateClient
import GateModel

struct CancelVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Take back the open question. Changes nothing in the other modes.",
        discussion: "Only administrators can take back a question that another program has open.")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.cancel()
        try session.output.mode(response, response.revision, response.state)
    }
}
