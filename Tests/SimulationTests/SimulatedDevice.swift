import CommandSupport
import FaultyDisk
import GateCore
import GateModel
import GateScripting
import TTRPC

@testable import GateDaemon

/// A device with the real daemon on it, but for the kernel: its clock, its threads and its disk are the simulation's, and its
/// programs' connections carry real frames. The daemon may die at any moment, and the disk fail; then another daemon starts
/// from what is on the disk.
final class SimulatedDevice {
    typealias Told = Witnessed

    /// The only passcode.
    static let passcode = GateSecret("1234".utf8)
    /// The hash of the passcode, by an algorithm that is quick and that libcrypt knows.
    static let passcodeHash = "$5$rounds=1000$simulated$qNHEh9I3FbbSXvYLIzrHDX4VGo.sDH8WdFSfj.iujv4"

    let disk: SimulatedDisk
    let clock = SimulatedClock()
    private(set) var daemon: SimulatedDaemon
    private var configuration: Configuration
    private var random: SeededGenerator
    /// The programs, by the daemon's number of their connection.
    private(set) var connections: [UInt64: SimulatedConnection] = [:]
    private let witness: Witness
    /// What the last start found on the disk that nobody was told of.
    private(set) var adopted: [Transition] = []

    /// Everything that was told since the beginning, in order, across all crashes.
    var told: [Told] { witness.told }
    /// What watchers may be told of.
    var history: History { witness.history }
    /// Statements that must not have been made.
    var broken: [String] { witness.broken }
    var durable: GateState { daemon.authority.assumeIsolated { $0.pipeline.durable } }
    var now: BootTime { clock.boot }
    /// Changes that this daemon's watchers were told later, together with others.
    var conflated: Int { daemon.authority.assumeIsolated { Int($0.context.statistics.conflated) } }
    var isCommitting: Bool { daemon.isCommitting }
    /// Whether the daemon has noticed all who have left, and all of its state is durable.
    var isSettled: Bool {
        !isCommitting && daemon.authority.assumeIsolated { $0.pipeline.isIdle && $0.pipeline.reconciliation.isEmpty }
    }
    /// Whose connections are open, watchers among them.
    var connected: Set<UInt64> {
        daemon.authority.assumeIsolated { Set($0.sessions.sessions.values.map(\.peer.connection)) }
    }
    /// Whether the daemon has died with the disk; the next step must be `restart`.
    var isDown: Bool { disk.isDead }

    init(seed: UInt64, configuration: Configuration) throws {
        self.configuration = configuration
        random = SeededGenerator(seed: seed)
        disk = SimulatedDisk(seed: seed ^ 0xd15c)
        let witness = Witness()
        self.witness = witness
        guard let records = try disk.open(bootID: clock.bootID, now: clock.boot, isReboot: false) else {
            throw Broken(description: "a good disk failed")
        }
        daemon = try SimulatedDaemon(
            records: records, configuration: configuration, store: disk, clock: clock, random: random
        ) { witness.saw($0) }
        endCommit()
    }

    // MARK: Programs

    func connect(uid: UInt32, roles: Roles) throws -> Peer? {
        guard let connection = try SimulatedConnection(to: daemon, uid: uid, roles: roles) else { return nil }
        connections[connection.peer.connection] = connection
        return connection.peer
    }

    /// Closes a program's connection, and has the daemon notice.
    func hangUp(_ peer: Peer) {
        connections.removeValue(forKey: peer.connection)?.close()
        daemon.loop.run()
    }

    /// Connections that the daemon has closed since.
    func takeClosed() -> [UInt64] {
        let closed = connections.filter { !$0.value.isOpen }.keys.sorted()
        for connection in closed { connections[connection] = nil }
        return closed
    }

    /// Makes a program's call. The witness sees the answer.
    func submit(_ command: Command, as peer: Peer) {
        guard let connection = connections[peer.connection] else { return submitAsDaemon(command) }
        let (stream, disk, moment) = (connection.nextStream(), disk, clock.boot)
        // This is safe because there is only one thread.
        nonisolated(unsafe) let (session, witness) = (connection.session, witness)
        daemon.authority.assumeIsolated { authority in
            authority.context.lastRequest += 1
            let number = authority.context.lastRequest
            session.openCalls[stream] = number
            let caller = Caller(session: session, stream: stream, number: number)
            authority.pipeline.submit(command, as: session.peer, for: caller) { result in
                session.openCalls[stream] = nil
                witness.answered(
                    command, of: peer, at: moment, result, confirmed: disk.confirmed.records.revision)
            }
        }
        daemon.loop.run()
    }

    func submitAsDaemon(_ command: Command) {
        daemon.authority.assumeIsolated { $0.pipeline.submit(command, as: .daemon) { _ in } }
        daemon.loop.run()
    }

