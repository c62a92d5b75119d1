import CommandSupport
import GateModel
import GateScripting
import TestRounds
import Testing

@testable import GateCore

@Suite("Random walks through more time")
struct MoreTimeWalkTests {
    @Test(
        "a closed gate is open only by a yes, and no longer than it says, whatever clocks and people do (Z-04)",
        arguments: 1...UInt64(TestRounds.count(12, all: 60)))
    func walk(seed: UInt64) throws {
        var walk = try MoreTimeWalk(seed: seed)
        for _ in 0..<200 { try walk.step() }
        #expect(walk.yesCount > 0)
    }
}

/// One walk: Mia asks for more time before a gate that never opens by itself, and grown-ups answer as it comes.
private struct MoreTimeWalk {
    private static let gate = "game.never"
    private static let configuration = {
        var configuration = Configuration.moreTime
        configuration.gatedActions[gate] = GatedAction(
            title: "Play", requirement: .during(Schedule("never")), moreTime: AskChoice.usualMoreTime)
        return configuration
    }()

    private var device: Device
    private var chance: SeededGenerator
    /// How much grown-ups have allowed altogether, and for how long the gate was open.
    private var (allowed, open) = (Duration.zero, Duration.zero)
    private(set) var yesCount = 0

    init(seed: UInt64) throws {
        chance = SeededGenerator(seed: seed)
        device = try Device.withMoreTime(Self.configuration)
    }

    mutating func step() throws {
        let number = device.state.asks(visibleTo: .olga).map(\.id).randomElement(using: &chance) ?? 1
        switch Int.random(in: 0..<12, using: &chance) {
        case 0..<3:
            let wish = AskChoice.usualMoreTime.randomElement(using: &chance)
            _ = succeeds(.askMoreTime(gatedAction: Self.gate, wish: wish), as: .ben)
        case 3..<5: answer(number)
        case 5: _ = succeeds(.answerAsk(number, .no), as: .olga)
        case 6: _ = succeeds(.withdrawAsk(number), as: .ben)
        case 7:
            device.wallTime.unixMilliseconds += Int64.random(in: -7_200_000...7_200_000, using: &chance)
            try device.apply(.deadlineReached, as: .daemon)
        case 8: device = try device.restarted(Self.configuration)
        case _: try live(steps: Int.random(in: 1...60, using: &chance))
        }
        check()
    }

    private mutating func succeeds(_ command: Command, as peer: Peer) -> Bool {
        do throws(GateError) {
            try device.apply(command, as: peer)
            return true
        } catch {
            return false
        }
    }

    /// Now and then Mia tries to answer herself.
    private mutating func answer(_ number: UInt64) {
        let choice = AskChoice.usualMoreTime.randomElement(using: &chance) ?? .today
        let isChild = Int.random(in: 0..<6, using: &chance) == 0
        guard succeeds(.answerAsk(number, .yes(choice)), as: isChild ? .ben : .olga) else { return }
        #expect(!isChild)
        let yes = device.stored.keptGrants.answer(to: number).flatMap { device.stored.keptGrants[$0]?.yes }
        allowed += yes.map { $0.until.duration(since: $0.from) } ?? .zero
        yesCount += 1
    }

    /// How exactly the time is measured for which the gate is open.
    private static let stride = Duration.seconds(120)

    private mutating func live(steps: Int) throws {
        for _ in 0..<steps {
            if device.isOpen(Self.gate) { open += Self.stride }
            try device.live(Self.stride)
        }
        #expect(open <= allowed + Self.stride * yesCount)
    }

    private func check() {
        let (time, now) = (device.wallTime, device.now)
        let isAllowed = device.stored.keptGrants.contains { _, grant in
            grant.yes.map { $0.isMoreTime && $0.from <= time && time < $0.until && now < grant.deadline } ?? false
        }
        #expect(device.isOpen(Self.gate) == isAllowed)
        #expect(!device.isOpen(Self.gate, to: .anna))
        #expect(device.state.records == device.stored)
    }
}
