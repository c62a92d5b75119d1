import CommandSupport
import FaultyDisk
import GateModel
import GateScripting
import GateStore

@testable import GateCore
@testable import GateDaemon

/// Children who ask for what may wait, and grown-ups who answer, on a device whose disk fails: the real core and the
/// real store, without the daemon between them. `SimulatedDisk` checks at each start that everything that was confirmed
/// is there, exactly, and that what was not confirmed is there whole or not at all.
struct AskFaults {
    private static let mia = Peer(connection: 1, uid: 1001, pid: 101, roles: .app)
    private static let otto = Peer(connection: 2, uid: 1002, pid: 102, roles: .app)
    private static let olga = Peer(
        connection: 3, uid: 1003, pid: 103, roles: [.app, .presenter, .grownUpPresenter])
    private static let root = Peer(connection: 4, uid: 0, pid: 104, roles: [.app, .administrator])

    /// A command that was carried out, and is not on the disk yet.
    private struct Pending {
        let transition: Transition
        let peer: Peer
        let before, after: GateState
        let moment: BootTime
    }

    private let disk: SimulatedDisk
    private let clock = SimulatedClock()
    private var random: SeededGenerator
    private var asks = RandomAsks(children: [Self.mia, Self.otto], grownUps: [Self.olga, Self.root])
    private var promises = AskPromises()
    /// With everything that was carried out.
    private var head: GateState
    /// With what is on the disk.
    private var durable: GateState
    private var pending: [Pending] = []
    private(set) var crashes = 0
    private(set) var failures = 0
    /// The choices of the yeses by which somebody got through.
    var choicesUsed: Set<AskChoice> { promises.choicesUsed }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        disk = SimulatedDisk(seed: seed ^ 0xa5c)
        guard let records = try disk.open(bootID: clock.bootID, now: clock.boot, isReboot: false) else {
            throw Broken(description: "a good disk failed")
        }
        head = GateState(restoring: records, configuration: RandomAsks.configuration)
        durable = head
        apply(.start, as: .daemon)
        for (name, peer, kind) in [
            ("mia", Self.mia, GatePerson.Kind.child(born: nil)), ("otto", Self.otto, .child(born: nil)),
            ("olga", Self.olga, .grownUp),
        ] {
            let user = GatePerson.UnixUser(name: "user\(peer.uid)", uid: peer.uid)
            apply(.setPerson(GatePerson(name: name, kind: kind, user: user)), as: Self.root)
        }
        recognize()
        try commit()
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps { try step() }
        disk.arm(DISK_WORKS, at: 0)
        disk.fill(false)
        try commit()
        if disk.isDead { try crash() }
        disk.throwAway()
    }

    private mutating func step() throws {
        switch Int.random(in: 0..<60, using: &random) {
        case 0..<12: try commit()
        case 12: breakDisk()
        case 13: disk.fill(false)
        case 14: try crash()
        case 15, 16: pass(.seconds(Int64.random(in: 0...3600, using: &random)))
        case 17: pass(.seconds(Int64.random(in: 0...24 * 3600, using: &random)))
        case 18: clock.turnWall(by: .seconds(Int64.random(in: -600...600, using: &random)))
        default:
            let (command, peer) = asks.command(in: head, using: &random)
            apply(command, as: peer)
        }
        if disk.isDead { try crash() }
    }

    // MARK: - Commands

    private mutating func apply(_ command: Command, as peer: Peer) {
        let before = head
        var context = Context(now: clock.boot, localTime: LocalTime(clock.wall), peer: peer, random: random)
        defer { random = context.random as? SeededGenerator ?? random }
        guard let transition = try? head.apply(command, &context) else { return }
        pending.append(
            Pending(transition: transition, peer: peer, before: before, after: head, moment: clock.boot))
    }

    private mutating func recognize() {
        apply(.usersChecked(recognized: [Self.mia.uid, Self.otto.uid, Self.olga.uid]), as: .daemon)
    }

    private mutating func pass(_ duration: Duration) {
        clock.turn(by: duration)
        apply(.deadlineReached, as: .daemon)
    }

    // MARK: - The disk

    /// Brings what was carried out to the disk. Only then is anybody told of it. If that fails, nothing of it has
    /// happened.
    private mutating func commit() throws {
        let batch = pending
        pending = []
        do throws(StoreError) {
            let changes = batch.map(\.transition).filter(\.isChange)
            if !changes.isEmpty { try disk.commit(changes) }
        } catch {
            failures += 1
            head = durable
            return
        }
        durable = head
        for told in batch {
            asks.learned(told.transition.reply, told.peer)
            let broken = promises.broken(
                by: told.transition, of: told.peer, from: told.before, to: told.after, at: told.moment,
                told.after.wallTime(at:))
            if let broken { throw Broken(description: broken) }
        }
        try hold(durable.records == disk.confirmed.records, "the state is not what was stored")
    }

    private mutating func breakDisk() {
        if Int.random(in: 0..<6, using: &random) == 0 { return disk.fill(true) }
        let faults = [DISK_WRITE_FAILS, DISK_IS_FULL, DISK_SYNC_FAILS, DISK_LOSES_PROCESS, DISK_LOSES_POWER]
        let fault = faults.randomElement(using: &random) ?? DISK_LOSES_POWER
        disk.arm(fault, at: Int.random(in: 1...12, using: &random))
    }

    /// kill -9 or a power cut, and a new start, which may itself be cut short.
    private mutating func crash() throws {
        crashes += 1
        let isPowered = Bool.random(using: &random)
        let isReboot = !isPowered || (disk.isDead && disk.hasLostPower)
        disk.kill(power: isPowered)
        if isReboot { clock.reboot() }
        if Int.random(in: 0..<3, using: &random) == 0 { breakDisk() }
        disk.fill(false)
        var isOtherBoot = isReboot
        while true {
            let records = try disk.open(bootID: clock.bootID, now: clock.boot, isReboot: isOtherBoot)
            if let records, !disk.isDead {
                disk.arm(DISK_WORKS, at: 0)
                return try start(records)
            }
            let hasLostPower = disk.hasLostPower
            disk.kill(power: true)
            if hasLostPower { clock.reboot() }
            isOtherBoot = isOtherBoot || hasLostPower
            disk.arm(DISK_WORKS, at: 0)
        }
    }

    private mutating func start(_ records: DurableRecords) throws {
        if let broken = promises.broken(in: records) { throw Broken(description: broken) }
        asks.daemonDied()
        pending = []
        head = GateState(restoring: records, configuration: RandomAsks.configuration)
        durable = head
        apply(.start, as: .daemon)
        recognize()
        try commit()
    }
}
