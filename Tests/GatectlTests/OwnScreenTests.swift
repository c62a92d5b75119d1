import ArgumentParser
import Foundation
import GateModel
import GatePolicy
import Testing

@testable import gatectl

@Suite("Turning Gate's own screen on and off (S-15)")
struct OwnScreenTests {
    private let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appending(path: "gate-screen-\(UUID().uuidString)").path

    private func withFolder(_ policy: String, _ body: (ScreenPolicyFile) throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/policy.d", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(policy.utf8).write(to: URL(filePath: "\(folder)/policy.yaml"))
        for (path, mode) in [(folder, 0o755), ("\(folder)/policy.d", 0o755), ("\(folder)/policy.yaml", 0o644)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        let options = try PolicyOptions.parse(["--config-directory", folder])
        try body(ScreenPolicyFile(options: options, serverUser: "0"))
    }

    private func holders(_ file: ScreenPolicyFile) throws -> Principals {
        try file.options.policy(serverUser: "0").roles.grownUpPresenters
    }

    @Test("gate-screen is added once to the presenters that the policy names, and removing its file undoes that")
    func named() throws {
        for (policy, users, groups) in [
            ("mode: {lease: 5m}\n", ["gate-screen"], []),
            ("roles: {grown-up-presenter: {users: [anna]}}\n", ["anna"], ["gate-screen"]),
            ("roles: {grown-up-presenter: {groups: [family]}}\n", ["gate-screen"], ["family"]),
        ] {
            try withFolder(policy) { file in
                let isWritten = try file.write()
                #expect(isWritten)
                let named = try holders(file)
                #expect(named == Principals(users: users, groups: groups))
                let isWrittenAgain = try file.write()
                #expect(!isWrittenAgain, "it is named")
                let (isRemoved, isRemovedAgain) = (try file.remove(), try file.remove())
                #expect(isRemoved && !isRemovedAgain)
                let left = try holders(file)
                #expect(!ScreenPolicyFile.names(left))
            }
        }
    }

    @Test(
        "a policy that names gate-screen gets no file, and one with mistakes or without room gets a reason instead"
    )
    func leftAlone() throws {
        try withFolder("roles: {grown-up-presenter: {users: [gate-screen]}}\n") { file in
            let isWritten = try file.write()
            #expect(!isWritten)
        }
        for (policy, words) in [
            ("roles: {grown-up-presenter: {users: [anna], groups: [family]}}\n", "Add the user gate-screen"),
            ("mode: {lease: seven}\n", "has mistakes"),
        ] {
            try withFolder(policy) { file in
                do throws(GateError) {
                    _ = try file.write()
                    Issue.record("it was written")
                } catch {
                    #expect(error.message.contains(words))
                }
                #expect(!FileManager.default.fileExists(atPath: file.path))
            }
        }
    }

    @Test("a unit that systemd skipped is reported as skipped, and one that died as failed")
    func start() throws {
        #expect(OwnScreenStart(isActive: true, conditions: "ConditionResult=yes\n") == .started)
        #expect(OwnScreenStart(isActive: false, conditions: "ConditionResult=no\n") == .skipped)
        #expect(OwnScreenStart(isActive: false, conditions: "ConditionResult=yes\n") == .failed)
        #expect(OwnScreenStart(isActive: false, conditions: nil) == .failed)
        #expect(try OwnScreenStart.started.sentence.hasSuffix("starts with the device."))
        #expect(try OwnScreenStart.skipped.sentence.contains("systemd has not started it"))
        #expect(throws: GateError.self) { try OwnScreenStart.failed.sentence }
    }

    @Test("the word file can be read only by its screen, and replaces the one before")
    func word() throws {
        let file = ScreenWordFile(path: "\(folder)/word")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for text in ["blauer Igel", "ёж"] {
            try file.write(try ScreenWord(text), for: getgid())
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "\(text)\n")
        }
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(file.path) == 0o640 && mode(folder) == 0o750)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["word"])
        try file.remove()
        try file.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test("a link in place of the word file is replaced and not followed")
    func link() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("precious".utf8).write(to: URL(filePath: "\(folder)/precious"))
        for name in ["word", "word.new"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(name)", withDestinationPath: "\(folder)/precious")
        }
        try ScreenWordFile(path: "\(folder)/word").write(try ScreenWord("Igel"), for: getgid())
        #expect(try String(contentsOfFile: "\(folder)/precious", encoding: .utf8) == "precious")
        #expect(try String(contentsOfFile: "\(folder)/word", encoding: .utf8) == "Igel\n")
    }
}
