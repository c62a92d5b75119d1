import GateModel
import GateProtocol

// Random messages of usage.proto.

extension SplitMix {
    private mutating func time() -> Duration { .milliseconds(Int64.random(in: 0...(1 << 40), using: &self)) }

    mutating func usedTime() -> UsedTime {
        UsedTime(
            person: text(), uid: integer(),
            subject: bool() ? .allowance(text()) : .gatedAction(text()),
            day: CivilDate(WallTime(unixMilliseconds: Int64.random(in: 0...(1 << 44), using: &self))), used: time(),
            left: optional { $0.time() }, isToday: bool(), isRunning: bool(),
            elsewhere: array { UsedElsewhere(device: $0.text(), used: $0.time()) })
    }

    mutating func allowance() -> Allowance {
        Allowance(
            text(),
            secondsOfDays: optional { random in (0..<7).map { _ in Int.random(in: 0...86_400, using: &random) } },
            secondsOfWeek: optional { Int.random(in: 1...100_000, using: &$0) },
            dayStart: Int.random(in: 0..<1440, using: &self))
    }
}

extension CountUseRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(gatedAction: random.text(), details: random.text())
    }
}

extension CountUseResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        let time = random.usedTime()
        return Self(time: TimeLeft(left: time.left, isOver: time.isRunning))
    }
}

extension ListUsageRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(pageSize: Int(random.integer() as UInt32), pageToken: random.text(), days: Int(random.integer() as UInt32))
    }
}

extension UsedTime: SampledElement {
    static func sample(using random: inout SplitMix) -> Self { random.usedTime() }
}
