import Foundation
import GateModel
import GateScripting
import Glibc
import ProcessSupport
import ReceiptSupport

/// A script's dialogue with a real daemon: `gated-scripted` with its clock in our hands, and a `gatectl` for each
/// command, each a process with a connection of its own.
struct DaemonDialogue: Dialogue {
    var world: ScriptWorld
    let directory: URL
    /// Signs the purchases, if the world has products.
    let store: SignedTransactions
    /// What it has signed so far, by transaction.
    var purchases: [String: SignedPurchase] = [:]
    var daemon: ChildProcess
    private var boots = 1
    var now = ScriptWorld.firstBootTime
    /// The time since the script began.
    var elapsed = Duration.zero
    var clock = ScriptClock()
    var asked: [UInt64: AskedChallenge] = [:]
    /// Programs that wait for somebody else to show their question, and what they asked for.
    var waiting: [Person: ChildProcess] = [:]
    var requests: [Person: AuthorizationRequest] = [:]
    var screens: [DaemonScreen] = []
    /// The newest grant of each gated action that somebody else is to take, in base64; and the program that holds it.
    var proofs: [String: String] = [:]
    var holders: [ChildProcess] = []
    /// The programs that are being used, by person and gated action.
    var uses: [Person: [String: [ChildProcess]]] = [:]
    var watchers: [Person: Watcher] = [:]
    var signInWatchers: [Person: DaemonWatcher<ShownSignIn>] = [:]
    var entitlementWatchers: [Person: DaemonWatcher<ShownEntitlements>] = [:]
    var formWatchers: [Person: DaemonWatcher<[ShownForm]>] = [:]
    private var journalShown = 0

    /// A question that a `gatectl toggle` or `extend` shows, or has shown.
    struct AskedChallenge {
        let person: Person
        let content: Presentation.Content
        /// The request; `nil` for the mode.
        let request: AuthorizationRequest?
        /// The cookie as it is in JSON.
        let cookie: String
        /// The program that shows it; `nil` if it has ended.
        var process: ChildProcess?
    }

    struct Watcher {
        let process: ChildProcess
        var unread: [ShownMode] = []
        var last: ShownMode?
        var lastRevision: Int64 = -1
    }

    /// Starts a daemon with an empty store.
    init(world: ScriptWorld) throws {
        self.world = world
        // Short, since the path of a socket has room for 107 bytes.
        directory = URL(filePath: "/tmp/gate-\(UUID().uuidString.prefix(8))")
        store = try SignedTransactions()
        do {
            try world.writeConfiguration(into: directory, store)
            daemon = try DaemonDialogue.start(world, in: directory, now: now, clock, boot: boots)
        } catch {
            try? FileManager.default.removeItem(at: directory)
            throw error
        }
    }

    /// Ends all processes and takes the files away.
    func end() {
        for question in asked.values { question.process?.kill() }
        for process in watchers.values.map(\.process) + signInWatchers.values.map(\.process)
            + entitlementWatchers.values.map(\.process) + formWatchers.values.map(\.process)
        {
            process.kill()
        }
        for screen in screens { screen.process.kill() }
        for process in Array(waiting.values) + holders + uses.values.flatMap(\.values).joined() { process.kill() }
        daemon.kill()
        try? FileManager.default.removeItem(at: directory)
    }

    private static func start(
        _ world: ScriptWorld, in directory: URL, now: BootTime, _ clock: ScriptClock, boot: Int
    ) throws -> ChildProcess {
        let daemon = try ChildProcess(
            builtProgram("gated-scripted"),
            [
                "--directory", directory.path(), "--seed", "\(world.seed)",
                "--config-directory", ScriptWorld.configuration(in: directory).path(), "--now",
                "\(now.nanoseconds / 1_000_000_000)", "--boot-id", "boot-\(boot)",
            ] + clock.options + world.peerOptions)
        guard try daemon.nextLineOrEnd() == "ready" else { throw daemon.failure("it is not ready") }
        return daemon
    }

