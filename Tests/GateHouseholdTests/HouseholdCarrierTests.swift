import GateModel
import Synchronization
import Testing

@testable import GateHousehold

@Suite("The carrier between a broker and a gated that tests play", .timeLimit(.minutes(2)))
struct HouseholdCarrierTests {
    private typealias Sample = SampleHousehold

    private static let settings = HouseholdSettings(
        household: Sample.household, device: Sample.me, name: "Mine", publicKey: Array(repeating: 1, count: 32),
        broker: .init(host: "gate.example", authority: "ca", certificate: "c", key: "k"))

    @Test("the carrier connects, publishes, and carries a command to gated and its answer back")
    func there() async throws {
        let broker = FakeBroker()
        let carrier = RunningCarrier(Self.settings, broker: broker.link)
        try await eventually("it connects") { broker.count == 1 }
        carrier.daemon.say(.present(ModeState(mode: .parent, deadline: nil)))
        broker.say(.connected, on: 0)
        try await eventually("the state is published") { broker.connection(0).published.contains { $0.id == .state } }
        broker.deliver(Sample.command("lock"), on: 0)
        try await eventually("the answer is published") {
            broker.connection(0).published.contains { $0.payload == Array("done: lock".utf8) }
        }
        try await eventually("the new challenge is published") {
            broker.connection(0).published.contains {
                DeviceStateMessage(json: $0.payload)?.challenge == Array(repeating: 2, count: 32)
            }
        }
        #expect(carrier.status.all == ["connected to gate.example, port 8883"])
        await carrier.stop()
        #expect(broker.connection(0).isClosed)
    }

    @Test("the carrier reconnects when the broker is lost, and ignores the old connection")
    func again() async throws {
        let broker = FakeBroker()
        let carrier = RunningCarrier(Self.settings, broker: broker.link)
        try await eventually("it connects") { broker.count == 1 }
        carrier.daemon.say(.present(.closed))
        broker.say(.connected, on: 0)
        broker.say(.lost("The cable is cut."), on: 0)
        try await eventually("it connects again") { broker.count == 2 }
        #expect(carrier.status.all.last == "not connected: The cable is cut.")
        broker.say(.connected, on: 0)
        broker.deliver(Sample.command("old"), on: 0)
        broker.say(.connected, on: 1)
        broker.deliver(Sample.command("new"), on: 1)
        try await eventually("gated gets the new one") { carrier.daemon.now.commands == ["new"] }
        #expect(broker.connection(1).published.map(\.id).contains(.availability))
        await carrier.stop()
    }

    @Test("a device with a twin reports that once to the broker and to gated, and connects under a name of its own")
    func twin() async throws {
        let broker = FakeBroker()
        let carrier = RunningCarrier(Self.settings, broker: broker.link, isGuardians: false)
        try await eventually("it connects") { broker.count == 1 }
        carrier.daemon.say(.present(.closed))
        broker.say(.connected, on: 0)
        func states() -> [DeviceStateMessage] {
            broker.connection(0).published.compactMap { DeviceStateMessage(json: $0.payload) }
        }
        try await eventually("the state is published") { !states().isEmpty }
        // The broker delivers the device's own state too, which is not a twin's.
        let own = try #require(states().first)
        broker.deliver(Sample.message(.state(Sample.me), own.json), on: 0)
        var other = own
        other.instance = "another"
        for _ in 0..<2 { broker.deliver(Sample.message(.state(Sample.me), other.json), on: 0) }
        try await eventually("it says so") { states().last?.hasTwin == true }
        try await eventually("gated hears of it") { carrier.daemon.now.devices[Sample.me]?.hasTwin == true }
        #expect(broker.ownNames.withLock { $0 } == 1)
        #expect(states().count { $0.hasTwin } == 1 && states().allSatisfy { $0.instance == own.instance })
        await carrier.stop()
    }

