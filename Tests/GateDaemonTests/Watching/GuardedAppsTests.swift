import Foundation
import GateModel
import GatePolicy
import GateProtocol
import Logging
import Testing

@testable import GateDaemon

@Suite("The list of guarded apps in the runtime directory (X-01)", .timeLimit(.minutes(10)))
struct GuardedAppsTests {
    private static let policy = """
        gated-actions:
          link.open: {requires: {challenge: passcode}}
          app.supertux2: {title: SuperTux, requires: {challenge: passcode}}
          app.org.gnome.chess: {title: Chess, requires: {mode: parent}}

        """

    /// A runtime directory of its own.
    private final class Folder {
        let path = "/tmp/gate-\(UUID().uuidString.prefix(8))"

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var list: String? { try? String(contentsOfFile: path + "/apps", encoding: .utf8) }

        func status() throws -> stat {
            var found = stat()
            try #require(stat(path + "/apps", &found) == 0)
            return found
        }
    }

    private func read(_ text: String, shipped: String = "") throws -> Policy {
        try PolicyReader.read(
            [PolicySource(name: "policy.yaml", text: text)], household: nil,
            shipped: [PolicySource(name: "shipped.yaml", text: shipped)])
    }

    private func show(_ policy: Policy, in folder: Folder, log: LogLines = LogLines()) {
        GuardedAppsFile(in: folder.path).show(policy, logger: Logger(label: "test") { _ in log })
    }

    @Test("the list has the names of the apps alone, sorted, and everybody may read it")
    func written() throws {
        let folder = try Folder()
        show(.builtIn, in: folder)
        #expect(folder.list == "")
        try Data("left over".utf8).write(to: URL(filePath: folder.path + "/apps.new"))
        show(try read(Self.policy), in: folder)
        #expect(folder.list == "org.gnome.chess\nsupertux2\n")
        #expect(try folder.status().st_mode & 0o7777 == 0o644)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["apps"])
    }

    @Test("the list is another file if it changes, and stays the same one otherwise")
    func replaced() throws {
        let folder = try Folder()
        show(try read(Self.policy), in: folder)
        let open = try #require(FileHandle(forReadingAtPath: folder.path + "/apps"))
        let first = try folder.status().st_ino
        show(try read(Self.policy.replacing("passcode", with: "totp")), in: folder)
        #expect(try folder.status().st_ino == first)
        for text in ["", "supertux2\n", "org.gnome.chess\nsupertux2\nsupertuxkart\n"] {
            try Data(text.utf8).write(to: URL(filePath: folder.path + "/apps"), options: .atomic)
            show(try read(Self.policy), in: folder)
            #expect(folder.list == "org.gnome.chess\nsupertux2\n")
        }
        // Somebody who has opened the list reads it to its end as it was.
        show(.builtIn, in: folder)
        #expect(try open.readToEnd() == Data("org.gnome.chess\nsupertux2\n".utf8))
        #expect(folder.list == "")
    }

    @Test("an app that only a file with mistakes names stays guarded")
    func broken() throws {
        let shipped = "mode: {lease: soon}\ngated-actions: {app.tetris: {requires: {challenge: passcode}}}\n"
        let policy = try read(Self.policy, shipped: shipped)
        #expect(policy.configuration.gatedActions["app.tetris"] == nil)
        #expect(policy.guardedApps == ["org.gnome.chess", "supertux2", "tetris"])
    }

    @Test(
        "no app is released while a shipped file can't be read far enough to know which apps it names",
        arguments: [
            "gated-actions: {app.supertux2: {requires: {mode: parent}\n", "gated-actions: [app.supertux2]\n",
            "gated-action: {app.supertux2: {requires: {mode: parent}}}\n", "- app.supertux2\n",
        ])
    func unread(shipped: String) async throws {
        let log = LogLines()
        try await LiveGate.with(policy: "mode: {challenge: passcode}\n", shipped: Self.policy, log: log) { gate, _ in
            let (folder, root) = (try Folder(), try await gate.connect("root"))
            await gate.authority.openPage(in: folder.path)
            func read(_ text: String) async throws {
                gate.shippedText.value = text
                _ = try await root.call(Methods.Control.reload, ReloadRequest())
            }
            try await read(shipped)
            #expect(folder.list == "org.gnome.chess\nsupertux2\n")
            #expect(log.text.contains("error the list of guarded apps stays as it is"))
            try await read("gated-actions: {app.supertux2: {requires: {mode: parent}}}\n")
            #expect(folder.list == "supertux2\n")
        }
    }