    // MARK: - The verbs

    mutating func toggle(as person: Person) throws -> Outcome {
        try ask(["toggle", "--stdin"], as: person)
    }

    mutating func extend(for duration: Duration?, as person: Person) throws -> Outcome {
        try ask(["extend"] + (duration.map { [$0.shortText] } ?? []) + ["--stdin"], as: person)
    }

    mutating func cancel(as person: Person) throws -> Outcome {
        try outcome(of: ["cancel"], as: person)
    }

    mutating func lock(as person: Person) throws -> Outcome {
        try outcome(of: ["lock"], as: person)
    }

    mutating func override(
        to mode: Mode, for duration: Duration?, because reason: String, as person: Person
    ) throws -> Outcome {
        let lease = duration.map { ["--for", $0.shortText] } ?? []
        return try outcome(of: ["override", mode.rawValue] + lease + ["--reason", reason], as: person)
    }

    mutating func mode() throws -> Outcome {
        .mode(try shownMode())
    }

    mutating func answer(challenge id: UInt64, with text: String, by thief: Person?) throws -> Outcome {
        if asked[id] == nil, thief == nil, let outcome = try answerOnScreen(id, text) { return outcome }
        let question = try question(id)
        if let thief {
            return try answerElsewhere(question, with: text, as: thief)
        }
        guard let process = question.process else {
            return try answerElsewhere(question, with: text, as: question.person)
        }
        process.write(try question.lines(for: text, authenticatorCode: authenticatorCode))
        if case .whatsNew = question.content { return try seen(id, process) }
        guard let line = try process.nextLineAnywhere() else { throw process.failure("no result after the answer") }
        if line.channel == .error {
            // The text was no answer: gatectl prints the daemon's sentence, and asks once more.
            return .refused(line.text.components(separatedBy: " Please give")[0])
        }
        guard let reply = GatectlReply(line.text) else { throw UnreadableReply(reply: line.text) }
        if let next = try shown(
            reply["next"] ?? reply.presentation, to: question.person, by: process, for: question.request)
        {
            asked[id]?.process = nil
            return next
        }
        if reply.error == nil, let request = question.request {
            return try granted(request, to: question.person, reply, by: process)
        }
        try finish(id, with: reply)
        guard let error = reply.error else {
            return .right(try shown(reply["state"]))
        }
        switch error.text("reason") {
        case "REASON_WRONG_ANSWER":
            let lock = error.number("retryAfterMilliseconds").map { Duration.milliseconds($0) }
            return .wrong(try shownMode(), lockedOutFor: lock)
        case "REASON_CLOSED", "REASON_EXPIRED":
            // gatectl saw for itself that the question is gone, and may say it in its own words. Ask the daemon.
            return try answerElsewhere(question, with: text, as: question.person)
        default:
            return .refused(error.text("message") ?? "")
        }
    }

    mutating func dismiss(challenge id: UInt64) throws -> Outcome {
        if asked[id] == nil, let outcome = try answerOnScreen(id, "") { return outcome }
        let question = try question(id)
        guard let process = question.process else {
            let request = "{\"cookie\":\"\(question.cookie)\"}"
            return try outcome(of: ["call", "gate.v1.Presentations/Dismiss", request], as: question.person)
        }
        asked[id]?.process = nil
        switch question.content {
        case .challenge: process.closeInput()
        // Its standard input stays open for whatever may follow.
        case .signIn, .paywall, .form, .unrecognized: process.signal(SIGINT)
        case .whatsNew:
            process.closeInput()
            return try seen(id, process)
        }
        let status = try process.ended().status
        guard status == 3 else { throw process.failure("exit status \(status) after a dismissal") }
        return .dismissed(try shownMode())
    }

