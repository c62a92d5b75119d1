import Foundation
import GateModel
import GatePolicy
import Glibc
import Testing

@testable import GateHousehold
@testable import gate_household

@Suite("A household's files (H-01)")
struct HouseholdDirectoryTests {
    private let root: URL
    private let directory: HouseholdDirectory

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "gate-files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        directory = HouseholdDirectory(path: root.path)
    }

    private func install(_ household: FoundedHousehold, replaces: Bool = false) throws {
        try directory.install(
            household.keeping.settings, household.founding.files + [HouseholdDirectory.file(ofJoinPort: 8884)],
            replaces: replaces)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
    }

    private func permissions(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: root.appending(path: path).path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test("files are read back: the settings as the policy reads them, and all that the first device needs")
    func readBack() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let household = try FoundedHousehold()
        try install(household)
        #expect(try directory.settings() == household.keeping.settings)
        let keeping = try directory.keeping()
        #expect(keeping.list == household.keeping.list)
        #expect(keeping.issued.map(\.device) == [household.keeping.settings.device])
        #expect(try directory.joinPort() == 8884)
        #expect(try names() == ["household", "household.yaml"])
        #expect(try permissions("household/household.key") == 0o600)
        #expect(try permissions("household/mosquitto/server.key") == 0o600)
        #expect(try permissions("household/device.key") & 0o137 == 0)
        #expect(try permissions("household.yaml") == 0o644)
    }

    @Test(
        "any one-line name is written to household.yaml so that it is read back",
        arguments: [
            "Mia's tablet", "\"quoted\"", "back\\slash", "# hash: {yes}", "null", "Küche 厨房", "- a", "yes", "%&*!|>@`",
            "a\"\u{327} b\\\u{327}",
        ])
    func yaml(name: String) throws {
        defer { try? FileManager.default.removeItem(at: root) }
        var settings = try FoundedHousehold().keeping.settings
        settings.name = name
        let policy = try PolicyReader.read([PolicySource(name: "household.yaml", text: settings.yaml)])
        #expect(policy.configuration.household == settings)
    }

    @Test(
        "taking up the same household keeps the administrator's settings for Home Assistant, policy and receipts"
    )
    func choices() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let (first, second) = (try FoundedHousehold(), try FoundedHousehold())
        for homeAssistant in [
            nil, .init(), .init(may: [.answer], isFound: false), .init(may: [.extend, .answer], tellsWords: true),
        ] as [HouseholdSettings.HomeAssistant?] {
            var former = first.keeping.settings
            (former.homeAssistant, former.takesPolicy, former.sharesReceipts) = (homeAssistant, false, false)
            var again = first.keeping.settings
            again.keepChoices(of: former)
            #expect(again == former)
            let policy = try PolicyReader.read([PolicySource(name: "household.yaml", text: again.yaml)])
            #expect(policy.configuration.household == former)
            var other = second.keeping.settings
            other.keepChoices(of: former)
            #expect(other == second.keeping.settings)
        }
    }

    @Test("a device with a household's files, even incomplete ones, refuses another unless told to replace it")
    func exists() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let (first, second) = (try FoundedHousehold(), try FoundedHousehold())
        try install(first)
        #expect(throws: FoundingError.exists) { try install(second) }
        #expect(try directory.settings() == first.keeping.settings)
        try FileManager.default.removeItem(at: root.appending(path: "household.yaml"))
        #expect(throws: FoundingError.exists) { try directory.checkHasNone() }
        #expect(throws: FoundingError.none) { try directory.settings() }
        try install(second, replaces: true)
        #expect(try directory.keeping().settings == second.keeping.settings)
        #expect(try names() == ["household", "household.yaml"])
    }

    @Test("leftovers of an interrupted change do not hinder the next one")
    func leftovers() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        for name in ["household.new", "household.old"] {
            let folder = root.appending(path: name + "/mosquitto")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("old".utf8).write(to: folder.appending(path: "server.key"))
        }
        try Data("half".utf8).write(to: root.appending(path: "household.yaml.new"))
        try install(try FoundedHousehold())
        #expect(try names() == ["household", "household.yaml"])
    }

    @Test("an interrupted change leaves no household, and the next one installs it completely")
    func atomic() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        // No file can be made where a folder is, so that the change fails at its last step.
        try FileManager.default.createDirectory(
            at: root.appending(path: "household.yaml.new/x"), withIntermediateDirectories: true)
        #expect(throws: FoundingError.self) { try install(try FoundedHousehold()) }
        #expect(throws: FoundingError.none) { try directory.settings() }
        try FileManager.default.removeItem(at: root.appending(path: "household.yaml.new"))
        let household = try FoundedHousehold()
        try install(household, replaces: true)
        #expect(try directory.keeping().settings == household.keeping.settings)
    }

    @Test("a household's key is not replaced by another household by mistake")
    func keeper() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try directory.checkMayBegin(replaces: true)
        try install(try FoundedHousehold())
        #expect(throws: FoundingError.exists) { try directory.checkMayBegin(replaces: false, isKeyAtHand: true) }
        #expect(throws: FoundingError.hasKey) { try directory.checkMayBegin(replaces: true) }
        try directory.checkMayBegin(replaces: true, isKeyAtHand: true)
        for file in ["household/household.key", "household.yaml"] {
            let content = try Data(contentsOf: root.appending(path: file))
            try FileManager.default.removeItem(at: root.appending(path: file))
            try directory.checkMayBegin(replaces: true)
            try content.write(to: root.appending(path: file))
        }
    }

    @Test("mistakes in household.yaml are reported, and no household is read")
    func policy() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try install(try FoundedHousehold())
        try Data("household: nothing\n".utf8).write(to: root.appending(path: "household.yaml"))
        #expect {
            try directory.settings()
        } throws: { error in
            guard case .policy(let problems) = error as? FoundingError else { return false }
            return problems.contains { $0.contains("household.yaml:1") }
                && FoundingText.status(.policy(problems: problems)) == 65
        }
    }

    @Test("a device that leaves keeps nothing; its policy stays")
    func leaves() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try Data("mode: {challenge: arithmetic-choice}\n".utf8).write(to: root.appending(path: "policy.yaml"))
        try install(try FoundedHousehold())
        try directory.remove()
        #expect(try names() == ["policy.yaml"])
        #expect(throws: FoundingError.none) { try directory.settings() }
        try directory.remove()
    }

    @Test("without the household's key a device can't keep it, and another household's files are refused")
    func foreign() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let (household, other) = (try FoundedHousehold(), try FoundedHousehold())
        try install(household)
        for (name, content, error) in [
            ("household.key", try other.file("household.key"), "household.key"),
            ("household.key", Array("GATE-RECOVERY-NONE".utf8), "household.key"),
            ("ca.pem", Array("none".utf8), "ca.pem"),
            ("ca.pem", try other.file("ca.pem"), "household.key"), ("list.jws", try other.file("list.jws"), "list.jws"),
            ("list.jws", [], "list.jws"), ("join-port", Array("0".utf8), "join-port"),
        ] {
            let file = root.appending(path: "household/\(name)")
            let good = try Data(contentsOf: file)
            try Data(content).write(to: file)
            let path = "\(root.path)/household/\(error)"
            let isListed = error == "list.jws" || name == "household.key" && content != Array("GATE-RECOVERY-NONE".utf8)
            #expect(throws: FoundingError.self, "\(name)") {
                _ = try directory.keeping()
                _ = try directory.joinPort()
            }
            if !isListed {
                #expect(throws: FoundingError.badFile(path: path), "\(name)") {
                    _ = try directory.keeping()
                    _ = try directory.joinPort()
                }
            }
            try good.write(to: file)
        }
        _ = try directory.keeping()
        try FileManager.default.removeItem(at: root.appending(path: "household/household.key"))
        #expect(throws: FoundingError.noKey) { try directory.keeping() }
    }

    @Test("only one change of the household runs at a time, and a mere reader of the folder can't block it")
    func lock() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        // Any user can open the folder and lock it.
        let stranger = open(root.path, O_RDONLY | O_DIRECTORY)
        defer { close(stranger) }
        #expect(flock(stranger, LOCK_EX | LOCK_NB) == 0)
        var count = 0
        try directory.alone(patience: .zero) { () throws(FoundingError) in
            count += 1
            #expect(throws: FoundingError.busy) {
                try directory.alone(patience: .milliseconds(100)) { () throws(FoundingError) in count += 10 }
            }
        }
        try directory.alone(patience: .zero) { () throws(FoundingError) in count += 1 }
        #expect(count == 2)
        #expect(try permissions("household.lock") == 0o600)
        #expect(FoundingText.status(.busy) == 75)
    }

    @Test("a lock that is a link to somewhere else is not opened")
    func lockIsLink() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let target = root.appending(path: "target")
        try FileManager.default.createSymbolicLink(
            at: root.appending(path: "household.lock"), withDestinationURL: target)
        #expect(throws: FoundingError.self) { try directory.alone { () throws(FoundingError) in } }
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test("a new folder belongs to its owner alone, and existing files and links are neither followed nor replaced")
    func newFolder() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let files = [HouseholdFile("ca.pem", [1], for: .service), HouseholdFile("key", [2, 3], for: .nobody)]
        try FileSystem.makeFolder(root.path + "/new", files)
        #expect(try permissions("new") == 0o700 && permissions("new/key") == 0o600)
        #expect(try FileSystem.read(root.path + "/new/key") == [2, 3])
        let elsewhere = root.appending(path: "elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: root.appending(path: "link"), withDestinationURL: elsewhere)
        for name in ["new", "link", "elsewhere"] {
            #expect(throws: FoundingError.self) { try FileSystem.makeFolder(root.path + "/\(name)", files) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).isEmpty)
    }

    @Test("a link in the place of a file or a folder is not followed when they are removed")
    func links() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let kept = root.appending(path: "kept")
        try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: kept.appending(path: "file"))
        try FileManager.default.createSymbolicLink(at: root.appending(path: "household.new"), withDestinationURL: kept)
        try install(try FoundedHousehold())
        #expect(FileManager.default.fileExists(atPath: kept.appending(path: "file").path))
    }
}
