import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct RecoverVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: localized("Open Gate again after a damaged store was set aside (administrators)."))

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(Methods.Control.recover, RecoverRequest())
        try session.output.result(
            response, at: response.revision,
            localized(
                "open again; the damaged store is kept as {file}", ["file": VisibleText.line(response.quarantinedFile)])
        )
    }
}