    @Test("messages that arrive faster than they are handled are all handled in order")
    func many() async throws {
        let broker = FakeBroker()
        let carrier = RunningCarrier(Self.settings, broker: broker.link)
        try await eventually("it connects") { broker.count == 1 }
        carrier.daemon.say(.present(.closed))
        broker.say(.connected, on: 0)
        // It listens to other devices once gated has said that it is a guardian's.
        try await eventually("gated has told") {
            broker.connection(0).published.contains { $0.topic.hasSuffix("/\(Sample.me)/state") }
        }
        for number in 0..<3000 {
            broker.deliver(
                Sample.message(.state(Sample.device(number)), Sample.state(of: Sample.device(number)).json), on: 0)
        }
        try await eventually("gated knows all") { carrier.daemon.now.devices.count == 3000 }
        let news = carrier.daemon.now.news
        #expect(news.allSatisfy { $0.devices.count <= 256 })
        await carrier.stop()
    }

    @Test("commands from gated are published, and others' answers reach it")
    func outgoing() async throws {
        let broker = FakeBroker()
        let carrier = RunningCarrier(Self.settings, broker: broker.link)
        try await eventually("it connects") { broker.count == 1 }
        carrier.daemon.say(.present(.closed))
        broker.say(.connected, on: 0)
        for text in ["a", "b"] { carrier.daemon.hand(out: [OutgoingCommand(device: nil, signed: Array(text.utf8))]) }
        try await eventually("both are published") {
            broker.connection(0).published.filter { $0.topic.hasSuffix("/to/all/commands") }.map(\.payload)
                == [Array("a".utf8), Array("b".utf8)]
        }
        broker.deliver(Sample.message(.results(sender: Sample.other, target: Sample.me), Array("done".utf8)), on: 0)
        broker.deliver(Sample.message(.guardians, Array("list".utf8), isRetained: true), on: 0)
        try await eventually("gated has both") {
            carrier.daemon.now.results == ["done"] && carrier.daemon.now.guardians == ["list"]
        }
        await carrier.stop()
    }

    @Test("a member whose commands are always refused causes one log line a minute")
    func refusedCommands() async throws {
        let broker = FakeBroker()
        let carrier = RunningCarrier(Self.settings, broker: broker.link)
        try await eventually("it connects") { broker.count == 1 }
        carrier.daemon.say(.present(.closed))
        broker.say(.connected, on: 0)
        for number in 0..<50 { broker.deliver(Sample.command("bad \(number)"), on: 0) }
        broker.deliver(Sample.command("good"), on: 0)
        try await eventually("gated gets all") { carrier.daemon.now.commands.count == 51 }
        await carrier.stop()
        #expect(carrier.log.all.count { $0.contains("refuses") } == 1)
    }

    @Test("after a minute the log says how many lines were left out, and the next one is logged again")
    func repeatedLines() {
        var lines = RepeatedLines()
        func at(_ seconds: Int64) -> BootTime { BootTime(nanoseconds: seconds * 1_000_000_000) }
        func mayWrite(_ call: DaemonCall, _ seconds: Int64) -> Bool { lines.mayWrite(.refused(call), at: at(seconds)) }
        func written(_ seconds: Int64) -> [String] { lines.timePassed(at: at(seconds)) }
        #expect(mayWrite(.command, 10) && lines.deadline == nil)
        #expect(mayWrite(.result, 10), "each call for itself")
        for second in 10..<40 { #expect(!mayWrite(.command, Int64(second))) }
        #expect(lines.deadline == at(70) && written(69).isEmpty)
        #expect(
            written(70) == ["gated refuses this (command); further such lines that were left out: 30"]
                && lines.deadline == nil)
        #expect(!mayWrite(.command, 129))
        #expect(written(131) == ["gated refuses this (command); further such lines that were left out: 1"])
        #expect(written(500).isEmpty && mayWrite(.command, 500))
    }

    @Test("the watchdog is fed by the carrier's own loop, twice in each interval")
    func watchdog() async throws {
        let count = Counter()
        let broker = FakeBroker()
        let carrier = RunningCarrier(Self.settings, broker: broker.link, watchdog: (.milliseconds(20), { count.add() }))
        try await eventually("it was fed ten times") { count.value >= 10 }
        await carrier.stop()
        let value = count.value
        try await Task.sleep(for: .milliseconds(50))
        #expect(count.value == value, "what has ended feeds nothing")
    }
}

final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}
