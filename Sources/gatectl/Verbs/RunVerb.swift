import ArgumentParser
import GateClient
import GateModel

struct RunVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a command if a gated action is granted.",
        discussion: """
            For example: gatectl run --gate games.play -- supertux2

            The command is resolved to a file first, and shown with its arguments, quoted as a shell would take them; a \
            file that was replaced or written to meanwhile is not started. It runs in the place of gatectl: its \
            streams, its signals and its status are its own. It gets standard input, output and error and no other \
            descriptors, and no variables that begin with GATE_, but for GATE_SOCKET.

            Where nobody can be asked: status 2, and nothing runs.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("The gated action, as the policy names it.", valueName: "gated-action"))
    var gate: String

    @Flag(
        help: """
            Print the question as text, and read answers line by line: a letter, or the value. What comes after them is for \
            the command.
            """)
    var stdin = false

    @Argument(parsing: .postTerminator, help: "What to run, and its arguments; after a --.")
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else {
            throw ValidationError("Say what to run: gatectl run --gate \(gate) -- COMMAND")
        }
    }

    func perform(_ session: Session) async throws(GateError) {
        let start = try CommandStart(command)
        let details = try start.command.details(with: Array(command.dropFirst()))
        _ = try await session.authorize(gate, details: details, readsStandardInput: stdin)
        throw start.replaceThisProcess()
    }
}
