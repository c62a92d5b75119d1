import GateModel
import GateScripting
import ProcessSupport

// The time that people use gated actions, and the clocks by which it is counted.

extension DaemonDialogue {
    mutating func turn(_ change: ClockChange) throws -> Outcome {
        clock.take(change)
        daemon.write("\(change.line)\n")
        guard try daemon.nextLineOrEnd() == "ok" else { throw daemon.failure("the clock can't be turned") }
        guard case .sleep(let duration) = change else { return .said("set") }
        now = now.advanced(by: duration)
        elapsed += duration
        return .clock(elapsed, try shownMode())
    }

    mutating func use(_ gatedAction: String, as person: Person) throws -> Outcome {
        let request = try json(["gatedAction": gatedAction])
        let process = try ChildProcess(
            builtProgram("gatectl"), arguments(["call", "gate.v1.Usage/CountUse", request], as: person), hasInput: false
        )
        let line = try process.nextLine()
        guard let reply = GatectlReply(line) else { throw UnreadableReply(reply: line) }
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        uses[person, default: [:]][gatedAction, default: []].append(process)
        return .said(UsageLine.begun(gatedAction, by: person.name, left: reply.timeLeft))
    }

    mutating func hearUse(_ gatedAction: String, as person: Person) throws -> Outcome {
        guard let process = uses[person]?[gatedAction]?.last else {
            return .refused("\(person.name) does not use \(gatedAction)")
        }
        let line = try process.nextLine()
        guard let reply = GatectlReply(line) else { throw UnreadableReply(reply: line) }
        return .said(UsageLine.heard(by: person.name, left: reply.timeLeft, isOver: reply.isTrue("isOver")))
    }

    mutating func stopUsing(_ gatedAction: String, as person: Person) throws -> Outcome {
        let processes = uses[person]?.removeValue(forKey: gatedAction) ?? []
        let before = try status().revisionNumber ?? 0
        for process in processes { process.kill() }
        // The journal gets an entry for each, so each makes a revision.
        try waitUntil("the daemon has noticed") {
            (try status().revisionNumber ?? 0) >= before + Int64(processes.count)
        }
        return .said("\(person.name) stopped")
    }

    mutating func usage(as person: Person) throws -> Outcome {
        let reply = try lastReply(to: ["call", "gate.v1.Usage/ListUsage", "{}"], as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        let lines = reply.objects("times").map { time in
            let allowance = time.text("allowance") ?? ""
            return UsageLine(
                who: world.name(of: UInt32(time.number("uid") ?? 0)),
                subject: allowance.isEmpty ? time.text("gatedAction") ?? "" : allowance, day: time.text("day") ?? "",
                used: .milliseconds(time.number("usedMilliseconds") ?? 0), left: time.timeLeft,
                isRunning: time.isTrue("isRunning"))
        }
        return .said(UsageLine.text(lines))
    }
}

extension GatectlReply {
    fileprivate var timeLeft: Duration? {
        isTrue("isLimited") ? .milliseconds(number("leftMilliseconds") ?? 0) : nil
    }
}
