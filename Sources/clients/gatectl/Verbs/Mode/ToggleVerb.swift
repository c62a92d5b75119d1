import ArgumentParser
import GateClient
import GateModel
import GateProtocol

struct ToggleVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "toggle",
        abstract: "Ask for parent mode, or leave it without a question.",
        discussion: """
            Another screen shows the question if there is one (`gatectl present`), else this terminal does; Escape \
            or Ctrl-C dismisses it. Without any of these and without --stdin nobody can be asked: status 2, and \
            nothing changes.
            """,
        aliases: ["next"])

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Print the question as text, and read answers line by line: a letter, or the value.")
    var stdin = false

    func perform(_ session: Session) async throws(GateError) {
        let gate = session.gate
        let outcome = try await session.asking(readsStandardInput: stdin) { presenting throws(GateError) in
            try await gate.begin(Methods.Mode.toggle, ToggleRequest(presenting: presenting), presenting) {
                $0.presentation
            }
        }
        switch outcome {
        case .settled(let response): try session.output.mode(response, response.revision, response.state)
        case .answered(let response): try session.output.mode(response, response.revision, response.state)
        }
    }
}
