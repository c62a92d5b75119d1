import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("Time that stands still while a grown-up's session is on the screen (Z-02)")
struct PausedUseTests {
    enum Phase: String, CaseIterable, Sendable {
        case unused
        case running
        case paused
    }

    /// Mia's games in this phase, ten seconds after they have begun if they have.
    private static func device(_ phase: Phase) throws -> Device {
        var device = try Device.withUsage()
        guard phase != .unused else { return device }
        try device.use(1)
        try device.pass(.seconds(10))
        if phase == .paused { try device.show([.olga], before: [.ben]) }
        return device
    }

    private static func phase(_ device: Device) -> Phase {
        if device.state.uses.meters[.miasGames] != nil { return .running }
        return device.state.uses.isEmpty ? .unused : .paused
    }

    // MARK: - Each event in each state

    private struct Event: Sendable {
        let name: String
        let unused: Phase
        let running: Phase
        let paused: Phase
        let happens: @Sendable (inout Device) throws -> Void

        init(
            _ name: String, _ unused: Phase, _ running: Phase, _ paused: Phase,
            _ happens: @escaping @Sendable (inout Device) throws -> Void
        ) {
            (self.name, self.unused, self.running, self.paused) = (name, unused, running, paused)
            self.happens = happens
        }

        func next(_ phase: Phase) -> Phase {
            switch phase {
            case .unused: unused
            case .running: running
            case .paused: paused
            }
        }
    }

    private static let events: [Event] = [
        Event("a program begins", .running, .running, .paused) { try $0.use(2) },
        Event("the program ends", .unused, .unused, .unused) { try $0.stop(1) },
        Event("its connection ends", .unused, .unused, .unused) { try $0.apply(.peerDisconnected, as: .ben) },
        Event("the daemon stops", .unused, .unused, .unused) { try $0.apply(.usage(.endAll), as: .daemon) },
        Event("a grown-up's session comes to the front", .unused, .paused, .paused) {
            try $0.show([.olga], before: [.ben])
        },
        Event("the child's session comes to the front", .unused, .running, .running) {
            try $0.show([.ben], before: [.olga])
        },
        Event("another child's session comes to the front", .unused, .running, .running) {
            try $0.show([.anna], before: [.ben, .olga])
        },
        Event("a log-in screen comes to the front", .unused, .running, .running) {
            try $0.show([.shop], before: [.ben, .olga])
        },
        Event("a child is logged in over the network, too", .unused, .running, .running) {
            try $0.show([.olga, .anna], before: [.ben])
        },
        Event("the child is logged in over the network, too", .unused, .running, .running) {
            try $0.show([.olga, .ben], before: [.ben])
        },
        Event("nothing is known of sessions any more", .unused, .running, .running) { try $0.show([]) },
        Event("a minute passes", .unused, .running, .paused) { try $0.live(.seconds(60)) },
        Event("the device sleeps", .unused, .running, .paused) {
            $0.suspended += .seconds(3600)
            try $0.pass(.seconds(3600))
        },
        Event("a day begins", .unused, .running, .paused) { try $0.live(.seconds(16 * 3600)) },
        Event("the clock is set back", .unused, .running, .paused) {
            $0.wallTime.unixMilliseconds -= 86_400_000
            try $0.apply(.deadlineReached, as: .daemon)
        },
        Event("the policy is another one", .unused, .running, .paused) {
            var configuration = Configuration.usage
            configuration.gatedActions["game.race"] = nil
            try $0.apply(.daemon(.configure(configuration, detail: "")), as: .root)
        },
        Event("the grown-up is recognized no longer", .unused, .running, .running) {
            try $0.apply(.usersChecked(recognized: [Peer.ben.uid, Peer.anna.uid]), as: .daemon)
        },
        Event("another user is recognized no longer", .unused, .running, .paused) {
            try $0.apply(.usersChecked(recognized: [Peer.ben.uid, Peer.olga.uid]), as: .daemon)
        },
    ]

