import Foundation
import GateModel
import GateProtocol
import Glibc
import ProcessSupport
import Synchronization
import Testing

@testable import GateDaemon

/// The processes of a device in a test's hands.
final class SettableProcesses: ProcessDirectory, Sendable {
    private let running: Mutex<[Subject: String]>
    let seesOthers: Bool

    init(_ running: [Subject: String], seesOthers: Bool = true) {
        self.running = Mutex(running)
        self.seesOthers = seesOthers
    }

    func program(of subject: Subject) -> String? { running.withLock { $0[subject] } }

    func end(_ subject: Subject) { running.withLock { $0[subject] = nil } }
}

@Suite("Brokers over the wire (B-06)", .timeLimit(.minutes(10)))
struct BrokerTests {
    private static let policy = LiveGate.policy.replacing("roles:\n", with: "roles:\n  broker: {users: [shop]}\n")
    private let bens = Subject(uid: 1002, pid: 4242, startTime: 77)

    private func withGate(
        _ body: (_ broker: Connected, _ gate: LiveGate, _ processes: SettableProcesses) async throws -> Void
    ) async throws {
        let processes = SettableProcesses([bens: "super\u{202E}tux"])
        try await LiveGate.with(policy: Self.policy, processes: processes) { gate, _ in
            try await body(try await gate.connect("shop"), gate, processes)
        }
    }

    private func check(_ subject: Subject) -> CheckRequest {
        CheckRequest(gatedAction: "photos.send", subject: subject)
    }

    private func authorize(_ subject: Subject) -> AuthorizeRequest {
        AuthorizeRequest(
            request: AuthorizationRequest(gatedAction: "photos.send", subject: subject), presenting: .here)
    }

    @Test("who is no broker asks for itself alone; an administrator is one")
    func role() async throws {
        try await withGate { broker, gate, _ in
            for name in ["anna", "ben", "screen", "mother"] {
                let person = try await gate.connect(name)
                for refusal in [
                    await person.refusal(of: Methods.Authorization.check, check(bens)),
                    await person.refusal(of: Methods.Authorization.authorize, authorize(bens)),
                ] {
                    #expect(refusal?.code == .permissionDenied && refusal?.parameters == ["what": "broker"])
                }
            }
            for person in [broker, try await gate.connect("root")] {
                let outlook = try await person.call(Methods.Authorization.check, check(bens)).outlook
                #expect(outlook.outcome == .personNeeded)
            }
        }
    }

    @Test("a process that is not there, not that user's, or started at another time, gets nothing")
    func others() async throws {
        try await withGate { broker, _, _ in
            for subject in [
                Subject(uid: 1002, pid: 4243, startTime: 77), Subject(uid: 1001, pid: 4242, startTime: 77),
                Subject(uid: 1002, pid: 4242, startTime: 78), Subject(uid: 0, pid: 0, startTime: 0),
                Subject(uid: .max, pid: -1, startTime: .max),
            ] {
                for refusal in [
                    await broker.refusal(of: Methods.Authorization.check, check(subject)),
                    await broker.refusal(of: Methods.Authorization.authorize, authorize(subject)),
                ] {
                    #expect(refusal?.code == .notFound && refusal?.parameters["what"] == "process")
                }
            }
        }
    }

    @Test("where gated does not see other users' processes, a broker is refused and told so")
    func hidden() async throws {
        let processes = SettableProcesses([:], seesOthers: false)
        try await LiveGate.with(policy: Self.policy, processes: processes) { gate, _ in
            let broker = try await gate.connect("shop")
            for refusal in [
                await broker.refusal(of: Methods.Authorization.check, check(bens)),
                await broker.refusal(of: Methods.Authorization.authorize, authorize(bens)),
            ] {
                #expect(refusal?.code == .failedPrecondition && refusal?.reason == .notSetUp)
                #expect(refusal?.parameters == ["what": "processes"])
            }
        }
    }

    @Test("its name for itself is shown as any program's, without what hides or turns text")
    func name() async throws {
        try await withGate { broker, _, _ in
            let opened = try await broker.call(
                Methods.Authorization.authorize, authorize(bens), program: "pow\u{1B}erd")
            let shown = try #require(opened.presentation)
            #expect(shown.summary.asked.uid == 1002 && shown.summary.asked.program == "supertux")
            #expect(shown.summary.asked.broker == Broker(uid: 1005, program: "powerd"))
        }
    }

