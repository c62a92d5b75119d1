import Foundation
import Glibc
import ProcessSupport
import Testing

/// Somebody's screen: a `gatectl present --exec` whose program puts each presentation into a file, and takes the answer
/// from another.
final class RelayScreen {
    let process: ChildProcess
    private let folder: String

    /// Starts it, and waits until the daemon has it as a presenter.
    /// - Parameter user: whose it is; `nil`: the tests' own.
    init(_ gate: RunningGate, as user: OtherUser? = nil, _ arguments: String...) throws {
        folder = gate.directory + "/screen-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if let user { chown(folder, user.uid, user.uid) }
        let relay = folder + "/relay"
        try writeProgram(RelayScreen.relay(folder), to: relay)
        // The kinds that the screen can show: all that can be written into a file.
        let kinds = arguments.contains("--kinds") ? [] : ["--kinds", Self.kinds]
        let words = ["present", "--exec", relay] + kinds + arguments
        process =
            if let user {
                try user.gatectl(gate, words)
            } else {
                try ChildProcess(
                    builtProgram("gatectl"), words + ["--socket", gate.socket, "--server-user", NSUserName()],
                    hasInput: false)
            }
        guard let line = try process.nextLineAnywhere(), line.text.contains("Waiting for questions") else {
            throw process.failure("it is no presenter")
        }
    }

    private static let kinds = """
        arithmetic-choice,arithmetic-entry,shapes,quiz,confirm,birthdate,passcode,totp,sign-in,paywall,whats-new
        """

    /// The shell that stands for a dialogue on a screen. It goes when its folder does, should nobody end it before.
    private static func relay(_ folder: String) -> String {
        """
        #!/bin/sh
        cd '\(folder)' || exit 1
        rm -f answer
        # Nobody has read a question in its first second, and nothing is taken.
        sleep 1.1 & reading=$!
        trap 'rm -f question answer; exit 1' TERM
        # Written under another name first: who finds the file finds all of it.
        cat > new && cat new >> all && mv new question
        until [ -e answer ] || [ ! -e '\(folder)/relay' ]; do sleep 0.02; done
        wait $reading
        rm -f question
        cat answer
        rm -f answer

        """
    }

    /// The presentation on the screen, as `gatectl` hands it to the program; `nil` if there is none.
    var json: String? { try? String(contentsOfFile: folder + "/question", encoding: .utf8) }

    /// All presentations that were ever on the screen.
    var everything: [String] {
        let text = (try? String(contentsOfFile: folder + "/all", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Waits until something is on it.
    func shown() throws -> String {
        try eventually("something is shown") { json != nil }
        return try #require(json)
    }

    /// Waits until nothing is on it.
    func cleared() throws {
        try eventually("the screen is clear") { json == nil }
    }

    /// Waits for a sum, and gives its right answer, or a wrong one.
    @discardableResult
    func answerSum(right: Bool) throws -> String {
        let question = try shown()
        let answers = try #require(Answers(json: question), "\(question)")
        try answer(right ? answers.right : answers.wrong)
        return question
    }

    /// What the program is to print; nothing: a dismissal.
    func answer(_ line: String) throws {
        let text = line.isEmpty ? "" : line + "\n"
        try Data(text.utf8).write(to: URL(filePath: folder + "/answer"), options: .atomic)
        // This process can't read another user's file, but that user has to.
        chmod(folder + "/answer", 0o644)
        // The next question may already be there.
        try eventually("the answer is taken") { !FileManager.default.fileExists(atPath: folder + "/answer") }
    }
}

/// Writes a program that everybody may start.
///
/// By another process: a test beside this one that starts a program just now would hand a file that is open here down
/// to it, and what is open for writing can't be started ("Text file busy").
func writeProgram(_ text: String, to path: String) throws {
    let writer = try ChildProcess("/bin/sh", ["-c", #"cat > "$0" && chmod 755 "$0""#, path])
    writer.write(text)
    writer.closeInput()
    guard try writer.ended().status == 0 else { throw writer.failure("it does not write") }
}

/// Copies a program, in another process for the same reason.
func copyProgram(_ program: String, to path: String) throws {
    let copier = try ChildProcess("/bin/cp", [program, path], hasInput: false)
    guard try copier.ended().status == 0 else { throw copier.failure("it does not copy") }
}

/// The lines of a file; none where it is not there.
func linesOfFile(_ path: String) -> [String] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
}

/// A file of the repository.
func repositoryFile(_ path: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../" + path).standardizedFileURL.path()
}
