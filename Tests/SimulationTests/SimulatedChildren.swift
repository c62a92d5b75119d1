import CommandSupport
import GateModel
import GateProtocol
import GateScripting
import TTRPC

@testable import GateCore
@testable import GateDaemon

/// Two children who ask for what may wait, and play for as long as they have time; a grown-up and an administrator who
/// answer them; and a device that sleeps, and whose clock and time zone are set. Their chance is their own, so that a
/// simulation without them is what it was.
struct SimulatedChildren {
    private static let game = "game.play"
    /// Ten minutes a day. Nothing limits the other thing that the children do.
    private static let allowance = Allowance("games", secondsOfDays: Array(repeating: 600, count: 7))
    private static let uids: Set<UInt32> = [1001, 1002]

    /// A program that is being used, by the stream that holds its use.
    private struct Use {
        let peer: Peer
        let stream: UInt32
    }

    private var random: SeededGenerator
    private var asks = RandomAsks(children: [], grownUps: [])
    private var askPromises = AskPromises()
    private var usePromises = UsePromises()
    private var uses: [Use] = []
    /// How far the clock on the wall is set, and how far it ever was.
    private var (wallOffset, latestOffset) = (Duration.zero, Duration.zero)

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    func adding(to other: Configuration) -> Configuration {
        var configuration = other
        configuration.gatedActions.merge(RandomAsks.configuration.gatedActions) { _, new in new }
        configuration.gatedActions[Self.game] = GatedAction(title: "Play", requirement: .allowance(Self.allowance))
        configuration.gatedActions["book.read"] = GatedAction(title: "Read", requirement: .parentMode)
        return configuration
    }

    /// Whether a grant is for playing, and the child has time left by what is stored.
    static func hasTime(for grant: Grant, of peer: Peer, _ state: GateState) -> Bool {
        guard grant.gatedAction == game else { return false }
        let time = state.wallTime(at: grant.deadline.advanced(by: .zero - Grant.lifetime))
        let meter = UsageMeter(uid: peer.uid, .allowance(allowance.name))
        let today = UsageDay(at: time, in: state.allowances.zone, start: 0).number
        let usage = state.records.usage
        return usage.used(meter, on: usage.day(of: meter, today: today)) < .seconds(600)
    }

    // MARK: - A daemon's life

    /// The administrator puts the children on the list of people, where they may be already.
    mutating func daemonStarted(_ device: SimulatedDevice, _ peers: [Peer]) {
        guard let root = peers.first(where: { $0.uid == 0 }) else { return }
        for (name, uid) in [("mia", 1001), ("otto", 1002)] as [(String, UInt32)] {
            let user = GatePerson.UnixUser(name: "user\(uid)", uid: uid)
            device.submit(.setPerson(GatePerson(name: name, kind: .child(born: nil), user: user)), as: root)
        }
    }

    mutating func daemonDied() {
        uses = []
        usePromises.daemonDied()
    }

    /// Puts the clock on to the latest time that it ever showed, too, so that what ends by it ends in the night.
    mutating func goToBed(_ device: SimulatedDevice) {
        for use in uses { device.endStream(use.stream, of: use.peer) }
        uses = []
        device.setWallClock(by: latestOffset - wallOffset)
        device.comeToRest()
    }

    // MARK: - What they do

