import Foundation
import GateGuardians
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
                isRunning: time.isTrue("isRunning"),
                elsewhere: time.objects("elsewhere").map {
                    UsedElsewhere(
                        device: $0.text("device") ?? "", used: .milliseconds($0.number("usedMilliseconds") ?? 0))
                })
        }
        return .said(UsageLine.text(lines))
    }

    mutating func told(_ use: ScriptUse) throws -> Outcome {
        guard let administrator = world.administrator, let household = SigningKey(Self.secret(7)),
            let other = SigningKey(Self.secret(8))
        else { throw UnreadableReply(reply: "nobody in this world can do this") }
        let file = ScriptWorld.configuration(in: directory).appending(path: "household.yaml")
        if !FileManager.default.fileExists(atPath: file.path()) {
            try Data(ScriptHousehold.yaml(household.publicKey.base64URL).utf8).write(to: file)
            if let error = try lastReply(to: ["reload"], as: administrator).error {
                return .refused(error.text("message") ?? "")
            }
            let list = ScriptHousehold.list(use.device, other.publicKey)
            let signed = SignedText.sign(list.payload, as: .list, with: household)
            if let refusal = try submit("SubmitGuardians", ["signedGuardians": signed], as: administrator) {
                return refusal
            }
        }
        let signed = SignedText.sign(use.report.payload, as: .usage, with: other)
        return try submit("SubmitUsage", ["signedUsage": signed], as: administrator)
            ?? .said("\(use.device) has told it")
    }

    /// `nil` if it was taken.
    private func submit(_ method: String, _ bytes: [String: [UInt8]], as person: Person) throws -> Outcome? {
        let request = try json(bytes.mapValues { Data($0).base64EncodedString() })
        let reply = try lastReply(to: ["call", "gate.v1.Household/\(method)", request], as: person)
        return reply.error.map { .refused($0.text("message") ?? "") }
    }

    private static func secret(_ byte: UInt8) -> GateSecret { GateSecret([UInt8](repeating: byte, count: 32)) }
}

extension GatectlReply {
    fileprivate var timeLeft: Duration? {
        isTrue("isLimited") ? .milliseconds(number("leftMilliseconds") ?? 0) : nil
    }
}
