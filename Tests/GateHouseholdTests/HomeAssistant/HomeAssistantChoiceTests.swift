import GateModel
import Testing

@testable import GateHousehold

@Suite("How much Home Assistant allows, and what kind of no it says (W-03, W-04, W-07)")
struct HomeAssistantChoiceTests {
    private func order(_ text: String) -> HomeAssistantOrder? { HomeAssistantOrder(payload: Array(text.utf8)) }

    @Test("a yes is for once or for an amount of time, and a no can be until tomorrow")
    func choices() {
        #expect(order("approve 6 once") == .answer(6, .yes(.once)) && order("approve 6") == .answer(6, .yes(.once)))
        #expect(order("approve 6 30m") == .answer(6, .yes(.time(.seconds(1800)))))
        #expect(order("approve 6 1h30m") == .answer(6, .yes(.time(.seconds(5400)))))
        #expect(order("deny 6 until-tomorrow") == .answer(6, .notUntilTomorrow) && order("deny 6") == .answer(6, .no))
    }

    @Test("nothing that lasts until it is taken back, no day, and nothing that is no choice")
    func refused() {
        for text in [
            "approve 6 always", "approve 6 this-site", "approve 6 today", "approve 6 until-tomorrow", "approve 6 0m",
            "approve 6 -5m", "approve 6 30", "approve 6 30m ", "approve 6  30m", "approve 6 30m 1", "approve 6 ",
            "approve 6 ONCE", "approve 06 30m", "approve once", "deny 6 once", "deny 6 30m", "deny 6 tomorrow",
            "deny 6 until-tomorrow until-tomorrow", "lock until-tomorrow", "extend 5 30m",
        ] {
            #expect(order(text) == nil, "\(text)")
        }
    }

    @Test("the answer reaches gated with its choice, under gated's own number of the question")
    func carried() {
        var machine = SampleHomeAssistant.machine()
        machine.questionsKnown(
            OutgoingRequests(
                change: 1,
                requests: [
                    OutgoingRequest(
                        number: 6, kind: AskKind.waiting.rawValue, askedAt: WallTime(unixMilliseconds: 7),
                        left: .seconds(9000), sealed: [])
                ]), words: [:], at: BootTime(nanoseconds: 0))
        _ = machine.messageArrived(SampleHomeAssistant.message("approve 6 30m"), at: BootTime(nanoseconds: 0))
        #expect(machine.takeOrder(at: BootTime(nanoseconds: 1)) == .answer(6, .yes(.time(.seconds(1800)))))
    }
}