    mutating func step(_ device: SimulatedDevice, _ peers: [Peer], _ promises: inout Promises) {
        asks.children = peers.filter { Self.uids.contains($0.uid) }
        asks.grownUps = peers.filter { $0.roles.contains(.grownUpPresenter) }
        uses.removeAll { use in !peers.contains(use.peer) }
        guard let child = asks.children.randomElement(using: &random), !asks.grownUps.isEmpty else { return }
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<8: ask(device, &promises)
        case 8..<12:
            let gatedAction = Int.random(in: 0..<4, using: &random) == 0 ? "book.read" : Self.game
            if let stream = device.use(gatedAction, by: child) { uses.append(Use(peer: child, stream: stream)) }
        case 12..<15:
            guard let index = uses.indices.randomElement(using: &random) else { return }
            let use = uses.remove(at: index)
            device.endStream(use.stream, of: use.peer)
        case 15..<17:
            device.submit(.authorize(AuthorizationRequest(gatedAction: Self.game), presenting: .elsewhere), as: child)
        case 18: device.suspend(for: .seconds(Int64.random(in: 1...2000, using: &random)))
        case 19: device.setZone(minutesEastOfUTC: 15 * Int.random(in: -48...56, using: &random))
        case 20:
            let hours: Int64 = Int.random(in: 0..<4, using: &random) == 0 ? 30 : 1
            let step = Duration.seconds(Int64.random(in: -3600...3600, using: &random) * hours)
            device.setWallClock(by: step)
            wallOffset += step
            latestOffset = max(latestOffset, wallOffset)
        default: break
        }
    }

    /// Questions on screens are answered by those to whom the simulation gave them.
    private mutating func ask(_ device: SimulatedDevice, _ promises: inout Promises) {
        let (command, peer) = asks.command(in: device.durable, using: &random)
        switch command {
        case .presentations: return
        case .authorization(.answerAsk(let number, .yes)) where peer.roles.contains(.grownUpPresenter):
            promises.allowing(number)
        default: break
        }
        device.submit(command, as: peer)
    }

    // MARK: - What must hold

    mutating func check(_ news: ArraySlice<SimulatedDevice.Told>, _ device: SimulatedDevice) throws {
        for told in news {
            guard case .success(let transition) = told.outcome else { continue }
            let broken = askPromises.broken(
                by: transition, of: told.peer, from: told.before, to: told.after, at: device.now,
                told.after.wallTime(at:))
            if let broken { throw Broken(description: broken) }
        }
        guard !device.isDown else { return }
        try usePromises.check(device)
        for peer in asks.children {
            for time in try device.timesTold(peer) where time.left == .zero {
                try hold(time.isOver, "the time was over, and its end was not told")
            }
        }
    }
}

extension SimulatedDevice {
    /// A program begins to use what a gated action guards. Returns the stream that holds the use; `nil` if the program
    /// is not connected any more.
    fileprivate func use(_ gatedAction: String, by peer: Peer) -> UInt32? {
        guard let connection = connections[peer.connection] else { return nil }
        let stream = connection.nextStream()
        connection.send(Methods.Usage.countUse, CountUseRequest(gatedAction: gatedAction), stream: stream)
        daemon.loop.run()
        return stream
    }

    fileprivate func endStream(_ stream: UInt32, of peer: Peer) {
        guard let connection = connections[peer.connection] else { return }
        // This is safe because there is only one thread.
        nonisolated(unsafe) let session = connection.session
        daemon.authority.assumeIsolated { $0.sessions.forget(stream, of: session) }
        daemon.loop.run()
    }

    /// What a program was told of the time that it has left, since the last time.
    fileprivate func timesTold(_ peer: Peer) throws -> [TimeLeft] {
        try (connections[peer.connection]?.receive() ?? []).compactMap { header, data in
            guard header.type == .data else { return nil }
            return try data.withUnsafeBytes { try CountUseResponse(decoding: $0) }.time
        }
    }

    /// The device sleeps. What came due meanwhile is settled when it wakes.
    fileprivate func suspend(for duration: Duration) {
        clock.suspend(for: duration)
        guard let deadline = clock.deadline, deadline <= clock.boot else { return }
        clock.set(nil)
        daemon.ring()
    }

    /// Somebody travels, or says so.
    fileprivate func setZone(minutesEastOfUTC minutes: Int) {
        clock.minutesEastOfUTC = minutes
        daemon.authority.assumeIsolated { $0.deadlines.zoneMayHaveChanged() }
        daemon.loop.run()
    }
}
