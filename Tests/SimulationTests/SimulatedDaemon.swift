import CommandSupport
import GateCore
import GateModel
import GatePolicy
import GateScripting
import Logging
import NIOCore
import TTRPC

@testable import GateDaemon
@testable import TTRPCTransport

/// One life of the daemon: the real authority with its commit queue, its watch hub and the daemon's ends of its connections, on a
/// loop, threads and a clock that the simulation moves.
final class SimulatedDaemon {
    let loop = SimulatedLoop()
    let authority: Authority
    let server: ServerCore
    let commits = SimulatedThreads()
    let reads = SimulatedThreads()
    let passwords = SimulatedThreads()
    let backups = SimulatedThreads()
    private let roles: RoleBook
    private let service: MortalService

    /// A decoy hash; made once, because that is slow.
    private static let decoy = PasswordDecoy()

    init(
        records: DurableRecords, configuration: Configuration, store: any StateStore, clock: SimulatedClock,
        random: SeededGenerator, witness: @escaping (Witnessed) -> Void
    ) throws {
        var environment = Environment(
            clock: clock, random: random, makeAlarm: { _, _ in clock },
            readPolicyFiles: {
                DevicePolicyFiles { _, _ throws(PolicyError) in Policy(configuration: configuration) }
            },
            roleRules: { RoleRules($0, daemonUser: 900, user: { _ in nil }, group: { _ in nil }) })
        let threads = ThreadList([commits, reads, passwords, ImmediateThreads(), backups, ImmediateThreads()])
        environment.makeThreads = { _, _ in threads.next() }
        environment.passwordDecoy = Self.decoy
        var limits = DaemonLimits()
        // A program that does not read falls behind after a few messages.
        limits.connection.backlogBytes = 100
        // All forms are handled like large ones, and joint changes are told in pieces.
        limits.quickFormBytes = 0
        limits.settledAtOnce = 2
        limits.toldAtOnce = 1
        // A backup has several pieces.
        limits.backupPieceBytes = 64 << 10
        authority = Authority(
            eventLoop: loop, store: store, records: records, inForce: try environment.policyInForce(),
            environment: environment, limits: limits, logger: Logger(label: "gated") { _ in SwiftLogNoOpLogHandler() }
        )
        let roles = RoleBook()
        self.roles = roles
        let service = MortalService(
            PeerService(authority: authority) { PeerIdentity(credentials: $0, givenRoles: roles.roles[$0.pid]) })
        server = ServerCore(
            work: authority.work, limits: limits.connection, writeDeadline: limits.writeDeadline,
            closingDeadline: limits.closingDeadline, service: service)
        self.service = service
        nonisolated(unsafe) let witness = witness
        authority.assumeIsolated {
            $0.pipeline.witness = witness
            $0.pipeline.alarm.use(clock)
            $0.pipeline.submit(.start, as: .daemon) { _ in }
        }
        loop.run()
    }

    var isCommitting: Bool { commits.hasWork }

    /// The kernel says of a program who it is; which roles go with that is the simulation's.
    func credentials(uid: UInt32, roles given: Roles) -> PeerCredentials {
        let pid = Int32(roles.roles.count + 1)
        roles.roles[pid] = given
        return PeerCredentials(uid: uid, gid: uid, pid: pid, groups: [])
    }

    /// The user database answers what it was asked, if anything.
    func answerFromUserDatabase() {
        while reads.hasWork {
            reads.doNext()
            loop.run()
        }
    }

    /// Rings the alarm if something is due.
    func ring() {
        authority.assumeIsolated { $0.deadlines.alarmRang() }
        loop.run()
    }

    /// kill -9: nothing of this daemon happens any more, and its connections are closed.
    func die(_ connections: [SimulatedConnection]) {
        service.living = nil
        loop.die()
        for connection in connections { connection.close() }
        loop.forget()
        fallApart()
    }

    /// Breaks the references among a dead daemon's parts, because an hour of an endurance run has thousands of them.
    private func fallApart() {
        for threads in [commits, reads, passwords, backups] { threads.forget() }
        authority.assumeIsolated {
            $0.pipeline.witness = nil
            $0.recognition.asking?.promise.succeed()
            $0.pipeline.alarm.end()
            $0.pipeline.waitingCalls = WaitingCalls()
            for session in $0.sessions.sessions.values { session.watches = nil }
            $0.sessions.sessions = [:]
        }
    }
}

private final class RoleBook: @unchecked Sendable {
    var roles: [Int32: Roles] = [:]
}

private final class ThreadList: @unchecked Sendable {
    private var rest: [any BlockingThreads]

    init(_ threads: [any BlockingThreads]) {
        rest = threads
    }

    func next() -> any BlockingThreads { rest.removeFirst() }
}

/// Drops the events of a dead daemon's connections.
private final class MortalService: TTRPCService, @unchecked Sendable {
    /// `nil`: the daemon is dead.
    var living: PeerService?

    init(_ living: PeerService) {
        self.living = living
    }

    func find(service name: String, method: String) -> ServiceMethod? {
        living?.find(service: name, method: method)
    }

    func connectionOpened(_ connection: TTRPCServerConnection) -> Status? {
        guard let living else { return GateError.stopping.status }
        return living.connectionOpened(connection)
    }

    func requestReceived(_ request: IncomingRequest, on connection: TTRPCServerConnection) {
        living?.requestReceived(request, on: connection)
    }

    func streamEnded(_ streamID: UInt32, on connection: TTRPCServerConnection) {
        living?.streamEnded(streamID, on: connection)
    }

    func connectionDrained(_ connection: TTRPCServerConnection) {
        living?.connectionDrained(connection)
    }

    func connectionClosed(_ connection: TTRPCServerConnection) {
        living?.connectionClosed(connection)
    }
}