    @Test("each event in each state: time stands still only behind a grown-up's session", arguments: Phase.allCases)
    func each(_ phase: Phase) throws {
        for event in Self.events {
            var device = try Self.device(phase)
            try event.happens(&device)
            let comment = Comment("\(event.name), \(phase.rawValue)")
            #expect(Self.phase(device) == event.next(phase), comment)
            // What a child has used before goes on counting, and nothing else.
            let before = device.used
            try device.live(.seconds(30))
            let counted = device.used - before
            #expect(counted == (event.next(phase) == .running ? .seconds(30) : .zero), comment)
            #expect(device.stored.usage == device.state.records.usage, comment)
        }
    }

    // MARK: - What is counted

    @Test("what was used before is stored, the pause is not counted, and afterwards time runs on")
    func counts() throws {
        var device = try Device.withUsage()
        try device.use(1)
        try device.live(.seconds(90))
        let paused = try device.show([.olga], before: [.ben])
        #expect(paused.isChange && device.stored() == [0: 90])
        let list = { (device: Device) in device.state.usage(visibleTo: .ben, days: 1, at: device.now).last }
        #expect(list(device)?.isRunning == false && list(device)?.used == .seconds(90))
        try device.live(.seconds(7200))
        #expect(device.left == .seconds(3510) && device.refusal() == nil)
        #expect(device.state.timeLeft(ofUse: 1, at: device.now) == TimeLeft(left: .seconds(3510), isOver: false))
        try device.show([.ben], before: [.olga])
        #expect(list(device)?.isRunning == true)
        try device.live(.seconds(30))
        try device.stop(1)
        #expect(device.stored() == [0: 120])
        #expect(device.journal.last?.detail == "game.play, 2m", "the journal does not count the pause either")
    }

    @Test("a paused use wakes the daemon for nothing but the next day")
    func wakes() throws {
        var device = try Device.withUsage()
        try device.use(1)
        try device.live(.seconds(30))
        try device.show([.olga], before: [.ben])
        let next = try #require(device.state.nextDeadline)
        #expect(device.now.duration(to: next) == .seconds(12 * 3600 - 30))
        try device.show([.ben])
        #expect(device.state.nextDeadline == device.now.advanced(by: .seconds(60)))
    }

    @Test("only the time of those behind it stands still: a grown-up's own goes on")
    func others() throws {
        var device = try Device.withUsage()
        try device.use(1)
        try device.use(2, as: .olga)
        try device.show([.olga], before: [.ben])
        try device.live(.seconds(120))
        #expect(device.stored() == [:])
        #expect(device.stored(UsageMeter(uid: Peer.olga.uid, .allowance("games"))) == [0: 120])
    }

    @Test("time runs again although the disk is full: there is nothing to store")
    func fullDisk() throws {
        var device = try Self.device(.paused)
        for shown in [[Peer.ben], []] {
            let resumed = try device.show(shown)
            #expect(!resumed.isChange)
            #expect(Self.phase(device) == .running)
            try device.pass(.seconds(1))
            let paused = try device.show([.olga], before: [.ben])
            #expect(paused.isChange)
        }
        #expect(device.used == .seconds(12))
    }

    @Test("what more time gives runs by the clock, also behind a grown-up's session, and is warned of")
    func moreTime() throws {
        var device = try Device.withMoreTime()
        try device.playForAnHour()
        try device.hasTime(.minutes(15))
        try device.use(2)
        try device.show([.olga], before: [.ben])
        for moment in [600, 240] {
            let next = try #require(device.state.nextDeadline)
            #expect(device.now.duration(to: next) == .seconds(moment))
            device.now = next
            device.wallTime = device.wallTime.advanced(by: .seconds(moment))
            let warned = try device.apply(.deadlineReached, as: .daemon)
            #expect(warned.isChange)
        }
        try device.live(.seconds(60))
        #expect(device.state.timeLeft(ofUse: 2, at: device.now)?.isOver == true)
        #expect(device.stored() == [0: 3600])
    }

    // MARK: - What gains nothing

    @Test("switching sessions all the time is not free")
    func flapping() throws {
        var device = try Device.withUsage()
        try device.use(1)
        for _ in 1...1000 {
            try device.turn(by: .nanoseconds(1))
            try device.show([.olga], before: [.ben])
            try device.show([.ben])
        }
        #expect(device.stored() == [0: 1])
    }

