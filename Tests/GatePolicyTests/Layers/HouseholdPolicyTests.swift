import GateModel
import Glibc
import Testing

@testable import GatePolicy

@Suite("The household's policy, read together with a device's own (H-06)")
struct HouseholdPolicyTests {
    private static let household = HouseholdID(String(repeating: "1", count: 32))!

    private func policy(_ files: [String: String]) -> HouseholdPolicy {
        HouseholdPolicy(
            household: Self.household, number: 7, issued: WallTime(unixMilliseconds: 1),
            files: files.map { HouseholdPolicy.File(path: $0.key, text: $0.value) })
    }

    private func problems(_ files: [String: String], own: String = "") -> [String] {
        do throws(PolicyError) {
            _ = try PolicyReader.read(
                [PolicySource(name: "/etc/gate/policy.yaml", text: own)], household: policy(files))
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test(
        "the household's files are read after the device's own, each by its folder, and named with the policy's number")
    func together() throws {
        let both = try PolicyReader.read(
            [PolicySource(name: "/etc/gate/policy.yaml", text: "browser: firefox\n")],
            household: policy([
                "questions.d/a.yaml": "", "policy.d/b.yaml": "mode: {lease: 5m}\n", "policy.d/a.yaml": "",
            ]))
        #expect(both.configuration.lease == .seconds(300) && both.browser == "firefox")
        #expect(both.configuration.householdPolicy == 7)
        #expect(
            both.files == [
                "/etc/gate/policy.yaml", "household policy 7: policy.d/a.yaml", "household policy 7: policy.d/b.yaml",
                "household policy 7: questions.d/a.yaml",
            ])
        #expect(try PolicyReader.read([], household: nil).configuration.householdPolicy == nil)
    }

    @Test("a mistake has its place, also one that only the household's and the device's files together make (U-07)")
    func mistakes() {
        let lines = problems(["policy.d/bedtime.yaml": "mode:\n  lease: soon\n"])
        #expect(lines.count == 1 && lines[0].hasPrefix("household policy 7: policy.d/bedtime.yaml:2:10: "), "\(lines)")
        let twice = problems(["policy.d/a.yaml": "mode: {lease: 5m}\n", "policy.d/b.yaml": "mode: {lease: 6m}\n"])
        #expect(
            twice == [
                "household policy 7: policy.d/b.yaml:1:15: 'mode.lease' is there already: household policy 7: policy.d/a.yaml:1. Keep one of them."
            ], "\(twice)")
        // What the device says itself counts more than what the household says.
        #expect(problems(["policy.d/a.yaml": "mode: {lease: 5m}\n"], own: "mode: {lease: 6m}\n") == [])
        let together = problems(["policy.d/a.yaml": "mode: {lease: 5m}\n"], own: "mode: {maximum-lease: 4m}\n")
        #expect(
            together.count == 1 && together[0].hasPrefix("household policy 7: policy.d/a.yaml:1:15: "), "\(together)")
    }

    @Test(
        "the household's policy may not set roles, programs, providers or the household of a device",
        arguments: [
            "roles: {administrator: {users: [mia]}}", "browser: /tmp/evil", "storekit: {}", "revenuecat: {}",
            "household: 1", "device: 1", "broker: {}", "home-assistant: {may: [extend]}",
        ])
    func refused(text: String) {
        let lines = problems(["policy.d/a.yaml": "\(text)\n", "questions.d/b.yaml": "\(text)\n"])
        #expect(lines.count == 2, "\(lines)")
        #expect(lines.allSatisfy { $0.contains("belongs in each device's own ") }, "\(lines)")
    }

    @Test(
        "a path in the household's policy that no device would read is refused",
        arguments: [
            "../policy.yaml", "policy.d/../../passwd.yaml", "/etc/gate/policy.d/a.yaml", "policy.d//a.yaml",
            "policy.d/",
            "policy.d", "policy.yaml", "providers.yaml", "household.yaml", "policy.d/providers.yaml",
            "questions.d/household.yaml", "policy.d/a.yml", "policy.d/a.json", "policy.d/.a.yaml",
            "policy.d/a\u{0}.yaml",
            "policy.d/a\n.yaml", "policy.d/a\u{202E}.yaml", "policy.d/sub/a.yaml", "roots/ca.pem",
            "release-notes.d/a.json", "household/device.key", "policy.d/a.yaml/", "./policy.d/a.yaml",
        ])
    func paths(path: String) {
        let lines = problems([path: ""])
        #expect(lines.count == 1 && lines[0].hasPrefix("household policy 7: "), "\(lines)")
        #expect(lines.allSatisfy { !$0.contains("\u{0}") && !$0.contains("\n") && !$0.contains("\u{202E}") })
    }

    @Test("a household's policy with more than 100 policy files is refused")
    func counts() {
        let files = Dictionary(uniqueKeysWithValues: (0..<101).map { ("policy.d/\($0).yaml", "") })
        #expect(problems(files).contains { $0.contains("There are more than 100 policy files") })
    }

    // MARK: - A directory

    private func files(_ directory: ConfigurationDirectory) -> (paths: [String], problems: [String]) {
        do throws(PolicyError) {
            return (
                try PolicyReader.householdFiles(directory: directory.path, trustedOwners: [geteuid()]).map(\.path), []
            )
        } catch {
            return ([], error.problems.map { String($0.description.dropFirst(directory.path.count + 1)) })
        }
    }

    @Test("the files of a directory become the household's policy, and a file that devices would not read is a mistake")
    func directory() throws {
        let directory = try ConfigurationDirectory([
            "policy.d/b.yaml": "", "policy.d/a.yaml": "", "questionnaires.d/f.json": "{}",
            "release-notes.d/photos.yaml": "",
        ])
        #expect(
            files(directory).paths == [
                "policy.d/a.yaml", "policy.d/b.yaml", "questionnaires.d/f.json", "release-notes.d/photos.yaml",
            ])
        for name in [
            "policy.yaml", "providers.yaml", "household.yaml", "README", ".git", "policy.d/a.yml", "policy.d/.a.yaml",
            "policy.d/a.yaml~", "policy.d/providers.yaml", "questionnaires.d/a.txt", "more.d/a.yaml",
        ] {
            try directory.write(name, [])
            let found = files(directory).problems
            #expect(found.count == 1, "\(name): \(found)")
            try directory.remove(name.hasPrefix("more.d") ? "more.d" : name)
        }
        try directory.write("policy.d/c.yaml", [0xff])
        #expect(files(directory).problems.count == 1)
        try directory.remove("policy.d/c.yaml")
        try directory.chmod("policy.d/a.yaml", 0o666)
        #expect(files(directory).problems.first?.hasPrefix("policy.d/a.yaml: Others may write to it") ?? false)
        try directory.chmod("policy.d/a.yaml", 0o644)
        try directory.link("policy.d/d.yaml", to: "a.yaml")
        #expect(files(directory).problems.count == 1)
        #expect(throws: PolicyError.self) {
            try PolicyReader.householdFiles(directory: directory.path + "/nothing", trustedOwners: [geteuid()])
        }
    }
}
