import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("What was used is forgotten after ten weeks (Z-02, Z-06)")
struct UsageForgettingTests {
    private static let day = Duration.seconds(86_400)
    private static let book = UsageMeter(uid: Peer.ben.uid, .gatedAction("book.read"))

    /// Gated actions without a limit: 80 with a number, and `book.read`.
    private static let configuration = {
        var configuration = Configuration.usage
        let action = GatedAction(title: "A", requirement: .parentMode)
        for number in 0..<80 { configuration.gatedActions["a\(number)"] = action }
        configuration.gatedActions["book.read"] = action
        return configuration
    }()

    /// Uses the gated actions with these numbers for a second each. Returns how many were refused, and the last refusal.
    private func useEach(_ numbers: Range<Int>, on device: inout Device) throws -> (count: Int, last: GateError?) {
        var (count, last) = (0, GateError?.none)
        for number in numbers {
            do throws(GateError) {
                try device.use(UInt64(100 + number), "a\(number)")
            } catch {
                (count, last) = (count + 1, error)
                continue
            }
            try device.pass(.seconds(1))
            try device.stop(UInt64(100 + number))
        }
        return (count, last)
    }

    @Test("what has a limit keeps its newest week; whatever has none goes with its last day")
    func ledger() {
        var ledger = UsageLedger()
        for day in [1, 5, 30] as [Int64] {
            ledger[.miasGames, day] = 1
            ledger[Self.book, day] = 1
        }
        func old(on today: Int64) -> [String] {
            ledger.old(on: today) { $0 == .miasGames }.map { "\($0.meter == Self.book ? "book" : "games") \($0.day)" }
        }
        #expect(old(on: 71) == [])
        #expect(old(on: 72) == ["games 1", "book 1"])
        #expect(old(on: 100) == ["games 1", "games 5", "book 1", "book 5"])
        #expect(old(on: 101) == ["games 1", "games 5", "book 1", "book 5", "book 30"])
        #expect(old(on: 40_000) == ["games 1", "games 5", "book 1", "book 5", "book 30"])
    }

    @Test("the 65th thing is refused with words that are true, and ten weeks later there is room again")
    func room() throws {
        var device = try Device.withUsage(Self.configuration)
        let refused = try useEach(0..<65, on: &device)
        #expect(refused.count == 1 && refused.last?.code == .resourceExhausted && refused.last?.reason == .limit)
        #expect(refused.last?.parameters == ["what": "counted-things", "maximum": "64"])
        #expect(
            refused.last?.message
                == "Gate already counts the time of 64 things. It forgets what was not used for ten weeks.")
        #expect(try useEach(0..<64, on: &device).count == 0, "what is counted already goes on")
        try device.live(Self.day * 70)
        #expect(device.stored.usage.meterCount == 64)
        #expect(try useEach(64..<65, on: &device).count == 1)
        try device.live(Self.day)
        #expect(device.stored.usage.meterCount == 0 && device.stored.usage == device.state.records.usage)
        #expect(try useEach(64..<80, on: &device).count == 0)
    }

    @Test("a device that was off when the days began forgets as it starts")
    func off() throws {
        var device = try Device.withUsage(Self.configuration)
        _ = try useEach(0..<64, on: &device)
        device.wallTime.unixMilliseconds += 71 * 86_400_000
        device = try device.restarted(rebooted: true, Self.configuration)
        #expect(device.stored.usage.meterCount == 0)
        #expect(try useEach(64..<80, on: &device).count == 0)
    }

    @Test("of an allowance the newest week stays, as long as the policy names it")
    func allowances() throws {
        var device = try Device.withUsage(Self.configuration)
        try device.use(1)
        try device.use(2, "book.read")
        try device.live(.seconds(600))
        try device.stop(1)
        try device.stop(2)
        #expect(device.stored.usage.meters == [.miasGames, Self.book])
        try device.live(Self.day * 71)
        #expect(device.stored.usage.meters == [.miasGames] && device.stored() == [0: 600])
        var other = Self.configuration
        for name in ["game.play", "game.race", "game.chat"] { other.gatedActions[name] = nil }
        device = try device.restarted(other)
        #expect(device.stored.usage.isEmpty)
    }

    @Test("a clock that is wrong by years forgets what nothing limits, and gives no time back")
    func clock() throws {
        var device = try Device.withUsage(Self.configuration)
        try device.use(1)
        try device.use(2, "book.read")
        try device.live(.seconds(3600))
        try device.stop(1)
        try device.stop(2)
        device.wallTime.unixMilliseconds += 4000 * 86_400_000
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.stored.usage.meters == [.miasGames])
        device.wallTime = Device.mondayNoon
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.left == .zero && device.refusal()?.reason == .outOfHours)
    }

    @Test("what is being used while its days are forgotten goes on counting")
    func running() throws {
        var device = try Device.withUsage(Self.configuration)
        try device.use(1, "book.read")
        try device.live(.seconds(600))
        try device.stop(1)
        try device.use(2, "book.read")
        try device.pass(.seconds(30))
        device.wallTime.unixMilliseconds += 71 * 86_400_000
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.stored(Self.book) == [:])
        try device.live(.seconds(60))
        try device.stop(2)
        #expect(device.stored(Self.book) == [71: 60])
    }
}