    @Test("a shipped file with mistakes releases the apps that it names no more, if all of its names are known")
    func known() async throws {
        try await LiveGate.with(policy: "mode: {challenge: passcode}\n", shipped: Self.policy) { gate, _ in
            let (folder, root) = (try Folder(), try await gate.connect("root"))
            await gate.authority.openPage(in: folder.path)
            gate.shippedText.value = "mode: {lease: soon}\ngated-actions: {app.supertux2: {requires: soon}}\n"
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            #expect(folder.list == "supertux2\n")
        }
    }

    @Test("what shipped files name that can't be opened, or that come after the hundredth, is unknown")
    func unopened() throws {
        let folder = try Folder()
        func read() throws -> [BrokenPolicyFile] {
            try PolicyReader.read(
                directory: folder.path + "/own", shipped: folder.path, trustedOwners: [geteuid()]
            ).broken
        }
        for number in 100...200 {
            let text = "gated-actions: {app.m\(number): {requires: {mode: parent}}}\n"
            try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/m\(number).yaml"))
            #expect(chmod("\(folder.path)/m\(number).yaml", 0o644) == 0)
        }
        #expect(try read().map(\.mayNameMore) == [true])
        try FileManager.default.removeItem(atPath: folder.path + "/m100.yaml")
        #expect(try read().isEmpty)
        #expect(chmod(folder.path + "/m150.yaml", 0o666) == 0)
        #expect(try read().map(\.mayNameMore) == [true])
    }

    @Test("a list that can't be written is logged, and the earlier one stays")
    func cannotBeWritten() throws {
        let (folder, log) = (try Folder(), LogLines())
        try FileManager.default.createDirectory(
            atPath: folder.path + "/apps/full", withIntermediateDirectories: true)
        show(try read(Self.policy), in: folder, log: log)
        #expect(log.text.contains("error the list of guarded apps") && log.text.contains("rename \(folder.path)/apps"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["apps"])
    }

    @Test("the list follows the policy in force: the start, a choice, a reload, and a choice that is taken back")
    func follows() async throws {
        try await LiveGate.with(policy: "mode: {challenge: passcode}\n", shipped: Self.policy) { gate, store in
            let (folder, root) = (try Folder(), try await gate.connect("root"))
            await gate.authority.openPage(in: folder.path)
            #expect(folder.list == "org.gnome.chess\nsupertux2\n")
            func set(_ name: String, _ requires: String?) async throws {
                _ = try await root.call(
                    Methods.Control.setGate, SetGateRequest(gatedAction: name, requires: requires))
            }
            try await set("app.foo", "passcode")
            #expect(folder.list == "foo\norg.gnome.chess\nsupertux2\n")
            gate.shippedText.value = "gated-actions: {app.bar: {requires: {mode: parent}}}\n"
            #expect(folder.list == "foo\norg.gnome.chess\nsupertux2\n")
            _ = try await root.call(Methods.Control.reload, ReloadRequest())
            #expect(folder.list == "bar\nfoo\n")
            store.setFull(true)
            await #expect(throws: GateError.self) { try await set("app.foo", nil) }
            #expect(folder.list == "bar\nfoo\n")
            store.setFull(false)
            try await set("app.foo", nil)
            #expect(folder.list == "bar\n")
        }
    }

    @Test("the list of another daemon, whose page is in the directory, is left alone")
    func ofAnotherDaemon() async throws {
        let folder = try Folder()
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            await gate.authority.openPage(in: folder.path)
            try await LiveGate.with { other, _ in
                await other.authority.openPage(in: folder.path)
                #expect(folder.list == "org.gnome.chess\nsupertux2\n")
            }
        }
    }
}
