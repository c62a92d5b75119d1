import Foundation
import GateModel
import GateProtocol
import Glibc
import ProcessSupport
import Synchronization
import Testing

@testable import GateDaemon

/// Processes that a test can start and end.
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

    @Test("only a broker or an administrator may ask for another process")
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

    @Test("a process that does not exist, belongs to another user, or started at another time gets nothing")
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

    @Test("if gated can't see other users' processes, a broker is refused with that reason")
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

    @Test("a broker's name is shown like any program's, without invisible or misleading characters")
    func name() async throws {
        try await withGate { broker, _, _ in
            let opened = try await broker.call(
                Methods.Authorization.authorize, authorize(bens), program: "pow\u{1B}erd")
            let shown = try #require(opened.presentation)
            #expect(shown.summary.asked.uid == 1002 && shown.summary.asked.program == "supertux")
            #expect(shown.summary.asked.broker == Broker(uid: 1005, program: "powerd"))
        }
    }

    @Test("a grant for a process that has ended is void, also for a new process with its number")
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
            // The grant is used up too, and nobody can take it later.
            #expect(await broker.refusal(of: Methods.Authorization.redeem, redeem)?.reason == .noGrant)
        }
    }

    @Test("if the process ends before the broker's own answer, the broker is refused with that reason")
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

    @Test("if the process ends while a person decides, the broker is refused with that reason")
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

@Suite("Reading a process's identity from /proc (B-06)")
struct SystemProcessesTests {
    private let processes = SystemProcesses()

    private func stat(_ pid: Int32) throws -> ProcessStat {
        try #require(readSmallFile("/proc/\(pid)/stat").flatMap { ProcessStat($0) })
    }

    @Test("this process is recognised by its uid, pid and start time, and by nothing else")
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

    @Test("a process that has ended is unknown at once, even before its parent reaps it")
    func zombie() throws {
        var pid: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("300"), nil]
        defer { for argument in arguments { free(argument) } }
        #expect(posix_spawnp(&pid, "sleep", nil, nil, &arguments, environ) == 0)
        let subject = Subject(uid: getuid(), pid: pid, startTime: try stat(pid).startTime)
        #expect(processes.program(of: subject) != nil)
        kill(pid, SIGKILL)
        // Waits until the process has ended, and leaves it as a zombie.
        var information = siginfo_t()
        waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT)
        #expect(try stat(pid).hasEnded && processes.program(of: subject) == nil)
        waitpid(pid, nil, 0)
        #expect(processes.program(of: subject) == nil)
    }

    @Test("a thread's number is not accepted as a process")
    func thread() async throws {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { Int32($0) }
        let other = try #require(tasks.first { $0 != getpid() })
        let start = try #require(readSmallFile("/proc/self/task/\(other)/stat").flatMap { ProcessStat($0) }).startTime
        #expect(processes.program(of: Subject(uid: getuid(), pid: other, startTime: start)) == nil)
    }

    @Test(
        "a process name with brackets, blanks or line ends does not shift the fields",
        arguments: ["sleep", ") S 1 (", "a) Z 0 0\n(b", "", "("])
    func names(name: String) {
        let fields = (3...52).map { $0 == 3 ? "S" : "\($0)" }.joined(separator: " ")
        let stat = ProcessStat("42 (\(name)) \(fields)\n")
        #expect(stat?.name == name && stat?.startTime == 22 && stat?.hasEnded == false)
    }

    @Test(
        "a malformed line of /proc is refused",
        arguments: ["", "42", "42 (sleep", "42 sleep) S", ")(", "42 (sleep) S 1 2"])
    func others(line: String) {
        #expect(ProcessStat(line) == nil)
    }
}
