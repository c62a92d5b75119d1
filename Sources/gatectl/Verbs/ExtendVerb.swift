import ArgumentParser
import GateClient
import GateModel
import GateProtocol

struct ExtendVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "extend",
        abstract: "Run parent mode for so long from now on, after a question.",
        discussion: """
            Administrators need no question. With neither a terminal nor --stdin nobody can be asked: status 2, and \
            nothing changes.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Print the question as text, and read answers line by line: a letter, or the value.")
    var stdin = false

    @Argument(
        help: "How long from now on: 90s, 5m, 1h30m; default: a lease as configured.", transform: DurationText.parse)
    var duration: Duration?

    func perform(_ session: Session) async throws(GateError) {
        let (gate, duration) = (session.gate, duration)
        guard let questioner = Questioner(readsStandardInput: stdin, output: session.output) else {
            let response = try await session.withoutQuestioner { () throws(GateError) in
                try await gate.call(
                    Methods.Mode.extend, ExtendRequest(duration: duration, presentsItself: false))
            }
            return try session.output.mode(response, response.revision, response.state)
        }
        let (response, open) = try await gate.beginExtend(for: duration)
        guard let open else {
            return try session.output.mode(response, response.revision, response.state)
        }
        let result = try await questioner.ask(open, from: response)
        try session.output.mode(result, result.revision, result.state)
    }
}
