import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct ReloadVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: localized("Make the daemon read its configuration again (administrators)."))

    @Flag(name: .shortAndLong, help: "Print nothing on success: for services, whose output is logged.")
    var quiet = false

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(Methods.Control.reload, ReloadRequest())
        guard !quiet else { return }
        let policy = EffectivePolicy(lines: response.inForce, summary: response.policy)
        let lines = await session.lines(of: policy)
        try session.output.result(response, lines.joined(separator: "\n"))
    }
}
