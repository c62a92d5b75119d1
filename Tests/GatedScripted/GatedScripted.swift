public import ArgumentParser
import Foundation
import GateDaemon
public import GateModel
import GatePolicy
import GateScripting
import Glibc
import Logging
import TTRPCTransport

/// The daemon with a clock to turn, chance that repeats, and peers that are who their socket says. For tests; never
/// installed.
@main
struct GatedScripted: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gated-scripted",
        abstract: "gated for tests: a settable clock, seeded chance, a socket for each peer.",
        discussion: """
            Prints `ready` when every socket takes connections. Then reads commands from standard input: \
            `advance SECONDS` turns the clock on and prints `ok` when all that came due is durable. So do \
            `sleep SECONDS`, while the device sleeps, `set SECONDS`, which sets the clock on the wall forward, or \
            back with a minus, and `zone MINUTES`, east of UTC. Stops when standard input ends. A policy with mistakes is listed, and ends it with 65.
            """)

    @Option(help: "Sockets are DIR/NAME.sock, the state is in DIR/state.")
    var directory: String

    @Option(help: "What the generator starts from.")
    var seed: UInt64 = 1

    @Option(help: "A directory with a policy, as for gated. Read again at each reload.")
    var configDirectory: String?

    @Option(help: "Instead: a file with the text of a policy.")
    var policy: String?

    @Option(help: "Without either: the kind of the mode's challenge, and else what is built in.")
    var challenge = Challenge.Kind.arithmeticChoice

    @Option(help: "Seconds since the boot at the start.")
    var now: Int64 = 1000

    @Option(help: "By how many seconds the clock on the wall was set.")
    var wallOffset: Int64 = 0

    @Option(help: "The time zone, in minutes east of UTC.")
    var minutesEast = 0

    @Option(help: "How many seconds the device has slept since its boot.")
    var suspended: Int64 = 0

    @Option(help: "Another id is another boot.")
    var bootID = "boot-1"

    @Option(help: "Whose socket to open: NAME=UID, NAME=UID/OWNER:ROLE. Repeatable. \(ScriptedPeer.roleNames)")
    var peer: [ScriptedPeer]

    func run() throws {
        let clock = ScriptedClock(
            now: .seconds(now), wallOffset: .seconds(wallOffset), minutesEastOfUTC: minutesEast,
            suspended: .seconds(suspended), bootID: bootID)
        let alarm = ScriptedAlarm()
        let source = ScriptedPolicy(directory: configDirectory, file: policy, challenge: challenge)
        var environment = Environment(
            clock: clock, random: SeededGenerator(seed: seed),
            makeAlarm: { _, wake in
                alarm.wake = wake
                return alarm
            },
            readPolicyFiles: {
                DevicePolicyFiles { _, choices throws(PolicyError) in try source.read(choices) }
            },
            // Each socket gives its peers their roles.
            roleRules: { RoleRules($0, daemonUser: 0, user: { _ in nil }, group: { _ in nil }) })
        environment.watchWallClock = { clock.makeWatch(wasSet: $1) }
        environment.processes = ScriptedProcesses(users: Set(peer.map(\.uid)))
        let settings = Daemon.Settings(
            listeners: peer.map { peer in
                Daemon.Listener(socket: .path("\(directory)/\(peer.name).sock", mode: 0o600)) { attested in
                    var credentials = attested
                    credentials.uid = peer.uid
                    return PeerIdentity(credentials: credentials, givenRoles: peer.roles, givenOwner: peer.owner)
                }
            }, stateDirectory: "\(directory)/state")
        let daemon = Daemon(
            settings: settings, environment: environment,
            logger: Logger(label: "gated-scripted") { StreamLogHandler.standardError(label: $0) })
        let stop = StopRequest()
        do {
            try DaemonProcess.run(daemon, until: stop) { authority in
                say("ready")
                Task {
                    for await line in standardInputLines() {
                        await obey(line, clock: clock, alarm: alarm, authority: authority)
                    }
                    // The program that turned the clock is gone.
                    stop.make()
                }
            }
        } catch let error as BadPolicy {
            for problem in error.problems { FileHandle.standardError.write(Data("\(problem)\n".utf8)) }
            throw ExitCode(65)
        }
    }

    private func obey(_ line: String, clock: ScriptedClock, alarm: ScriptedAlarm, authority: Authority) async {
        let words = line.split(separator: " ")
        let problem = "error: the commands are: advance SECONDS, sleep SECONDS, set SECONDS, zone MINUTES"
        guard words.count == 2, let number = Int64(words[1]) else { return say(problem) }
        await authority.settled()
        switch words[0] {
        case "advance" where number >= 0:
            await advance(by: .seconds(number), clock: clock, alarm: alarm, authority: authority)
        case "sleep" where number >= 0:
            clock.sleep(for: .seconds(number))
            await authority.ring(alarm)
        case "set":
            clock.setWall(by: .seconds(number))
            await authority.clockWasSet(clock)
        case "zone":
            clock.chooseZone(minutesEastOfUTC: Int(clamping: number))
            await authority.clockWasSet(clock)
        default: return say(problem)
        }
        await authority.settled()
        say("ok")
    }

    private func advance(
        by duration: Duration, clock: ScriptedClock, alarm: ScriptedAlarm, authority: Authority
    ) async {
        let target = clock.bootTime().advanced(by: duration)
        while let due = alarm.deadline, due <= target {
            clock.set(max(due, clock.bootTime()))
            await authority.ring(alarm)
            await authority.settled()
        }
        clock.set(target)
    }
}

