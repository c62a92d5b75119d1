import Foundation
import Glibc
import ProcessSupport
import Testing

/// A program of the system's, wherever it is.
private func program(_ names: String...) -> String? {
    let folders =
        ["/usr/bin"] + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return names.flatMap { name in folders.map { $0 + "/" + name } }.first { access($0, X_OK) == 0 }
}

private let compiler = program("cc", "gcc", "clang")
private let python = program("python3")

@Suite("Readers of the status page (G-06)", .serialized, .waitsForProcesses)
struct StatusPageReaderTests {
    private static let policy = RunningGate.policy + "entitlements: {premium: {title: Premium}}\n"

    @Test("the page agrees with the daemon's answers, and is read without the daemon")
    func agrees() throws {
        let gate = try RunningGate(policy: Self.policy)
        #expect(try gate.gatectl("status", "--page").output == gate.gatectl("status").output)
        #expect(try gate.gatectl("override", "parent", "--for", "1h", "--reason", "a test").status == 0)
        #expect(try page(gate).state == mode(gate).state)
        #expect(try page(gate).revision == mode(gate).revision)
        #expect(try page(gate).isLive)

        // While the daemon is stopped it can't answer any call.
        gate.daemon.signal(SIGSTOP)
        let stopped = try gate.gatectl("status", "--page")
        gate.daemon.signal(SIGCONT)
        #expect(stopped.status == 0 && stopped.output.contains("  parent  "), "\(stopped.output)\(stopped.errors)")

        #expect(try gate.gatectl("lock").status == 0)
        #expect(try gate.gatectl("status", "--page").output == gate.gatectl("status").output)
    }

    @Test("whether a subscription is active is on the page, and until when")
    func subscription() throws {
        let gate = try RunningGate(policy: Self.policy)
        #expect(try !page(gate).entitlements.state.isSubscriptionActive)
        #expect(try !gate.gatectl("status", "--page").output.contains("subscription"))
        #expect(try gate.gatectl("entitlements", "add", "premium", "--device").status == 0)
        #expect(try page(gate).entitlements.state.isSubscriptionActive)
        #expect(try page(gate).entitlements.deadlineBoottimeNanoseconds == "0")
        #expect(try gate.gatectl("status", "--page").output.hasSuffix("\na subscription is active\n"))
    }

    @Test("without a living daemon `status --page` prints child with the reason, and exits with 69")
    func nobodyThere() throws {
        let gate = try RunningGate(policy: Self.policy)
        #expect(try gate.gatectl("override", "parent", "--reason", "a test").status == 0)
        try gate.crash()
        try expectNobody(gate, "its daemon has died")
        try gate.start()
        let back = try gate.gatectl("status", "--page")
        #expect(back.status == 0 && back.output.contains("child"))

        let file = gate.directory + "/status"
        #expect(chmod(file, 0o666) == 0)
        try expectNobody(gate, "others may write to it")
        #expect(chmod(file, 0o644) == 0)
        #expect(try gate.gatectl("status", "--page").status == 0)
        let handle = try #require(FileHandle(forUpdatingAtPath: file))
        // The number of the layout's version.
        try handle.seek(toOffset: 8)
        try handle.write(contentsOf: Data([0xff]))
        try expectNobody(gate, "another version of Gate")
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data([0xff]))
        try expectNobody(gate, "is not a status page")
        try handle.close()

