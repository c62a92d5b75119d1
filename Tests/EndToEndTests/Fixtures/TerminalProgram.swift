import Foundation
import Glibc
import ProcessSupport
import Testing

/// A shell command on a terminal of its own, as `script` of util-linux makes one: what is typed goes in, and everything
/// that is drawn is in a file.
final class TerminalProgram {
    private let process: ChildProcess
    private let folder: String
    private var heardCount = 0

    /// - Parameters:
    ///   - words: a program and its arguments.
    ///   - columns: of the terminal.
    ///   - locale: what characters it takes.
    ///   - rows: of the terminal. With few, what is asked stands there as text, and not as a drawing.
    init(_ words: [String], in directory: String, columns: Int = 60, rows: Int = 14, locale: String = "C.UTF-8") throws
    {
        folder = directory + "/terminal-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let command = words.map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }.joined(separator: " ")
        try writeProgram(
            """
            #!/bin/sh
            cd '\(folder)' || exit 1
            # For the program, and not for the shell that notes how it ended.
            trap : INT HUP TERM
            tty > tty
            stty rows \(rows) cols \(columns)
            stty -g > before
            sh -c 'echo $$ > new && mv new pid; exec "$@"' sh \(command)
            status=$?
            stty -g > after
            echo $status > new && mv new status

            """, to: folder + "/session")
        // The output of `script` itself is not read by any test.
        process = try ChildProcess(
            "/bin/sh", ["-c", "exec script -qfec '\(folder)/session' '\(folder)/typescript' > /dev/null"],
            environment: ["TERM": "xterm", "LC_ALL": locale])
    }

    deinit {
        process.signal(SIGTERM)
    }

    /// All that was ever drawn.
    var drawn: String {
        let bytes = FileManager.default.contents(atPath: folder + "/typescript") ?? Data()
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What was drawn since the last `forget`, without what sets colours.
    var text: String {
        let recent = String(decoding: drawn.utf8.dropFirst(heardCount), as: UTF8.self)
        return recent.replacing(#/\u{1b}\[[0-9;?]*[A-Za-z]/#, with: "")
    }

    /// Forgets what was drawn so far, so that only new output is looked at.
    func forget() { heardCount = drawn.utf8.count }

    /// Waits until this is drawn.
    func shows(_ text: String) throws {
        do {
            try eventually("the terminal shows '\(text)'") { self.text.contains(text) }
        } catch {
            throw ProcessFailure("\(error)\n\(self.text)")
        }
    }

    /// Types after a pause: keys in the first second of a question are ignored, because they were meant for what was
    /// there before.
    func type(_ keys: String) {
        usleep(1_500_000)
        process.write(keys)
    }

    /// Presses the first button of the mouse on this text, where it was drawn last, after a while, and lets it go.
    func press(on text: String) throws {
        let spot = try #require(place(of: text), "'\(text)' is nowhere: \(self.text)")
        press(column: spot.column, row: spot.row)
    }

    /// The same anywhere; the first column and row are 1.
    func press(column: Int, row: Int) {
        type("\u{1b}[<0;\(column);\(row)M\u{1b}[<0;\(column);\(row)m")
    }

    /// The column and the row where this was drawn last: each piece of a row comes after its address.
    private func place(of text: String) -> (column: Int, row: Int)? {
        for piece in drawn.matches(of: #/\u{1b}\[(\d+);(\d+)H((?:(?!\u{1b}\[\d+;\d+H).)*)/#.dotMatchesNewlines())
            .reversed()
        {
            let words = String(piece.3).replacing(#/\u{1b}\[[0-9;?]*[A-Za-z]/#, with: "")
            guard let found = words.range(of: text), let row = Int(piece.1), let column = Int(piece.2) else { continue }
            return (column + words.distance(from: words.startIndex, to: found.lowerBound), row)
        }
        return nil
    }

    /// The result of the sum that was drawn last.
    var sum: Int? {
        guard let match = text.matches(of: #/(\d+) ([+−×÷*\/:-]) (\d+) = \?/#).last, let left = Int(match.1),
            let right = Int(match.3)
        else { return nil }
        switch match.2 {
        case "+": return left + right
        case "-", "−": return left - right
        case "×", "*": return left * right
        default: return right == 0 ? 0 : left / right
        }
    }

    /// The letter of this choice among those that were drawn last. It waits until all of its number is drawn.
    func letter(of value: Int) throws -> Character {
        var letter: Character?
        do {
            try eventually("\(value) can be chosen") {
                letter = text.matches(of: #/([a-d])\) (\d+)/#).last { Int($0.2) == value }?.1.first
                return letter != nil
            }
        } catch {
            throw ProcessFailure("\(error)\n\(text)")
        }
        return try #require(letter)
    }

    /// The path of the terminal.
    var device: String { linesOfFile(folder + "/tty").first ?? "" }

    /// The program's own process.
    func pid() throws -> Int32 {
        try eventually("the program has started") { FileManager.default.fileExists(atPath: folder + "/pid") }
        return try #require(linesOfFile(folder + "/pid").first.flatMap { Int32($0) })
    }

    /// Waits for the command's end; its status, and the terminal's settings before and after.
    func ended() throws -> (status: Int32, before: String, after: String) {
        do {
            try eventually("the command ends") { FileManager.default.fileExists(atPath: folder + "/status") }
        } catch {
            throw ProcessFailure("\(error)\n\(text)")
        }
        // Only now is all that it drew in the file.
        _ = try process.ended()
        let status = linesOfFile(folder + "/status").first.flatMap { Int32($0) } ?? -1
        return (status, linesOfFile(folder + "/before").first ?? "", linesOfFile(folder + "/after").first ?? "-")
    }
}

extension RunningGate {
    /// `gatectl` on a terminal of its own.
    func gatectlOnTerminal(
        _ arguments: String..., columns: Int = 60, rows: Int = 14, locale: String = "C.UTF-8"
    ) throws -> TerminalProgram {
        try TerminalProgram(
            [builtProgram("gatectl")] + arguments + ["--socket", socket, "--server-user", NSUserName()],
            in: directory, columns: columns, rows: rows, locale: locale)
    }
}
