import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("More time that a guardian allows elsewhere (Z-04, W-03)")
struct MoreTimeToGuardiansTests {
    private static let gate = "game.never"

    /// Mia's tablet after Mia has asked for more time before a gate that is closed, and what guardians are told.
    private func asked() throws -> (HouseholdDevice, RequestWords) {
        var tablet = try HouseholdDevice.withAsks {
            $0.gatedActions[Self.gate] = GatedAction(
                title: "Play", requirement: .during(Schedule("never")), moreTime: [.minutes(15), .minutes(30)])
        }
        try tablet.device.asksForTime(.minutes(30), before: Self.gate)
        return (tablet, try #require(tablet.told.last))
    }

    @Test("a guardian is told that it is about time, and what is offered, and their amount opens the gate for so long")
    func allowed() throws {
        var (tablet, words) = try asked()
        #expect(words.asked.title == "More time: Play" && words.asked.details == "30m" && words.areOfKnownForm)
        #expect(words.ask?.choices == [.minutes(30), .minutes(15)])
        #expect(try tablet.hears(true, to: words, choice: "15m") == nil)
        #expect(tablet.device.isOpen(Self.gate) && !tablet.device.isOpen(Self.gate, to: .anna))
        try tablet.device.live(.seconds(899))
        #expect(tablet.device.isOpen(Self.gate))
        try tablet.device.live(.seconds(1))
        #expect(!tablet.device.isOpen(Self.gate))
    }

    @Test("an amount that is not offered opens nothing, a no takes the time back, and no yes counts after it")
    func refused() throws {
        var (tablet, words) = try asked()
        for choice in ["once", "16m", "1h", "today", "always"] {
            #expect(try tablet.hears(true, to: words, choice: choice) != nil, "\(choice)")
            #expect(!tablet.device.isOpen(Self.gate), "\(choice)")
        }
        #expect(try tablet.hears(true, to: words, choice: "30m") == nil)
        #expect(try tablet.hears(true, to: words, choice: "30m") != nil, "twice answered counts once")
        #expect(tablet.device.isOpen(Self.gate) && tablet.device.answers.count == 1)
        #expect(try tablet.hears(false, to: words) == nil)
        #expect(!tablet.device.isOpen(Self.gate))
        #expect(try tablet.hears(true, to: words, choice: "30m") != nil)
        #expect(!tablet.device.isOpen(Self.gate))
    }

    @Test("after “not until tomorrow” to anything of the gated action, nobody is asked for more time either")
    func untilTomorrow() throws {
        var (tablet, _) = try asked()
        try tablet.device.apply(.answerAsk(1, .notUntilTomorrow), as: .olga)
        #expect(try tablet.device.asksForTime(before: Self.gate).state == .refused)
        #expect(tablet.device.refusal(of: Self.gate)?.parameters["more-time"] == nil)
    }
}
