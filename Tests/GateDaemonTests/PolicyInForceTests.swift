import Epoll
import Foundation
import GateCore
import GateModel
import GatePolicy
import GateProtocol
import GateScripting
import Logging
import TTRPCTransport
import Testing

@testable import GateDaemon

@Suite("The policy in force", .timeLimit(.minutes(10)))
struct PolicyInForceTests {
    @Test("any peer may read the policy, and a reload replaces it as a whole")
    func reload() async throws {
        try await LiveGate.with { gate, _ in
            let (anna, root) = (try await gate.connect("anna"), try await gate.connect("root"))
            let before = try await anna.call(Methods.Control.policy, GetPolicyRequest()).inForce
            #expect(before.contains { $0.contains("link.open") })
            gate.policyText.value = "mode: {challenge: arithmetic-entry}\n"
            let reloaded = try await root.call(Methods.Control.reload, ReloadRequest()).inForce
            #expect(try await anna.call(Methods.Control.policy, GetPolicyRequest()).inForce == reloaded)
            #expect(!reloaded.contains { $0.contains("link.open") })
            let shown = try await anna.call(Methods.Mode.toggle, ToggleRequest(presenting: .here)).presentation
            #expect(shown?.challenge?.kind == .arithmeticEntry)
        }
    }

    @Test("the journal counts the policy's files and gated actions")
    func summary() throws {
        func summary(_ texts: String...) throws -> String {
            let files = texts.enumerated().map { PolicySource(name: "policy.d/\($0.offset).yaml", text: $0.element) }
            let roles = RoleRules(.builtIn, daemonUser: 0, user: { _ in nil }, group: { _ in nil })
            return try PolicyInForce(policy: try PolicyReader.read(files), roles: roles).summary
        }
        let (one, another) = (
            "gated-actions: {one: {requires: {mode: parent}}}", "gated-actions: {two: {requires: {mode: parent}}}"
        )
        #expect(try summary(one) == "1 policy file, 1 gated action")
        #expect(try summary(one, another) == "2 policy files, 2 gated actions")
    }

    @Test("a list of users that is cut short has the full count")
    func counts() async throws {
        try await LiveGate.with(
            policy: "roles: {presenter: {users: [\((1...501).map(String.init).joined(separator: ", "))]}}\n"
        ) {
            gate, _ in
            let anna = try await gate.connect("anna")
            let roles = try #require(try await anna.call(Methods.Control.policy, GetPolicyRequest()).policy).roles
            let presenters = try #require(roles.first { $0.role == .presenter })
            #expect(presenters.users.count == PolicySummary.maximumHolders && presenters.userCount == 501)
            #expect(presenters.groupCount == presenters.groups.count)
        }
        let cleared = try (1...501).map { try #require(FormPath(text: "q\($0)")) }
        let summary = FormSummary(name: "order", holder: .user(1001), revision: 1)
        let change = FormChange(summary: summary, isChanged: true, cleared: cleared).cutShort
        #expect(change.cleared.count == 500 && change.clearedCount == 501)
    }

    @Test("a policy with mistakes is refused with all of them, and the one before stays")
    func refused() async throws {
        try await LiveGate.with { gate, store in
            let root = try await gate.connect("root")
            let before = try await root.call(Methods.Control.policy, GetPolicyRequest()).inForce
            gate.policyText.value = "mode: {challange: passcode}\nlockout: {after: many}\n"
            let refusal = await root.refusal(of: Methods.Control.reload, ReloadRequest())
            #expect(refusal?.code == .failedPrecondition)
            #expect(refusal?.reason == .badPolicy)
            #expect(refusal?.message.contains("policy.yaml:1:8") ?? false)
            #expect(refusal?.message.contains("policy.yaml:2:") ?? false)
            #expect(refusal?.issues.first?.place == .file("policy.yaml", line: 1, column: 8))
            #expect(refusal?.issues.first?.kind == .notFound)
            #expect(refusal?.issues.last?.kind == .value)
            #expect(refusal?.issues.last?.parameters["key"] == "after")
            #expect(try await root.call(Methods.Control.policy, GetPolicyRequest()).inForce == before)
            #expect(store.kinds == [.started])
        }
    }

    @Test("at most 20 mistakes of a policy are reported, with the number of the others")
    func manyMistakes() {
        let error = BadPolicy(
            problems: (1...30).map {
                PolicyProblem(file: "policy.yaml", line: $0, column: 1, message: "no", kind: .value)
            }
        ).error
        #expect(error.message.contains("policy.yaml:20:1"))
        #expect(!error.message.contains("policy.yaml:21:1"))
        #expect(error.message.hasSuffix("and 10 more"))
        #expect(error.parameters == ["count": "30"])
        #expect(error.issues.count == 20)
        #expect(error.issues[19] == ErrorIssue(.file("policy.yaml", line: 20, column: 1), kind: .value, "no"))
    }

    @Test("a daemon with a mistaken policy does not start, and says so before touching anything")
    func start() async throws {
        let directory = "/tmp/gate-\(UUID().uuidString.prefix(8))"
        let environment = Environment(
            clock: StandingClock(), random: SeededGenerator(seed: 1), makeAlarm: { _, _ in SilentAlarm() },
            readPolicyFiles: {
                DevicePolicyFiles { _, _ throws(PolicyError) in
                    try PolicyReader.read([PolicySource(name: "policy.yaml", text: "mode: {challange: passcode}")])
                }
            },
            roleRules: { RoleRules.ofThisDevice($0) })
        let daemon = Daemon(
            settings: Daemon.Settings(
                listeners: [Daemon.Listener(socket: .path("\(directory)/s", mode: 0o600))], stateDirectory: directory),
            environment: environment, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let loop = try EpollLoop(name: "gated loop")
        let error = await #expect(throws: BadPolicy.self) { try await daemon.run(on: loop, until: StopRequest()) }
        await loop.end()
        #expect(error?.problems.count == 1)
        #expect(!FileManager.default.fileExists(atPath: directory))
    }
}
