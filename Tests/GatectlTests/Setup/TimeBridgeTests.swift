import GateModel
import GatePolicy
import Testing

@testable import gatectl

@Suite("More time on request, in set-up and in doctor (Z-05)")
struct TimeBridgeTests {
    private static let laptop = {
        var situation = newLaptop
        situation.time = .off
        return situation
    }()

    @Test("set-up turns more time on request on where gate-timekpr is installed and somebody is a child (Z-05)")
    func setUp() {
        var conversation = SetupConversation(Self.laptop, today: today)
        let asked = conversation.answering([])
        #expect(asked.filter { $0 == .time }.count == 1)
        #expect(conversation.answers.time == true)
        let plan = SetupPlan(conversation.answers, on: Self.laptop)
        #expect(plan.steps.contains(.time(isOn: true)))

        var childless = SetupConversation(Self.laptop, today: today)
        #expect(!childless.answering(["1", "4", "n", "n"]).contains(.time))
        #expect(childless.answers.time == nil)

        var refusing = SetupConversation(Self.laptop, today: today)
        while let question = refusing.question {
            if question == .passcode {
                refusing.passcodeTyped()
            } else {
                _ = refusing.answered(question == .time ? "n" : "")
            }
        }
        #expect(refusing.answers.time == false)
        #expect(!SetupPlan(refusing.answers, on: Self.laptop).steps.contains(.time(isOn: false)), "it is off")
    }

    @Test("where it is on, Return keeps it, and no turns it off")
    func again() {
        var situation = SetupSituation(time: .on)
        #expect(SetupPlan(SetupAnswers(time: true), on: situation).steps.isEmpty)
        let off = SetupPlan(SetupAnswers(time: false), on: situation)
        #expect(off.steps == [.time(isOn: false)])
        #expect(off.steps.map(\.text) == ["time that a grown-up allows is no longer added in timekpr"])
        situation.time = .unavailable(package: nil)
        #expect(SetupPlan(SetupAnswers(time: false), on: situation).steps.isEmpty)
    }

    @Test("where timekpr is installed alone, the package that is missing is named, and a file that wants it is refused")
    func missing() {
        var situation = newLaptop
        situation.time = .unavailable(package: "gate-timekpr")
        #expect(SetupAdvice.missingPackages(situation).contains { $0.contains("`sudo apt install gate-timekpr`") })
        #expect(throws: GateError.self) { try SetupAdvice.check(SetupAnswers(time: true), on: situation) }
        #expect(throws: Never.self) { try SetupAdvice.check(SetupAnswers(time: false), on: situation) }
    }

    private func finding(_ bridge: TimeBridge?) -> Finding? {
        var facts = InstallationFacts(
            socketPath: "/run/gated/gate.sock", isDefaultSocket: true, socket: .missing, directoryPath: "/run/gated",
            directory: .missing, serverUser: "gate", serverUserID: 990, ownUserID: 1000, hasAdministratorGroup: true,
            units: nil, locksBeforeSleep: nil, configDirectory: "/etc/gate", policy: .missing, secrets: .success([]),
            ownVersion: "1", daemonVersion: .success("1"), statistics: .success(""), damage: .success(nil))
        facts.timeBridge = bridge
        return facts.timeBridgeFinding
    }

    @Test("what keeps allowed time from being added is a fault, and a service that nobody turned on is none (Z-05)")
    func doctor() {
        #expect(finding(nil) == nil)
        #expect(finding(TimeBridge(isEnabled: true, isActive: true))?.verdict == .ok)
        #expect(finding(TimeBridge())?.verdict == .unknown)
        #expect(finding(TimeBridge())?.found.contains("sudo gatectl setup") == true)
        #expect(finding(TimeBridge(isEnabled: true))?.isFailure == true)
        let troubled = finding(
            TimeBridge(isEnabled: true, isActive: true, troubles: ["ask 12: timekpr does not answer", "two"]))
        #expect(troubled?.found == "ask 12: timekpr does not answer; two")
        #expect(
            troubled?.isFailure == true && troubled?.line.contains("`sudo journalctl -u gate-timekpr.service`") == true)
    }
}
