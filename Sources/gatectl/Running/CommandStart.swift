import CProcess
import GateModel
import GateTexts
import Glibc

/// Puts a command in the place of gatectl: the same process, so that streams, signals and status are its own.
struct CommandStart {
    let command: ResolvedCommand
    /// As the command was called, then what it was given.
    let arguments: [String]
    /// Added to its environment: NAME=VALUE.
    var variables: [String]
    /// The folder that the command was shown to run in.
    private var folder = ""
    /// The program that starts, where somebody is asked about the command itself; `nil`: whatever is there then.
    var program: PinnedProgram?

    init(command: ResolvedCommand, arguments: [String], variables: [String] = []) {
        self.command = command
        self.arguments = arguments
        self.variables = variables
    }

    /// As it stands on the command line, to be started later: it is looked for now.
    ///
    /// - Throws: `NOT_FOUND` where there is none; `INVALID_ARGUMENT` where it can't be started, or shown to anybody.
    init(_ words: [String]) throws(GateError) {
        guard Self.canBeShown(words) else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "An argument is not valid UTF-8, so it can't be shown. Put the command into a script."))
        }
        let command = try ResolvedCommand(words.first ?? "", searchPath: getenv("PATH").map { String(cString: $0) })
        self.init(command: command, arguments: words)
    }

    /// The same, of a command that somebody is shown: what starts is what is there now.
    ///
    /// - Throws: as the other; `INVALID_ARGUMENT` too where that can't be promised.
    static func pinned(_ words: [String]) throws(GateError) -> CommandStart {
        let folder = try enterFolder()
        var start = try CommandStart(words)
        start.folder = folder
        let searchPath = RunEnvironment.path(getenv("PATH").map { String(cString: $0) } ?? "")
        start.program = try PinnedProgram(start.command, searchPath: searchPath)
        return start
    }

    /// The details that the person is shown.
    ///
    /// - Throws: `INVALID_ARGUMENT` where nobody could read it all.
    func details() throws(GateError) -> String {
        try command.details(
            with: Array(arguments.dropFirst()), notes: ["in \(ShellText.quoted(folder))"] + (program?.notes ?? []))
    }

    /// Enters the folder that this process is in, by its name. A process can be in a folder of another mount namespace: then its name leads
    /// elsewhere in this one, or other things lie below it.
    ///
    /// - Returns: the name.
    /// - Throws: `INVALID_ARGUMENT` if it has no name that leads to it.
    private static func enterFolder() throws(GateError) -> String {
        let name = getcwd(nil, 0)
        defer { free(name) }
        let descriptor = name.map { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) } ?? -1
        defer { if descriptor >= 0 { close(descriptor) } }
        guard let name, isHere(name), fchdir(descriptor) == 0, isHere(name) else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "The folder that this runs in is gone, or has no name that can be shown. Change to another one."))
        }
        return String(cString: name)
    }

    private static func isHere(_ folder: UnsafePointer<CChar>) -> Bool {
        var (here, named) = (stat(), stat())
        return stat(".", &here) == 0 && stat(folder, &named) == 0 && here.st_dev == named.st_dev
            && here.st_ino == named.st_ino
    }

    /// Whether it can be shown: what was no text came with U+FFFD in the place of its bytes, and would not be what was
    /// meant. So nothing with one in it is run.
    static func canBeShown(_ words: [String]) -> Bool {
        !words.contains { $0.unicodeScalars.contains("\u{fffd}") }
    }

    /// Returns only where it did not start.
    ///
    /// - Returns: `ABORTED` where the file is not the one that was resolved; `INVALID_ARGUMENT` where the system can't start
    ///   it.
    func replaceThisProcess() -> GateError {
        guard command.isUnchanged, program == nil || Self.isHere(folder) else { return command.wasChanged }
        var arguments = Self.pointers(arguments)
        let inherited = program == nil ? Self.environment : RunEnvironment.cleared(Self.environment)
        var environment = Self.pointers(inherited + variables)
        defer { for pointer in arguments + environment { free(pointer) } }
        // All but the standard ones. Where nothing is started after all, other threads still use them.
        keep_from_programs(3)
        StartConditions.restore()
        let problem: CInt
        if let program {
            problem = program.replaceThisProcess(&arguments, &environment)
        } else {
            execve(command.path, &arguments, &environment)
            problem = errno
        }
        return GateError(
            .invalidArgument, .invalidRequest,
            saying: localized(
                "'{path}' can't be started: {error}.",
                ["path": command.path, "error": String(cString: strerror(problem))]))
    }

    /// Ours, without what is meant for gatectl alone. Where the daemon listens is no secret.
    static func environment(of variables: [String]) -> [String] {
        variables.filter { !$0.starts(withBytesOf: "GATE_") || $0.starts(withBytesOf: "GATE_SOCKET=") }
    }

    /// The same of this process.
    static var environment: [String] {
        var variables: [String] = []
        var next = environ
        while let variable = next.pointee {
            variables.append(String(cString: variable))
            next += 1
        }
        return environment(of: variables)
    }

    private static func pointers(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }
}

/// How this process was started, for the program that takes its place: gatectl itself unblocks and handles signals.
enum StartConditions {
    private struct Inherited {
        var mask = sigset_t()
        var ignored: [CInt] = []
    }

    /// Written once, before there is a second thread.
    nonisolated(unsafe) private static var inherited = Inherited()

    private static let signals: [CInt] = Array(1...64)

    /// Remembers the signals. To be called first of all.
    static func remember() {
        pthread_sigmask(SIG_SETMASK, nil, &inherited.mask)
        inherited.ignored = signals.filter { number in
            var action = sigaction()
            guard sigaction(number, nil, &action) == 0 else { return false }
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
        }
    }

    /// Restores the signals: what was ignored is ignored again, and everything else does what it does by itself.
    static func restore() {
        for number in signals {
            signal(number, inherited.ignored.contains(number) ? SIG_IGN : SIG_DFL)
        }
        pthread_sigmask(SIG_SETMASK, &inherited.mask, nil)
    }
}
