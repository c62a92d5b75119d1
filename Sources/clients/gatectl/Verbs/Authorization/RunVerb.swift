import ArgumentParser
import GateModel
import GateTexts

struct RunVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: localized("Run a command if a gated action is granted."),
        discussion: """
            For example: gatectl run --gate games.play -- supertux2

            The question shows the command's file with its arguments, quoted as a shell would take them, the folder \
            that it runs in, the file that a link leads to, and the interpreter of a script. Exactly that starts, no \
            matter who writes to the file meanwhile. If only root can change the file and every folder and link on the \
            way to it, it starts as it is; so do scripts, if the same is true of their interpreters. Another user's \
            program that needs no libraries (a static one) is copied first, and the question shows the copy's size and \
            SHA-256. Everything else is refused: other programs and scripts that users other than root can change, \
            copies of programs with rights of their own, programs of root that load libraries from a folder that \
            others can write to, and anything under /proc. Have root install such a program, for example in \
            /usr/local/bin.

            The command takes the place of gatectl: its streams, its signals and its status are its own. It gets \
            standard input, output and error and no other descriptors. Its name (argv[0]) is its path, without links \
            that users other than root can change. It gets only the variables for language, screen, sound and session, \
            if they look as usual; TERM, if the system knows the terminal; HOME, USER and LOGNAME as the user database \
            has them; GATE_SOCKET; and a PATH that begins with the system's folders and has only those of yours that \
            root alone can change. It gets no TZ: its clock is the system's. Name any other variable on the command \
            line, where it is shown: gatectl run --gate games.play -- env MODE=easy supertux2

            If nobody can be asked, the status is 2, and nothing runs. If a desktop started the command, without a \
            terminal, a small window says why nothing runs.

            If the policy lets the question wait (may-wait), and no grown-up answers now, the status is 4. Run the \
            same command again after a grown-up has said yes.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: ArgumentHelp("The gated action, as the policy names it.", valueName: "gated-action"),
        completion: NameCompletion.gatedActions)
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
        try await session.authorize(request, opening: .program, readsStandardInput: stdin)
        throw start.replaceThisProcess()
    }

    func showOnDesktop(_ error: GateError) {
        guard DesktopNotice.isNeeded(isReadByProgram: connection.json || stdin) else { return }
        if let notice = RefusalNotice(error, .program) {
            DesktopNotice.show(notice, details: ShellText.quoted(command))
        }
    }
}
