import GateModel

/// Commands and results on their way to the broker, in order. Each stays until the broker has it.
struct Outbox: Hashable, Sendable {
    struct Letter: Hashable, Sendable {
        var number: UInt64
        var topic: HouseholdTopic
        var signed: [UInt8]
        /// When it counts no longer.
        var expires: BootTime
        /// The broker was given it, and has not acknowledged it yet.
        var isUnderWay = false
    }

    private(set) var letters: [Letter] = []
    private var lastNumber: UInt64 = 0

    /// Whether so much waits that gated is asked for no more.
    var isFull: Bool { letters.count >= HouseholdLimits.unsent }

    mutating func append(_ topic: HouseholdTopic, _ signed: [UInt8], expires: BootTime) {
        lastNumber += 1
        letters.append(Letter(number: lastNumber, topic: topic, signed: signed, expires: expires))
    }

    /// The next ones to give to the broker.
    mutating func takeDue() -> [Letter] {
        let count = letters.count { $0.isUnderWay }
        var due: [Letter] = []
        for index in letters.indices where !letters[index].isUnderWay {
            guard count + due.count < HouseholdLimits.unacknowledged else { break }
            letters[index].isUnderWay = true
            due.append(letters[index])
        }
        return due
    }

    /// The broker has it, or does not want it.
    mutating func ended(_ number: UInt64) {
        letters.removeAll { $0.number == number && $0.isUnderWay }
    }

    /// Whether the broker has got those that were under way, nobody knows: they go out again.
    mutating func brokerLost() {
        for index in letters.indices { letters[index].isUnderWay = false }
    }

    /// - Returns: how many there were whose time is over.
    mutating func removeExpired(at now: BootTime) -> Int {
        let before = letters.count
        letters.removeAll { !$0.isUnderWay && $0.expires <= now }
        return before - letters.count
    }
}