    @Test("a grant for a process that has ended meanwhile is none, and its number is worth nothing to the next")
    func ended() async throws {
        try await withGate { broker, _, processes in
            let opened = try await broker.call(Methods.Authorization.authorize, authorize(bens))
            let shown = try #require(opened.presentation)
            guard case .grant(let grant) = try await broker.complete(shown, shown.rightAnswer).result else {
                Issue.record("a right answer, and no grant")
                return
            }
            let redeem = RedeemRequest(proof: grant.proof, gatedAction: "photos.send", details: "")
            processes.end(bens)
            #expect(await broker.refusal(of: Methods.Authorization.redeem, redeem)?.reason == .noGrant)
            #expect(await broker.refusal(of: Methods.Authorization.authorize, authorize(bens))?.code == .notFound)
            // It is used up, too: nobody takes it later.
            #expect(await broker.refusal(of: Methods.Authorization.redeem, redeem)?.reason == .noGrant)
        }
    }

    @Test("one whose process ends before the broker itself brings the answer is told so, and has no grant")
    func endedBeforeOwnAnswer() async throws {
        try await withGate { broker, _, processes in
            let opened = try await broker.call(Methods.Authorization.authorize, authorize(bens))
            let shown = try #require(opened.presentation)
            processes.end(bens)
            let refusal = await broker.refusal(
                of: Methods.Presentations.complete, CompleteRequest(cookie: shown.cookie, answer: shown.rightAnswer))
            #expect(refusal?.code == .notFound && refusal?.parameters["what"] == "process")
        }
    }

    @Test("one whose process ends while somebody thinks about the question is told so")
    func endedBeforeAnswer() async throws {
        try await withGate { broker, gate, processes in
            let screen = try await gate.connect("screen")
            var stream = try await screen.register()
            async let asked = broker.refusal(
                of: Methods.Authorization.authorize,
                AuthorizeRequest(
                    request: AuthorizationRequest(gatedAction: "photos.send", subject: bens), presenting: .elsewhere))
            let shown = try await screen.claim(from: &stream)
            processes.end(bens)
            _ = try await screen.complete(shown, shown.rightAnswer)
            let refusal = await asked
            #expect(refusal?.code == .notFound && refusal?.parameters["what"] == "process")
        }
    }
}

@Suite("What /proc says of a process (B-06)")
struct SystemProcessesTests {
    private let processes = SystemProcesses()

    private func stat(_ pid: Int32) throws -> ProcessStat {
        try #require(readSmallFile("/proc/\(pid)/stat").flatMap { ProcessStat($0) })
    }

    @Test("this one is itself, and nothing near it is")
    func itself() throws {
        let (uid, pid) = (getuid(), getpid())
        let start = try stat(pid).startTime
        #expect(processes.program(of: Subject(uid: uid, pid: pid, startTime: start)) == (try stat(pid).name))
        for subject in [
            Subject(uid: uid &+ 1, pid: pid, startTime: start), Subject(uid: uid, pid: pid, startTime: start + 1),
            Subject(uid: uid, pid: getppid(), startTime: try stat(getppid()).startTime + 1),
            Subject(uid: uid, pid: -pid, startTime: start),
            Subject(uid: uid, pid: 0, startTime: start),
        ] {
            #expect(processes.program(of: subject) == nil)
        }
    }

    @Test("one that has ended is gone at once, though its parent has not taken notice")
    func zombie() throws {
        var pid: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("300"), nil]
        defer { for argument in arguments { free(argument) } }
        #expect(posix_spawnp(&pid, "sleep", nil, nil, &arguments, environ) == 0)
        let subject = Subject(uid: getuid(), pid: pid, startTime: try stat(pid).startTime)
        #expect(processes.program(of: subject) != nil)
        kill(pid, SIGKILL)
        // Waits until it has ended, and leaves it there.
        var information = siginfo_t()
        waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT)
        #expect(try stat(pid).hasEnded && processes.program(of: subject) == nil)
        waitpid(pid, nil, 0)
        #expect(processes.program(of: subject) == nil)
    }

    @Test("the number of a thread is no process's")
    func thread() async throws {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { Int32($0) }
        let other = try #require(tasks.first { $0 != getpid() })
        let start = try #require(readSmallFile("/proc/self/task/\(other)/stat").flatMap { ProcessStat($0) }).startTime
        #expect(processes.program(of: Subject(uid: getuid(), pid: other, startTime: start)) == nil)
    }

    @Test(
        "a name with brackets, blanks and line ends in it moves no field",
        arguments: ["sleep", ") S 1 (", "a) Z 0 0\n(b", "", "("])
    func names(name: String) {
        let fields = (3...52).map { $0 == 3 ? "S" : "\($0)" }.joined(separator: " ")
        let stat = ProcessStat("42 (\(name)) \(fields)\n")
        #expect(stat?.name == name && stat?.startTime == 22 && stat?.hasEnded == false)
    }

    @Test("what is no such line is none", arguments: ["", "42", "42 (sleep", "42 sleep) S", ")(", "42 (sleep) S 1 2"])
    func others(line: String) {
        #expect(ProcessStat(line) == nil)
    }
}
