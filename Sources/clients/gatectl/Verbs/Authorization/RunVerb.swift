import ArgumentParser
import GateClient
import GateModel

struct RunVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a command if a gated action is granted.",
        discussion: """
            For example: gatectl run --gate games.play -- supertux2

            The question shows the command's file with its arguments, quoted as a shell would take them, the \
            folder that it runs in, the file that a link leads to, and the interpreter of a script. Exactly that \
            starts, no matter who writes to the file meanwhile. If only root can change the file and every folder \
            above it, it starts as it is. Of any other program gatectl makes a copy first, and shows its size and \
            its SHA-256. A program that would be different as a copy is refused: a script, a program that looks \
            for libraries beside itself, one with rights of its own, and anything under /proc. Have root install \
            such a program, for example in /usr/local/bin.

            The command takes the place of gatectl: its streams, its signals and its status are its own. It gets \
            standard input, output and error and no other descriptors. It gets no variables that begin with GATE_ \
            except GATE_SOCKET, none that change what a loader or an interpreter runs (LD_…, PYTHON…, PERL…, \
            NODE_…, BASH_ENV, GCONV_PATH and their like), and only those folders of PATH that root alone can \
            change.

            If nobody can be asked: status 2, and nothing runs.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("The gated action, as the policy names it.", valueName: "gated-action"))
    var gate: String

    @Flag(
        help: """
            Print the question as text, and read answers line by line: a letter, or the value. The rest of the \
            input is for the command.
            """)
    var stdin = false

    @Argument(parsing: .postTerminator, help: "The command to run, and its arguments; after a --.")
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else {
            throw ValidationError("Say what to run: gatectl run --gate \(gate) -- COMMAND")
        }
    }

    func perform(_ session: Session) async throws(GateError) {
        let start = try CommandStart.pinned(command)
        let request = AuthorizationRequest(gatedAction: gate, details: try start.details())
        _ = try await session.authorize(request, readsStandardInput: stdin)
        throw start.replaceThisProcess()
    }
}
