import Foundation
import GateModel
import GatePolicy
import Testing

@Suite("A configuration directory")
struct PolicyDirectoryTests {
    @Test("without a directory or any file in it, the built-in policy is used")
    func missing() throws {
        let directory = try ConfigurationDirectory()
        #expect(try directory.read() == .builtIn)
        #expect(try PolicyReader.read(directory: directory.path + "/nothing", trustedOwners: [0]) == .builtIn)
    }

    @Test("policy.yaml is read first, then policy.d and questions.d in order of names; other names are skipped")
    func order() throws {
        let directory = try ConfigurationDirectory([
            "questions.d/a.yaml": "", "policy.d/20-b.yaml": "browser: b\n", "policy.d/10-a.yaml": "mode: {lease: 5m}\n",
            "policy.yaml": "", "policy.d/.hidden.yaml": "nonsense", "policy.d/10-a.yaml~": "nonsense",
            "policy.d/README": "nonsense", "other.yaml": "nonsense",
        ])
        let policy = try directory.read()
        #expect(
            policy.files.map { $0.dropFirst(directory.path.count + 1) }
                == ["policy.yaml", "policy.d/10-a.yaml", "policy.d/20-b.yaml", "questions.d/a.yaml"])
        #expect(policy.browser == "b")
        #expect(policy.configuration.lease == .seconds(300))
    }

    @Test("a file that others can write to is refused", arguments: [0o664, 0o646], ["policy.yaml", "policy.d/a.yaml"])
    func writableFile(mode: Int, name: String) throws {
        let directory = try ConfigurationDirectory([name: ""])
        try directory.chmod(name, mode)
        #expect(
            directory.problems() == [
                "\(name): Others may write to it, and so could change the policy. Look at what is in it, then run: "
                    + "chmod go-w '\(directory.path)/\(name)'"
            ])
        try directory.chmod(name, 0o644)
        #expect(directory.problems() == [])
    }

    @Test("a directory that others can write to is refused", arguments: ["policy.d", "questions.d"])
    func writableDirectory(name: String) throws {
        let directory = try ConfigurationDirectory(["\(name)/a.yaml": ""])
        try directory.chmod(name, 0o775)
        #expect(directory.problems().map { $0.prefix(name.count + 25) } == ["\(name): Others may write to it,"])
        try directory.chmod(name, 0o755)
        try directory.chmod(".", 0o777)
        #expect(directory.problems().count == 1)
    }

    @Test("a directory or file that belongs to another user is refused")
    func owner() throws {
        let directory = try ConfigurationDirectory(["policy.yaml": ""])
        let error = #expect(throws: PolicyError.self) {
            try PolicyReader.read(directory: directory.path, trustedOwners: [geteuid() + 1])
        }
        #expect(
            error?.description
                == "\(directory.path): It belongs to uid \(geteuid()), who could change the policy; it must belong to uid "
                + "\(geteuid() + 1). Look at what is in it, then run: chown \(geteuid() + 1) '\(directory.path)'")
    }

    @Test("links and pipes are refused, and reading does not block on a pipe")
    func noOrdinaryFiles() throws {
        let directory = try ConfigurationDirectory(["elsewhere.yaml": "", "else/a.yaml": ""])
        try directory.link("policy.yaml", to: "elsewhere.yaml")
        #expect(
            directory.problems() == [
                "policy.yaml: This is a symbolic link, and Gate can't tell who may change its target. Put the file itself "
                    + "here."
            ])
        try directory.remove("policy.yaml")
        try directory.link("policy.d", to: "else")
        #expect(directory.problems() == ["policy.d: This is not a directory, or is only a link to one. Move it away."])
        try directory.remove("policy.d")
        #expect(mkfifo("\(directory.path)/policy.yaml", 0o600) == 0)
        #expect(directory.problems() == ["policy.yaml: This is not an ordinary file. Move it away."])
    }

    @Test("the configuration directory itself may be a link")
    func linkToDirectory() throws {
        let directory = try ConfigurationDirectory(["real/policy.yaml": "browser: b\n"])
        try directory.link("etc", to: "real")
        let policy = try PolicyReader.read(directory: "\(directory.path)/etc", trustedOwners: [geteuid()])
        #expect(policy.browser == "b")
    }

    @Test("a file with nearly the right ending is reported")
    func wrongEnding() throws {
        let directory = try ConfigurationDirectory(["policy.d/a.yml": ""])
        #expect(directory.problems() == ["policy.d/a.yml: Policy files end in .yaml; this one would not be read."])
    }

    @Test("a file that is not UTF-8, or too large, is reported")
    func unreadable() throws {
        let directory = try ConfigurationDirectory(["policy.d/b.yaml": String(repeating: "#", count: (1 << 20) + 1)])
        try Data("browser: a\n# ä\nbrowser: ".utf8 + [0xe4, 0x0a]).write(to: directory.url("policy.yaml"))
        #expect(
            directory.problems() == [
                "policy.yaml:3:10: This is not UTF-8. Save the file as UTF-8 text.",
                "policy.d/b.yaml: The file is larger than 1 MiB. Split it.",
            ])
    }

    @Test("a single file given by its path is read, no matter who can write to it")
    func files() throws {
        let directory = try ConfigurationDirectory(["draft.yaml": "browser: b\n"])
        try directory.chmod("draft.yaml", 0o666)
        #expect(try PolicyReader.read(files: ["\(directory.path)/draft.yaml"]).browser == "b")
        let error = #expect(throws: PolicyError.self) {
            try PolicyReader.read(files: ["/nowhere/policy.yaml", directory.path])
        }
        #expect(
            error?.description == """
                /nowhere/policy.yaml: It can't be opened: No such file or directory. Is this its path?
                \(directory.path): This is a directory. Name the files in it.
                """)
    }
}
