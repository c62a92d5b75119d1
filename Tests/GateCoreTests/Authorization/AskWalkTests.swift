import CommandSupport
import GateModel
import GateScripting
import TestRounds
import Testing

@testable import GateCore

@Suite("Random walks through asks")
struct AskWalkTests {
    @Test(
        "what must hold of asks holds over restarts, reboots, and clocks that are set (W-01, W-07)",
        arguments: 1...UInt64(TestRounds.count(12, all: 60)))
    func walk(seed: UInt64) throws {
        var walk = try AskWalk(seed: seed)
        for _ in 0..<400 { try walk.step() }
        try walk.waitUntilAllIsOver()
    }

    @Test("the walks meet everything that can become of an ask, and use a yes of every choice")
    func walksAreWide() throws {
        var missing: Set<AuditEntry.Kind> = [
            .challengeOpened, .answeredRight, .refused, .cancelled, .expired, .withdrawn, .granted, .revoked,
        ]
        var unused = Set(RandomAsks.choices)
        for seed in 1...60 as ClosedRange<UInt64> where TestRounds.areAll || !missing.isEmpty || !unused.isEmpty {
            var walk = try AskWalk(seed: seed)
            for _ in 0..<400 { try walk.step() }
            missing.subtract(walk.kinds)
            unused.subtract(walk.choicesUsed)
        }
        #expect(missing.isEmpty)
        #expect(unused.isEmpty)
    }
}

/// One walk: two children, a grown-up and an administrator, and a device that is turned off and on.
private struct AskWalk {
    private var device: Device
    private var chance: SeededGenerator
    private var asks = RandomAsks(
        children: [.ben, .bensOther, .anna], grownUps: [.olga, .root], isTomorrowKnown: true)
    private var promises = AskPromises()
    private var configuration = RandomAsks.configuration
    /// The kinds of entries that the journal has got.
    private(set) var kinds: Set<AuditEntry.Kind> = []

    /// The choices of the yeses by which somebody got through.
    var choicesUsed: Set<AskChoice> { promises.choicesUsed }

    init(seed: UInt64) throws {
        chance = SeededGenerator(seed: seed)
        device = try Device.withAsks(configuration)
        device.random = SeededGenerator(seed: seed ^ 0xFFFF)
    }

    mutating func step() throws {
        switch Int.random(in: 0..<40, using: &chance) {
        case 0: try pass(.seconds(Int64.random(in: 0...2 * 24 * 3600, using: &chance)))
        case 1, 2: try pass(.seconds(Int64.random(in: 0...3600, using: &chance)))
        case 3: device.wallTime.unixMilliseconds += Int64.random(in: -7_200_000...7_200_000, using: &chance)
        case 4: try restart()
        case 5:
            configuration = Bool.random(using: &chance) ? RandomAsks.configuration : RandomAsks.otherConfiguration
            apply(.configure(configuration, detail: ""), as: .root)
        case 6: try changePeople()
        default:
            let (command, peer) = asks.command(in: device.state, using: &chance)
            apply(command, as: peer)
        }
        kinds.formUnion(device.kinds())
        #expect(device.stored == device.state.records)
        for child in [Peer.ben, .anna] {
            #expect(
                device.state.asks(visibleTo: child).allSatisfy { $0.uid == child.uid }, "a child sees another's asks")
        }
    }

    /// A grown-up takes back every yes, since some have no end. Then waits until each ask has ended by its time and is
    /// forgotten, with everything that was asked for.
    mutating func waitUntilAllIsOver() throws {
        for ask in device.state.asks(visibleTo: .olga) where ask.state == .allowed {
            apply(.answerAsk(ask.id, .no), as: .olga)
        }
        #expect(device.stored.keptGrants.isEmpty)
        for _ in 0..<3 { try pass(.days(10)) }
        #expect(device.stored.asks.isEmpty && device.stored.keptGrants.isEmpty)
        #expect(device.states().isEmpty)
        for words in asks.words { #expect(!device.knows(words), "'\(words)' is still known") }
    }

    private mutating func apply(_ command: Command, as peer: Peer) {
        let before = device
        do throws(GateError) {
            let transition = try device.apply(command, as: peer)
            asks.learned(transition.reply, peer)
            let broken = promises.broken(
                by: transition, of: peer, from: before.state, to: device.state, at: device.now,
                device.state.wallTime(at:))
            #expect(broken == nil, "\(command)")
        } catch {
            #expect(device.state == before.state, "\(command) left a trace")
        }
    }

    private mutating func pass(_ duration: Duration) throws {
        device.now = device.now.advanced(by: duration)
        device.wallTime.unixMilliseconds += duration.millisecondsRoundedUp
        apply(.deadlineReached, as: .daemon)
        let broken = promises.broken(in: device.stored, settledAt: device.wallTime)
        #expect(broken == nil)
    }

    /// The daemon is started anew, or the device: each ask is as it was.
    private mutating func restart() throws {
        apply(.deadlineReached, as: .daemon)
        let before = device.states(of: .root)
        device = try device.restarted(rebooted: Bool.random(using: &chance), configuration)
        asks.daemonDied()
        #expect(device.states(of: .root) == before)
        #expect(promises.broken(in: device.stored) == nil)
    }

    /// A child is taken off the list, and put on it again.
    private mutating func changePeople() throws {
        if device.state.people.contains(where: { $0.name == "otto" }) {
            apply(.removePerson(name: "otto"), as: .root)
        } else {
            let user = GatePerson.UnixUser(name: "otto", uid: Peer.anna.uid)
            apply(.setPerson(GatePerson(name: "otto", kind: .child(born: nil), user: user)), as: .root)
            try device.recognizeAll()
        }
    }
}