        #expect(try gate.stop() == 0)
        try? FileManager.default.removeItem(atPath: file)
        try expectNobody(gate, "There is no status page \(file)")
    }

    private func expectNobody(_ gate: RunningGate, _ why: String) throws {
        let result = try gate.gatectl("status", "--page")
        #expect(result.status == 69 && result.output == "rev 0  child\n" && result.errors.contains(why), "\(result)")
        let json = try gate.gatectl("status", "--page", "--json")
        let lines = json.output.split(separator: "\n")
        #expect(json.status == 69 && lines.count == 2, "\(json)")
        let status = try JSONDecoder().decode(PageLine.self, from: Data((lines.first ?? "").utf8))
        #expect(!status.isLive && status.state.mode == "MODE_CHILD" && !status.entitlements.state.isSubscriptionActive)
        #expect(lines.last?.contains("UNAVAILABLE") ?? false && lines.last?.contains(why) ?? false, "\(json)")
    }

    // MARK: The examples

    @Test("the example in C hears of every change", .enabled(if: compiler != nil, "there is no C compiler here"))
    func exampleInC() throws {
        let gate = try RunningGate()
        let built = gate.directory + "/mode"
        let compiling = try ChildProcess(
            try #require(compiler),
            [
                "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-I",
                repositoryFile("Sources/daemon/CGateStatus/include"),
                repositoryFile("examples/status-page/mode.c"), "-o", built,
            ], environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"], hasInput: false)
        let result = try compiling.ended()
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        try follow(gate, [built], [gate.directory + "/status"])
    }

    @Test("the example in Python hears of every change", .enabled(if: python != nil, "there is no python3 here"))
    func exampleInPython() throws {
        let gate = try RunningGate()
        let words = [try #require(python), repositoryFile("examples/status-page/mode.py")]
        try follow(gate, words, [gate.directory + "/status"])
        // A copy in place of the daemon's page is believed; each spoiled copy is not.
        let spoiled = [
            ("mv copy status", "parent\n0"), ("mv copy status && chmod 664 status", "child\n69"),
            ("mv copy status && truncate -s 2048 status", "child\n69"), ("ln -s copy status", "child\n69"),
            ("mkfifo status", "child\n69"),
        ]
        for (spoil, expected) in spoiled {
            let gate = try RunningGate()
            #expect(try gate.gatectl("override", "parent", "--reason", "a test").status == 0)
            let script = "cd '\(gate.directory)' && cp status copy && rm status && \(spoil)"
            #expect(try ChildProcess("/bin/sh", ["-c", script], hasInput: false).ended().status == 0)
            #expect(try once(words, [gate.directory + "/status"]) == expected, "\(spoil)")
        }
    }

    @Test("the example for shells hears of every change")
    func exampleForShells() throws {
        let gate = try RunningGate()
        try follow(
            gate, ["/bin/sh", repositoryFile("examples/status-page/mode.sh")],
            ["--socket", gate.socket, "--server-user", NSUserName()])
    }

    /// The reader follows parent mode and back, and the daemon's death and return; after these `--once` is tried as
    /// well.
    private func follow(_ gate: RunningGate, _ words: [String], _ arguments: [String]) throws {
        func overrideToParent() throws {
            #expect(try gate.gatectl("override", "parent", "--reason", "a test").status == 0)
        }
        let reader = try start(words + arguments)
        #expect(try reader.nextLine() == "child")
        try overrideToParent()
        #expect(try reader.nextLine() == "parent")
        #expect(try gate.gatectl("lock").status == 0)
        #expect(try reader.nextLine() == "child")
        try overrideToParent()
        #expect(try reader.nextLine() == "parent")
        try gate.crash()
        #expect(try reader.nextLine() == "child")
        #expect(try once(words, arguments) == "child\n69")
        try gate.start()
        try overrideToParent()
        #expect(try reader.nextLine() == "parent")
        #expect(try once(words, arguments) == "parent\n0")
        // A lease that has ended counts as ended, whether or not the daemon has written it.
        #expect(try gate.gatectl("override", "parent", "--for", "1s", "--reason", "a test").status == 0)
        gate.daemon.signal(SIGSTOP)
        #expect(try reader.nextLine() == "child")
        gate.daemon.signal(SIGCONT)
        reader.kill()
    }

    private func start(_ words: [String]) throws -> ChildProcess {
        let folder = (builtProgram("gatectl") as NSString).deletingLastPathComponent
        return try ChildProcess(
            words[0], Array(words.dropFirst()), environment: ["PATH": folder + ":/usr/bin:/bin"], hasInput: false)
    }

    /// The output and the status with `--once`.
    private func once(_ words: [String], _ arguments: [String]) throws -> String {
        let result = try start(words + ["--once"] + arguments).ended()
        return result.output + "\(result.status)"
    }

    // MARK: JSON

    private struct PageLine: Decodable {
        struct Revision: Decodable, Equatable { var epoch, number: String }
        struct State: Decodable, Equatable { var mode, deadlineBoottimeNanoseconds: String }
        struct Entitlements: Decodable {
            struct State: Decodable { var isSubscriptionActive: Bool }
            var state: State
            var deadlineBoottimeNanoseconds: String
        }

        var revision: Revision
        var state: State
        var entitlements: Entitlements
        var isLive: Bool
    }

    private struct ModeLine: Decodable {
        var revision: PageLine.Revision
        var state: PageLine.State
    }

    private func page(_ gate: RunningGate) throws -> PageLine {
        let result = try gate.gatectl("status", "--page", "--json")
        #expect(result.status == 0, "\(result.output)")
        return try JSONDecoder().decode(PageLine.self, from: Data(result.output.utf8))
    }

    private func mode(_ gate: RunningGate) throws -> ModeLine {
        try JSONDecoder().decode(ModeLine.self, from: Data(gate.gatectl("status", "--json").output.utf8))
    }
}
