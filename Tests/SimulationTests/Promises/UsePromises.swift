import GateModel

@testable import GateCore

/// The promises about the time that people use: while something is used its time passes, exactly, by the clock that
/// stands still while the device sleeps; and a daemon that is killed forgets a minute of it at most. That stored time
/// never shrinks is checked for each transition (`RulePromises`).
struct UsePromises {
    /// What was counted at one moment at which everything was on the disk.
    private struct Counted {
        let awake: AwakeTime
        let used: [UsageMeter: Duration]
        /// The numbers of the uses for which each meter runs.
        let running: [UsageMeter: Set<UInt64>]
    }

    private var last: Counted?

    mutating func daemonDied() {
        last = nil
    }

    mutating func check(_ device: SimulatedDevice) throws {
        let state = device.durable
        let ofUser = Dictionary(grouping: state.uses.inOrder, by: \.use.peer.uid).mapValues(\.count)
        try hold(ofUser.values.allSatisfy { $0 <= Limits.usesOfUser }, "somebody uses more at once than may be")
        guard device.isSettled else { return }
        let awake = AwakeTime(nanoseconds: device.now.nanoseconds - device.clock.suspended.clampedNanoseconds)
        let counted = try count(state, awake, isOverdue: state.nextDeadline.map { $0 <= device.now } ?? false)
        defer { last = counted }
        guard let last else { return }
        let elapsed = awake.duration(since: last.awake)
        for (meter, uses) in counted.running where !uses.isDisjoint(with: last.running[meter] ?? []) {
            let more = (counted.used[meter] ?? .zero) - (last.used[meter] ?? .zero)
            try hold(more >= elapsed, "\(meter) ran for \(elapsed), and \(more) was counted")
        }
        for (meter, used) in counted.used {
            // The end of each use rounds up to a millisecond.
            let more = used - (last.used[meter] ?? .zero)
            try hold(more <= elapsed + .milliseconds(100), "\(more) of \(meter) was counted in \(elapsed)")
        }
    }

    private func count(_ state: GateState, _ awake: AwakeTime, isOverdue: Bool) throws -> Counted {
        var used = state.records.usage.days.mapValues { days in Duration.milliseconds(days.values.reduce(0, +)) }
        for (meter, running) in state.uses.meters {
            let unstored = awake.duration(since: running.since)
            try hold(isOverdue || unstored <= UsageRules.interval, "\(unstored) of \(meter) is not stored")
            used[meter, default: .zero] += unstored
        }
        var running: [UsageMeter: Set<UInt64>] = [:]
        for (number, use) in state.uses.inOrder {
            for subject in state.allowances.subjects(of: use.gatedAction) {
                running[UsageMeter(uid: use.user, subject), default: []].insert(number)
            }
        }
        return Counted(awake: awake, used: used, running: running)
    }
}