    mutating func hangUp(challenge id: UInt64) throws -> Outcome {
        guard let process = try question(id).process else {
            throw UnknownChallenge(id: id, message: "its program has ended before")
        }
        let before = try status().revisionNumber ?? 0
        asked[id]?.process = nil
        process.kill()
        try waitUntil("the daemon has noticed") { (try status().revisionNumber ?? 0) > before }
        return .gone(try shownMode())
    }

    mutating func press(challenge id: UInt64) throws -> Outcome {
        guard let process = try question(id).process else { throw UnknownChallenge(id: id, message: "it is closed") }
        process.write("press\n")
        guard let line = try process.nextLineAnywhere() else { throw process.failure("no word after the press") }
        guard line.channel == .output else { return .refused(line.text.components(separatedBy: " Please")[0]) }
        return .said("pressed")
    }

    mutating func advance(by duration: Duration) throws -> Outcome {
        daemon.write("advance \(duration.components.seconds)\n")
        guard try daemon.nextLineOrEnd() == "ok" else { throw daemon.failure("the clock can't be turned") }
        now = now.advanced(by: duration)
        elapsed += duration
        return .clock(elapsed, try shownMode())
    }

    mutating func restart() throws -> Outcome {
        try startAgain()
    }

    mutating func reboot() throws -> Outcome {
        boots += 1
        clock.rebooted()
        return try startAgain(at: ScriptWorld.bootTimeAfterReboot)
    }

    mutating func audit() throws -> Outcome {
        let entries = try journal()
        defer { journalShown = entries.count }
        return .journal(
            try entries[journalShown...].map { entry in
                guard let kind = entry.auditKind else { throw UnreadableReply(reply: "\(entry.fields)") }
                let by = entry["by"]
                let broker = by?["broker"].map { UInt32($0.number("uid") ?? 0) }
                let who = by.map { world.name(of: UInt32($0.number("uid") ?? 0), through: broker) }
                return JournalLine(who: who, kind: kind, detail: entry.text("detail") ?? "")
            })
    }

    mutating func watch(as person: Person) throws -> Outcome {
        if watchers[person] == nil {
            let process = try ChildProcess(builtProgram("gatectl"), arguments(["watch"], as: person))
            watchers[person] = Watcher(process: process)
        }
        try catchUp(person)
        defer { watchers[person]?.unread = [] }
        return .seen(watchers[person]?.unread ?? [])
    }

    // MARK: - The daemon

    /// kill -9, and a new daemon on the same store. The programs that showed questions end too.
    private mutating func startAgain(at bootTime: BootTime? = nil) throws -> Outcome {
        try settle()
        daemon.kill()
        for screen in screens { screen.process.kill() }
        for process in waiting.values { process.kill() }
        for process in uses.values.flatMap(\.values).joined() { process.kill() }
        (screens, waiting, uses) = ([], [:], [:])
        for id in asked.keys {
            asked[id]?.process?.kill()
            asked[id]?.process = nil
        }
        now = bootTime ?? now
        daemon = try DaemonDialogue.start(world, in: directory, now: now, clock, boot: boots)
        // This settles what fell due while there was no daemon.
        daemon.write("advance 0\n")
        guard try daemon.nextLineOrEnd() == "ok" else { throw daemon.failure("the clock can't be turned") }
        return .back(try shownMode())
    }

    func journal() throws -> [GatectlReply] {
        guard let administrator = world.administrator else { return [] }
        return try replies(to: ["audit"], as: administrator).flatMap { $0.objects("entries") }
    }

    /// Reads the watcher until it has seen the last change of the mode that the journal knows of.
    mutating func catchUp(_ person: Person) throws {
        var lastChange: Int64 = 0
        var mode: String?
        for entry in try journal() {
            let setsDeadline = [.parentEntered, .extended, .overridden].contains(entry.auditKind)
            if entry.text("mode") != mode || setsDeadline {
                lastChange = entry.number("number") ?? lastChange
            }
            mode = entry.text("mode")
        }
        guard var watcher = watchers[person] else { return }
        while watcher.lastRevision < lastChange {
            guard let line = try watcher.process.nextLineOrEnd() else { throw watcher.process.failure("it has ended") }
            guard let reply = GatectlReply(line) else { throw UnreadableReply(reply: line) }
            watcher.lastRevision = reply.revisionNumber ?? watcher.lastRevision
            guard let state = reply["mode"] else { continue }
            let shown = try shown(state)
            if shown != watcher.last {
                watcher.unread.append(shown)
                watcher.last = shown
            }
        }
        watchers[person] = watcher
    }

