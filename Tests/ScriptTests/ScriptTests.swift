import Foundation
import GateScripting
import ProcessSupport
import Testing

/// Every dialogue in `Tests/Scripts`, against the pure core and against a real daemon.
///
/// `GATE_REWRITE=1 .ci/tests ScriptTests` writes what the core says into the files; read the difference
/// before you keep it.
@Suite("Dialogues", .waitsForProcesses)
struct ScriptTests {
    @Test("each script prints what it says when it is played with the core alone", arguments: ScriptFile.all)
    func holdsForTheCore(file: ScriptFile) throws {
        let script = try file.script()
        var dialogue = try CoreDialogue(world: script.world)
        let played = try script.played(with: &dialogue)
        if ProcessInfo.processInfo.environment["GATE_REWRITE"] == "1" {
            try file.write(played)
            return
        }
        let difference = script.difference(from: played)
        #expect(difference == nil, "\(file): \(difference ?? "")")
    }

    @Test("each script prints what it says when it is played with a daemon through gatectl", arguments: ScriptFile.all)
    func holdsForTheDaemon(file: ScriptFile) throws {
        let script = try file.script()
        var dialogue = try DaemonDialogue(world: script.world)
        defer { dialogue.end() }
        let played = try script.played(with: &dialogue)
        let difference = script.difference(from: played)
        #expect(difference == nil, "\(file): \(difference ?? "")")
    }

    @Test("each script is written back as it was read")
    func textIsKept() throws {
        for file in ScriptFile.all {
            let script = try file.script()
            #expect(try ScriptFile.parse(script.text) == script, "\(file)")
            #expect(script.text == (try String(contentsOf: file.url, encoding: .utf8)), "\(file)")
        }
    }

    @Test("after each script the replayed transitions equal the core's state")
    func recordsAreReplayed() throws {
        for file in ScriptFile.all {
            let script = try file.script()
            var dialogue = try CoreDialogue(world: script.world)
            _ = try script.played(with: &dialogue)
            #expect(dialogue.records == dialogue.recordsOfState, "\(file)")
        }
    }
}

/// One file of `Tests/Scripts`.
struct ScriptFile: CustomTestStringConvertible, CustomStringConvertible {
    let url: URL

    /// In the order of their names.
    static let all: [ScriptFile] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Scripts").resolvingSymlinksInPath()
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "txt" }.sorted { $0.path() < $1.path() }.map(ScriptFile.init)
    }()

    func script() throws -> Script {
        try Self.parse(String(contentsOf: url, encoding: .utf8))
    }

    /// With the forms and release notes that are installed as examples.
    static func parse(_ text: String) throws -> Script {
        let examples = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../examples/device").standardizedFileURL
        return try Script(parsing: text) { path in
            try? String(contentsOf: examples.appending(path: path), encoding: .utf8)
        }
    }

    func write(_ script: Script) throws {
        try Data(script.text.utf8).write(to: url)
    }

    var description: String { url.lastPathComponent }
    var testDescription: String { description }
}
