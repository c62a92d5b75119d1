import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct VersionVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: localized("Print the versions of gatectl and the daemon."))

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        if !session.output.isJSON { session.output.line("gatectl \(Gatectl.version)") }
        let response = try await session.gate.call(Methods.Control.version, GetVersionRequest())
        try session.output.result(
            response, "gated \(response.version)\n\(response.protocol)\nSQLite \(response.sqlite)")
    }
}
