import Foundation
import GateModel
import Testing

@testable import gatectl

/// A folder of its own for one test.
private final class Folder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("gatectl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        // The path as the kernel names it.
        path = url.resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func script(_ name: String, _ text: String = "#!/bin/sh\n", permissions: Int = 0o755) throws -> String {
        let file = "\(path)/\(name)"
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file)
        return file
    }
}

@Suite("Resolving the command that is to run")
struct ResolvedCommandTests {
    @Test("a name is looked up in PATH, without relative folders and files that can't be executed")
    func searched() throws {
        let (first, second) = (try Folder(), try Folder())
        try first.script("tool", permissions: 0o644)
        try FileManager.default.createDirectory(atPath: "\(first.path)/other", withIntermediateDirectories: false)
        try second.script("tool")
        try second.script("other")
        let searchPath = ".::\(first.path):\(second.path)"
        #expect(try ResolvedCommand("tool", searchPath: searchPath).path == "\(second.path)/tool")
        #expect(try ResolvedCommand("other", searchPath: searchPath).path == "\(second.path)/other")
    }

    @Test("a path is made absolute, its folder's links are followed, and its last name is kept")
    func absolute() throws {
        let folder = try Folder()
        try folder.script("tool")
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/here", withDestinationPath: folder.path)
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/name", withDestinationPath: "tool")
        #expect(try ResolvedCommand("\(folder.path)/here/./here/name", searchPath: nil).path == "\(folder.path)/name")
    }

    @Test("a file that is no program is refused before anybody is asked")
    func refused() throws {
        let folder = try Folder()
        try folder.script("text", permissions: 0o644)
        let cases: [(name: String, code: GateError.Code)] = [
            ("", .notFound), ("no-such-command", .notFound), ("\(folder.path)/missing", .notFound),
            ("/no/such/folder/tool", .notFound), ("\(folder.path)/", .notFound), (folder.path, .invalidArgument),
            ("\(folder.path)/text", .invalidArgument), ("/dev/null", .invalidArgument),
        ]
        for (name, code) in cases {
            #expect {
                try ResolvedCommand(name, searchPath: folder.path)
            } throws: { error in
                (error as? GateError)?.code == code
            }
        }
    }

    @Test("a command that was replaced, written to or redirected after the question is noticed")
    func replaced() throws {
        let folder = try Folder()
        let path = try folder.script("tool")
        let other = try folder.script("other")

        let written = try ResolvedCommand(path, searchPath: nil)
        #expect(written.isUnchanged)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: Data("#!/bin/id\n".utf8))
        try handle.close()
        #expect(!written.isUnchanged)

        let replaced = try ResolvedCommand(path, searchPath: nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(!replaced.isUnchanged)
        try folder.script("tool")
        #expect(!replaced.isUnchanged)

        let link = "\(folder.path)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let pointed = try ResolvedCommand(link, searchPath: nil)
        #expect(pointed.isUnchanged)
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
        #expect(!pointed.isUnchanged)

        let locked = try ResolvedCommand(other, searchPath: nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o755 | 0o4000], ofItemAtPath: other)
        #expect(!locked.isUnchanged)
    }

    @Test("a command that was changed does not start")
    func notStarted() throws {
        let folder = try Folder()
        let path = try folder.script("tool", "#!/bin/sh\nexit 0\n")
        let command = try ResolvedCommand(path, searchPath: nil)
        try FileManager.default.removeItem(atPath: path)
        let error = CommandStart(command: command, arguments: ["tool"]).replaceThisProcess()
        #expect(error.exitStatus == 75)
        #expect(error.message.contains("was changed while the question was open"))
    }

    @Test("a command keeps its environment without the variables that are meant for gatectl")
    func environment() {
        let variables = ["PATH=/bin", "GATE_SOCKET=/s", "GATE_TOKEN=x", "GATES=3", "XGATE_Y=1"]
        #expect(CommandStart.environment(of: variables) == ["PATH=/bin", "GATE_SOCKET=/s", "GATES=3", "XGATE_Y=1"])
    }

    @Test("only this program counts as itself")
    func itself() throws {
        let own = try #require(Bundle.main.executablePath)
        #expect(try ResolvedCommand(own, searchPath: nil).isThisProgram)
        #expect(try !ResolvedCommand("sh", searchPath: "/bin").isThisProgram)
    }

    @Test(
        "a command line is shown unambiguously",
        arguments: [
            (["ls", "-l", "/tmp"], "ls -l /tmp"),
            (["rm", "a b"], "rm 'a b'"),
            (["rm", "a", "b"], "rm a b"),
            (["x", ""], "x ''"),
            (["x", "it's"], #"x 'it'\''s'"#),
            (["x", "$(id)", "~", "a;b", "*"], "x '$(id)' '~' 'a;b' '*'"),
            (["x", "a\nb"], #"x $'a\nb'"#),
            (["x", "\u{1b}[2J'\\"], #"x $'\x1b[2J\'\\'"#),
            (["x", "exe\u{202e}fdp"], #"x $'exe\u202efdp'"#),
            (["x", "a\u{200b}b", "a\u{a0}b"], #"x $'a\u200bb' $'a\u00a0b'"#),
            (["x", "Grün 木"], "x 'Grün 木'"),
            (["x", "\u{e0041}"], #"x $'\U000e0041'"#),
            // A combining mark would change how a quotation mark looks, and form one character with it.
            (["x", "a'\u{327} b"], #"x $'a\'\u0327 b'"#),
            (["x", "\u{327}a", "e\u{301}"], "x $'\\u0327a' 'e\u{301}'"),
        ])
    func shown(arguments: [String], text: String) {
        #expect(ShellText.quoted(arguments) == text)
    }

    @Test("a shell reads back exactly what is shown")
    func readBack() throws {
        var generator = SplitMix(seed: 3)
        let scalars =
            "ab ''\u{327}\u{301}\"\\$`!*?~#;&|<>(){}[]=\n\t\u{1b}\u{7f}ä木\u{202e}\u{200b}\u{a0}\u{2028}\u{85}😀^%"
            .unicodeScalars
        let alphabet = scalars.map { String($0) }
        let arguments = (0..<400).map { _ in
            (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }.joined()
        }
        let shown = ShellText.quoted(arguments)
        #expect(shown.unicodeScalars.allSatisfy(ShellText.isVisible))
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["--norc", "-c", "printf '%s\\0' \(shown)"]
        shell.environment = ["LC_ALL": "C.UTF-8"]
        let output = Pipe()
        shell.standardOutput = output
        try shell.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        let read = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(read == arguments)
    }

    @Test("a command line that nobody could read to its end is refused")
    func tooLong() throws {
        let command = try ResolvedCommand("sh", searchPath: "/bin")
        let room = AuthorizationRequest.maximumDetailsByteCount - command.path.utf8.count - 1
        #expect(try command.details(with: [String(repeating: "a", count: room)]).utf8.count == 4096)
        #expect(throws: GateError.self) { try command.details(with: [String(repeating: "a", count: room + 1)]) }
    }
}
