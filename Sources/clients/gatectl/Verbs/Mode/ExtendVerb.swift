import ArgumentParser
import GateClient
import GateModel
import GateProtocol

struct ExtendVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "extend",
        abstract: "Extend parent mode to end this long from now, after a question.",
        discussion: """
            Administrators get no question. Another screen shows it if there is one (`gatectl present`), else this \
            terminal does. Without any of these and without --stdin nobody can be asked: status 2, and nothing \
            changes.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Print the question as text, and read answers line by line: a letter, or the value.")
    var stdin = false

    @Argument(
        help: "How long from now on: 90s, 5m, 1h30m; default: a lease as configured.", transform: DurationText.parse)
    var duration: Duration?

    func perform(_ session: Session) async throws(GateError) {
        let (gate, duration) = (session.gate, duration)
        let outcome = try await session.asking(readsStandardInput: stdin) { presenting throws(GateError) in
            let request = ExtendRequest(duration: duration, presenting: presenting)
            return try await gate.begin(Methods.Mode.extend, request, presenting) { $0.presentation }
        }
        switch outcome {
        case .settled(let response): try session.output.mode(response, response.revision, response.state)
        case .answered(let response): try session.output.mode(response, response.revision, response.state)
        }
    }
}
