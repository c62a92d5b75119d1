import ArgumentParser
import GateClient
import GateModel
import GateProtocol

struct ToggleVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "toggle",
        abstract: "One step round: to parent mode with a question, back to child mode without.",
        discussion: """
            On a terminal it shows the question; Ctrl-C dismisses it. With neither a terminal nor --stdin nobody can be \
            asked: status 2, and nothing changes.
            """,
        aliases: ["next"])

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Print the question as text, and read answers line by line: a letter, or the value.")
    var stdin = false

    func perform(_ session: Session) async throws(GateError) {
        let gate = session.gate
        guard let questioner = Questioner(readsStandardInput: stdin, output: session.output) else {
            let response = try await session.withoutQuestioner { () throws(GateError) in
                try await gate.call(Methods.Mode.toggle, ToggleRequest(presentsItself: false))
            }
            return try session.output.mode(response, response.revision, response.state)
        }
        let (response, open) = try await gate.beginToggle()
        guard let open else {
            return try session.output.mode(response, response.revision, response.state)
        }
        let result = try await questioner.ask(open, from: response)
        try session.output.mode(result, result.revision, result.state)
    }
}