    /// Cancels the call of a program that waits for this.
    func endCall(waitingFor wait: WaitID, of peer: Peer) {
        guard let open = connections[peer.connection] else { return }
        nonisolated(unsafe) let session = open.session
        daemon.authority.assumeIsolated { authority in
            guard let call = authority.pipeline.waitingCalls.call(waitingFor: wait) else { return }
            authority.sessions.forget(call.stream, of: session)
        }
        daemon.loop.run()
    }

    /// Changes the policy, also for the next start.
    func reload(_ configuration: Configuration) {
        self.configuration = configuration
        submitAsDaemon(.configure(configuration, detail: ""))
    }

    /// What programs were answered since.
    func takeAnswers() -> [(peer: Peer, reply: Reply)] { witness.takeAnswers() }

    // MARK: Threads and time

    /// The batch that is on its way reaches the disk, or does not.
    /// - Parameter pieces: of the telling that follows, before anything else happens; `nil`: all of them. Commands are answered anyway.
    func endCommit(pieces: Int? = nil) {
        daemon.commits.doNext()
        guard !isDown else { return }
        defer { daemon.answerFromUserDatabase() }
        guard let pieces else { return daemon.loop.run() }
        daemon.loop.run(pieces: pieces)
        while !isCommitting, !daemon.authority.assumeIsolated({ $0.pipeline.isIdle }) { daemon.loop.run(pieces: 1) }
    }

    /// Lets a thread finish hashing a passcode or a password.
    func endHash() {
        daemon.passwords.doNext()
        daemon.loop.run()
    }

    /// Lets one piece of a backup be made, read or written.
    func endBackupWork() {
        daemon.backups.doNext()
        if !isDown { daemon.loop.run() }
    }

    /// Time passes; what comes due is settled on the way.
    /// - Parameter diskHangs: what comes due does not reach the disk meanwhile.
    func advance(by duration: Duration, diskHangs: Bool) {
        var left = duration
        while !isDown {
            if !diskHangs { endCommits() }
            guard let deadline = clock.deadline, clock.boot.duration(to: deadline) <= left else { break }
            let wait = max(.zero, clock.boot.duration(to: deadline))
            pass(wait)
            left -= wait
            clock.set(nil)
            daemon.ring()
        }
        if !isDown { pass(left) }
    }

    private func endCommits() {
        while isCommitting, !isDown { endCommit() }
    }

    /// Somebody sets the clock on the wall, forward or back, and the kernel tells.
    func setWallClock(by duration: Duration) {
        clock.turnWall(by: duration)
        daemon.authority.assumeIsolated { $0.deadlines.wallClockWasSet() }
        daemon.loop.run()
    }

    private func pass(_ duration: Duration) {
        clock.turn(by: duration)
        daemon.loop.advance(by: duration)
    }

    /// Lets everything under way finish; afterwards nobody who has left is remembered.
    func comeToRest() {
        disk.arm(DISK_WORKS, at: 0)
        disk.fill(false)
        for _ in 0..<1000 {
            daemon.loop.run()
            daemon.answerFromUserDatabase()
            while isCommitting || daemon.passwords.hasWork || daemon.backups.hasWork {
                endCommit()
                endHash()
                endBackupWork()
            }
            guard !daemon.authority.assumeIsolated({ $0.pipeline.reconciliation.isEmpty }) else { return }
            pass(.seconds(1))
        }
    }

    deinit {
        daemon.die(Array(connections.values))
        disk.throwAway()
    }

    // MARK: The end of a daemon, and the next one

    /// - Parameters:
    ///   - power: what the kernel had not yet brought to the disk is lost otherwise.
    ///   - fault: what the disk does during the start, at which operation; then there is another one.
    func restart(power: Bool, fault: (disk_fault, operation: Int)?) throws {
        let isReboot = !power || (isDown && disk.hasLostPower)
        daemon.die(Array(connections.values))
        connections = [:]
        disk.fill(false)
        disk.kill(power: power)
        if isReboot { clock.reboot() }
        clock.set(nil)
        if let fault { disk.arm(fault.0, at: fault.operation) }
        var (records, isOtherBoot): (DurableRecords?, Bool) = (nil, isReboot)
        while true {
            records = try disk.open(bootID: clock.bootID, now: clock.boot, isReboot: isOtherBoot)
            if let records, !isDown {
                adopted = disk.adopted
                return try start(records)
            }
            let hasLostPower = disk.hasLostPower
            disk.kill(power: true)
            if hasLostPower { clock.reboot() }
            isOtherBoot = isOtherBoot || hasLostPower
            disk.arm(DISK_WORKS, at: 0)
        }
    }

    private func start(_ records: DurableRecords) throws {
        random = SeededGenerator(seed: random.next())
        let witness = witness
        witness.daemonStarted()
        daemon = try SimulatedDaemon(
            records: records, configuration: configuration, store: disk, clock: clock, random: random
        ) { witness.saw($0) }
        disk.arm(DISK_WORKS, at: 0)
        endCommit()
    }
}
