import ArgumentParser
import GateModel
import GateTexts
import Glibc

/// The option that says where passwords come from. They are never arguments, which every user can read.
struct PasswordOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            localized(
                "Read passwords from this file, one per line. Nobody else may be able to read it. - is standard input."),
            valueName: "file"))
    var passwordFile: String?

    func validate() throws {
        if let passwordFile, passwordFile.isEmpty { throw ValidationError("--password-file needs a path, or -.") }
    }
}

/// Provides names and passwords: typed by a person, or read from a file.
struct PasswordSource {
    private enum Source {
        /// Typed at a terminal, or written to standard input by another program.
        case prompt(LinePrompt)
        /// The lines of a file that were not taken yet.
        case lines([GateSecret])
    }

    /// The lengths of new passwords and passcodes that the daemon takes, in bytes of UTF-8.
    static let newLengths = 4...128
    static var passcodeLengths: String { localized("A passcode has 4 to 128 characters. Choose another one.") }

    private var source: Source

    /// `count` passwords will be asked for; `advice` says what to do if nobody can be asked.
    /// - Throws: `ABORTED` (`noPresenter`) if nobody can be asked; the errors of `SecretFile.lines`.
    init(_ options: PasswordOptions, count: Int, orElse advice: String) throws(GateError) {
        switch options.passwordFile {
        case "-"? where isatty(STDIN_FILENO) != 1:
            source = .prompt(try LinePrompt(readsStandardInput: true, orElse: advice))
        case nil, "-"?:
            source = .prompt(try LinePrompt(readsStandardInput: false, orElse: advice))
        case let path?:
            source = .lines(try SecretFile(path: path).lines(count))
        }
    }

    /// The given name, or one that is asked for at the terminal.
    /// - Throws: `INVALID_ARGUMENT` if no name was given, and the passwords are not typed at a terminal.
    func name(_ given: String?, verb: String) async throws(GateError) -> String {
        if let given { return given }
        switch source {
        case .prompt(let prompt) where prompt.terminal != nil: return try await prompt.line(localized("Name"))
        case .prompt, .lines:
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized("Name the account: `gatectl {verb} NAME …`.", ["verb": verb]))
        }
    }

    /// The next password. It is not shown while it is typed.
    mutating func password(_ request: String) async throws(GateError) -> GateSecret {
        switch source {
        case .prompt(let prompt): return try await prompt.secret(request)
        case .lines(var lines):
            guard !lines.isEmpty else { preconditionFailure("more passwords are asked for than were read") }
            let line = lines.removeFirst()
            source = .lines(lines)
            return line
        }
    }

    /// The next password. On a terminal it is typed twice, and asked again until its length is allowed.
    mutating func newPassword() async throws(GateError) -> GateSecret {
        guard case .prompt(let prompt) = source, prompt.terminal != nil else {
            return try await password(localized("New password"))
        }
        while true {
            let password = try await prompt.secret(localized("New password (at least 4 characters; it is not shown)"))
            guard Self.newLengths.contains(password.byteCount) else {
                prompt.say(localized("A password has 4 to 128 bytes. Try again."))
                continue
            }
            if try await prompt.secret(localized("Type it again")) == password { return password }
            prompt.say(localized("They don't match. Try again."))
        }
    }
}
