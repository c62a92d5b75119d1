import CProcess
import GateModel
import GateTexts
import Glibc

/// Replaces gatectl's process with a command, so that streams, signals and the exit status are the command's own.
struct CommandStart {
    let command: ResolvedCommand
    /// The name that the command was called by, then its arguments.
    let arguments: [String]
    /// Added to the command's environment, as NAME=VALUE.
    var variables: [String]
    /// The working folder that the question shows; empty if no question shows the command.
    private var folder = ""
    /// What to start if a question shows the command; `nil`: the file at `command.path`.
    var program: PinnedProgram?

    init(command: ResolvedCommand, arguments: [String], variables: [String] = []) {
        self.command = command
        self.arguments = arguments
        self.variables = variables
    }

    /// Resolves a command line now, to be started later.
    /// - Throws: `NOT_FOUND` if there is no such command; `INVALID_ARGUMENT` if it can't be started or is not UTF-8.
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

    /// Resolves a command that a question will show, and holds on to its program, so that exactly this program starts.
    /// - Throws: as `init(_:)`; `INVALID_ARGUMENT` if that is not certain; `ABORTED` if the file was changed since.
    static func pinned(_ words: [String]) throws(GateError) -> CommandStart {
        let folder = try enterFolder()
        var start = try CommandStart(words)
        start.folder = folder
        let searchPath = RunEnvironment.path(getenv("PATH").map { String(cString: $0) } ?? "")
        start.program = try PinnedProgram(start.command, searchPath: searchPath)
        return start
    }

    /// - Throws: `INVALID_ARGUMENT` if it is too long to be read.
    func details() throws(GateError) -> String {
        try command.details(
            with: Array(arguments.dropFirst()), notes: ["in \(ShellText.quoted(folder))"] + (program?.notes ?? []))
    }

    /// Changes to the current folder by its own name, which it returns, so that the name in the question is true. A
    /// process can be in a folder of another mount namespace. In this one, the same name may lead to another folder, or
    /// to one with other contents.
    /// - Throws: `INVALID_ARGUMENT` if no name leads to the folder.
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

    /// Whether all words were valid UTF-8. Invalid bytes arrive as U+FFFD, so such a command can't be run as intended.
    static func canBeShown(_ words: [String]) -> Bool {
        !words.contains { $0.unicodeScalars.contains("\u{fffd}") }
    }

    /// Starts the command in place of this process. Returns only if that fails: `ABORTED` if the file or the folder has
    /// changed; `INVALID_ARGUMENT` if the system can't start it.
    func replaceThisProcess() -> GateError {
        guard command.isUnchanged, program == nil || Self.isHere(folder) else { return command.wasChanged }
        var arguments = Self.pointers(program.map { [$0.name] + self.arguments.dropFirst() } ?? self.arguments)
        let inherited = program == nil ? Self.environment : RunEnvironment.cleared(Self.environment)
        var environment = Self.pointers(inherited + variables)
        defer { for pointer in arguments + environment { free(pointer) } }
        // The start closes all but the standard descriptors. If it fails, other threads still use them.
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

    /// The variables that are not meant for gatectl alone. `GATE_SOCKET` stays: where the daemon listens is no secret.
    static func environment(of variables: [String]) -> [String] {
        variables.filter { !$0.starts(withBytesOf: "GATE_") || $0.starts(withBytesOf: "GATE_SOCKET=") }
    }

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

/// The signal settings that gatectl was started with, for the program that takes its place. gatectl changes its own.
enum StartConditions {
    private struct Inherited {
        var mask = sigset_t()
        var ignored: [CInt] = []
    }

    /// Safe because it is written once, before there is a second thread.
    nonisolated(unsafe) private static var inherited = Inherited()

    private static let signals: [CInt] = Array(1...64)

    /// Call this before anything else.
    static func remember() {
        pthread_sigmask(SIG_SETMASK, nil, &inherited.mask)
        inherited.ignored = signals.filter { number in
            var action = sigaction()
            guard sigaction(number, nil, &action) == 0 else { return false }
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
        }
    }

    /// Ignores the signals that were ignored at the start, resets the others to their defaults, and restores the mask.
    static func restore() {
        for number in signals {
            signal(number, inherited.ignored.contains(number) ? SIG_IGN : SIG_DFL)
        }
        pthread_sigmask(SIG_SETMASK, &inherited.mask, nil)
    }
}