    // MARK: - One gatectl

    func arguments(_ verb: [String], as person: Person) -> [String] {
        verb + ["--json", "--socket", directory.appending(path: "\(person.name).sock").path()]
            + ["--server-user", "\(getuid())", "--foreign-clock"]
    }

    /// - Parameter exitStatus: what it must end with, given what it says.
    func lastReply(
        to verb: [String], as person: Person, exitStatus: ((GatectlReply) -> Int32)? = nil
    ) throws -> GatectlReply {
        let process = try ChildProcess(builtProgram("gatectl"), arguments(verb, as: person), hasInput: false)
        let result = try process.ended()
        guard let reply = result.output.split(separator: "\n").last.flatMap({ GatectlReply(String($0)) }),
            result.status == exitStatus?(reply) ?? reply.exitStatus
        else { throw process.failure("exit status \(result.status)") }
        return reply
    }

    private func replies(to verb: [String], as person: Person) throws -> [GatectlReply] {
        let process = try ChildProcess(builtProgram("gatectl"), arguments(verb, as: person))
        process.closeInput()
        var replies: [GatectlReply] = []
        while let line = try process.nextLineOrEnd() {
            guard let reply = GatectlReply(line) else { throw UnreadableReply(reply: line) }
            replies.append(reply)
        }
        guard let last = replies.last else { throw process.failure("no line of JSON") }
        try check(process, last)
        return replies
    }

    /// Checks that the exit status fits the JSON.
    func check(_ process: ChildProcess, _ reply: GatectlReply) throws {
        let status = try process.ended().status
        guard status == reply.exitStatus else {
            throw process.failure("exit status \(status), not \(reply.exitStatus), after \(reply.fields)")
        }
    }

    func outcome(of verb: [String], as person: Person) throws -> Outcome {
        guard let reply = try replies(to: verb, as: person).last else { throw UnreadableReply(reply: "") }
        return try outcome(of: reply)
    }

    func outcome(of reply: GatectlReply) throws -> Outcome {
        if let error = reply.error {
            let message = error.text("message") ?? ""
            return error.text("reason") == "REASON_ASKED" ? .asked(message) : .refused(message)
        }
        return .mode(try shown(reply["state"]))
    }

    func status() throws -> GatectlReply {
        guard let person = world.people.first,
            let reply = try replies(to: ["status"], as: person).last
        else { throw UnreadableReply(reply: "") }
        return reply
    }

    func shownMode() throws -> ShownMode {
        try shown(status()["state"])
    }

    func shown(_ state: GatectlReply?) throws -> ShownMode {
        guard let state, let mode = state.mode else { throw UnreadableReply(reply: "\(state?.fields ?? [:])") }
        return ShownMode(mode: mode, until: state.deadline.map { elapsed + now.duration(to: $0) })
    }

    /// Waits for something that the daemon notices by itself.
    func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
        let patience = ContinuousClock.now + .seconds(300)
        // Each check takes a process or two, and time from others.
        var pause: UInt32 = 10_000
        while try !condition() {
            guard ContinuousClock.now < patience else { throw daemon.failure("it never happens that \(what)") }
            usleep(pause)
            pause = min(pause * 2, 160_000)
        }
    }
}

/// A line that is not what `gatectl --json` promises.
struct UnreadableReply: Error, CustomStringConvertible {
    let reply: String

    var description: String { "can't make sense of: \(reply)" }
}