extension Authority {
    fileprivate func ring(_ alarm: ScriptedAlarm) {
        alarm.ring()
    }

    /// The daemon then reads its time zone again, too.
    fileprivate func clockWasSet(_ clock: ScriptedClock) { clock.tellOfSetting() }
}

/// One of the peers that a script names.
struct ScriptedPeer: ExpressibleByArgument {
    let name: String
    let uid: UInt32
    /// The owner who is billed; `nil`: the user itself.
    let owner: Owner?
    let roles: Roles

    static let roleNames = "Roles: presenter, grown-up-presenter, provider, broker, timekeeper, administrator."

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let rest = parts[1].split(separator: ":", maxSplits: 1)
        let numbers = rest.first?.split(separator: "/").map { UInt32($0) } ?? []
        guard let uid = numbers.first ?? nil, numbers.count <= 2, !numbers.contains(nil) else { return nil }
        owner = numbers.count == 2 ? numbers[1].map { Owner(stored: $0) } : .user(uid)
        switch rest.dropFirst().first {
        case nil: roles = .app
        case "administrator": roles = [.app, .presenter, .grownUpPresenter, .provider, .broker, .administrator]
        case "grown-up-presenter": roles = [.app, .presenter, .grownUpPresenter]
        case "presenter": roles = [.app, .presenter]
        case "provider": roles = [.app, .provider]
        case "broker": roles = [.app, .broker]
        case "timekeeper": roles = [.app, .timekeeper]
        case .some: return nil
        }
        name = String(parts[0])
        self.uid = uid
    }
}

/// The processes that brokers ask for: each of the users has one, with the number of the user, since the first tick.
private struct ScriptedProcesses: ProcessDirectory {
    let users: Set<UInt32>
    let seesOthers = true

    func program(of subject: Subject) -> String? {
        users.contains(subject.uid) && subject.pid == Int32(clamping: max(1, subject.uid)) && subject.startTime == 1
            ? "game" : nil
    }
}

extension Challenge.Kind: ExpressibleByArgument {}

private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

/// The lines of standard input, read on a thread of their own.
private func standardInputLines() -> AsyncStream<String> {
    AsyncStream { continuation in
        var thread = pthread_t()
        let box = Unmanaged.passRetained(LineReader(continuation))
        pthread_create(
            &thread, nil,
            { argument in
                let reader = Unmanaged<LineReader>.fromOpaque(argument!).takeRetainedValue()
                while let line = readLine() { reader.continuation.yield(line) }
                reader.continuation.finish()
                return nil
            }, box.toOpaque())
        pthread_detach(thread)
    }
}

private final class LineReader: Sendable {
    let continuation: AsyncStream<String>.Continuation

    init(_ continuation: AsyncStream<String>.Continuation) {
        self.continuation = continuation
    }
}