    @Test("only the daemon tells of sessions, and with the last use they are forgotten")
    func forgotten() throws {
        var device = try Self.device(.paused)
        for peer in [Peer.ben, .olga, .root] {
            let lie = ShownSessions(shown: [Peer.olga.uid], hidden: [Peer.ben.uid])
            #expect(throws: GateError.self) { try device.apply(.usage(.sessionsChanged(lie)), as: peer) }
        }
        try device.stop(1)
        #expect(device.state.shownSessions == ShownSessions())
        try device.show([.olga], before: [.ben])
        #expect(device.state.shownSessions == ShownSessions())
        // So what begins then counts until the daemon has looked.
        try device.use(2)
        #expect(Self.phase(device) == .running)
    }

    @Test("a session counts as hidden only if its user has none in front, and something is in front")
    func hidden() {
        #expect(ShownSessions(shown: [], hidden: [1]).hidden == [])
        #expect(ShownSessions(shown: [1, 2], hidden: [1, 3]).hidden == [3])
    }

    @Test("programs that are paused count towards the 64 things whose time is counted")
    func limit() throws {
        var configuration = Configuration.usage
        for number in 0..<80 {
            configuration.gatedActions["a\(number)"] = GatedAction(title: "A", requirement: .parentMode)
        }
        var device = try Device.withUsage(configuration)
        for number in 0..<60 as Range<UInt64> {
            try device.use(number, "a\(number)")
            try device.pass(.seconds(1))
            try device.stop(number)
        }
        try device.use(60, "a60")
        try device.show([.olga], before: [.ben])
        for number in 61..<64 as Range<UInt64> { try device.use(number, "a\(number)") }
        let refusal = try #require(throws: GateError.self) { try device.use(64, "a64") }
        #expect(refusal.reason == .limit && refusal.parameters["what"] == "counted-things")
        try device.use(65, "a63")
    }

    @Test("whatever is on the screen, exactly the time in front of it is counted, and none is given back")
    func walks() throws {
        for seed in 1...10 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var device = try Device.withUsage()
            var (open, isHidden, stops): (Set<UInt64>, Bool, Int64) = ([], false, 0)
            var (seen, last) = (Duration.zero, Duration.zero)
            for number in 1...200 as ClosedRange<UInt64> {
                let wasRunning = Self.phase(device) == .running
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    if (try? device.use(number, Bool.random(using: &random) ? "game.play" : "game.chat")) != nil {
                        // What begins first has not heard of any sessions.
                        if open.isEmpty { isHidden = false }
                        open.insert(number)
                    }
                case 1:
                    if let ended = open.randomElement(using: &random) {
                        open.remove(ended)
                        try device.stop(ended)
                    }
                case 2:
                    try device.show([.olga], before: [.ben])
                    isHidden = true
                case 3:
                    let others: [[Peer]] = [[.ben], [.anna], []]
                    try device.show(others.randomElement(using: &random) ?? [], before: [.olga])
                    isHidden = false
                default:
                    let time = Duration.milliseconds(Int.random(in: 1...60_000, using: &random))
                    if wasRunning { seen += time }
                    try device.live(time)
                }
                #expect(Self.phase(device) == (open.isEmpty ? .unused : isHidden ? .paused : .running))
                if wasRunning, Self.phase(device) != .running { stops += 1 }
                let used = device.used
                #expect(used >= last && used >= seen && used <= seen + .milliseconds(stops))
                last = used
            }
        }
    }
}

extension Device {
    /// The sessions of `shown` are on the screens, and those of `hidden` behind them.
    @discardableResult
    fileprivate mutating func show(_ shown: [Peer], before hidden: [Peer] = []) throws(GateError) -> Transition {
        let sessions = ShownSessions(shown: Set(shown.map(\.uid)), hidden: Set(hidden.map(\.uid)))
        return try apply(.usage(.sessionsChanged(sessions)), as: .daemon)
    }

    /// The time that Mia has used of her games on all days, also what is not stored yet.
    fileprivate var used: Duration {
        state.usage(visibleTo: .ben, days: 7, at: now).reduce(.zero) { sum, time in
            time.subject == .allowance("games") ? sum + time.used : sum
        }
    }
}
