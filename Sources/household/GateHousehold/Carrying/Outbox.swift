import GateModel

/// Commands and results on their way to the broker, in order. Each stays until the broker has acknowledged or refused
/// it, or it expires. It is sent again if nobody was subscribed.
struct Outbox: Hashable, Sendable {
    struct Letter: Hashable, Sendable {
        var number: UInt64
        var topic: HouseholdTopic
        var signed: [UInt8]
        var expires: BootTime
        /// Whether it was published, and not acknowledged yet.
        var isUnderWay = false
        /// When to publish it again, because nobody was subscribed; `nil` if that has not happened.
        var again: BootTime?
    }

    private(set) var letters: [Letter] = []
    private var lastNumber: UInt64 = 0

    /// Whether too many letters wait for the broker. Then the carrier passes no command to gated, since its result
    /// would be another letter, and collects no command from it. Letters that nobody was subscribed to don't count.
    var isFull: Bool { letters.count { $0.again == nil } >= HouseholdLimits.unsent }

    /// When `takeDue` has another letter; `nil` if only another event changes something.
    var deadline: BootTime? {
        guard underWayCount < HouseholdLimits.unacknowledged else { return nil }
        return letters.lazy.compactMap { $0.isUnderWay ? nil : $0.again }.min()
    }

    private var underWayCount: Int { letters.count { $0.isUnderWay } }

    mutating func append(_ topic: HouseholdTopic, _ signed: [UInt8], expires: BootTime) {
        lastNumber += 1
        letters.append(Letter(number: lastNumber, topic: topic, signed: signed, expires: expires))
    }

    /// The next letters to publish: first those that were not sent yet, then those that nobody was subscribed to.
    mutating func takeDue(at now: BootTime) -> [Letter] {
        let room = HouseholdLimits.unacknowledged - underWayCount
        let waiting = letters.indices.filter { !letters[$0].isUnderWay && letters[$0].again ?? now <= now }
        let (again, new) = (waiting.filter { letters[$0].again != nil }, waiting.filter { letters[$0].again == nil })
        return (new + again).prefix(max(0, room)).map { index in
            letters[index].isUnderWay = true
            return letters[index]
        }
    }

    /// The broker has acknowledged or refused a letter.
    mutating func ended(_ number: UInt64) {
        letters.removeAll { $0.number == number && $0.isUnderWay }
    }

    /// Nobody was subscribed, so the letter is sent again later. Returns how many were dropped to make room.
    mutating func unheard(_ number: UInt64, at now: BootTime) -> Int {
        guard let index = letters.firstIndex(where: { $0.number == number && $0.isUnderWay }) else { return 0 }
        letters[index].isUnderWay = false
        letters[index].again = now.advanced(by: HouseholdLimits.unheardInterval)
        guard letters.count(where: { $0.again != nil }) > HouseholdLimits.unheard,
            let oldest = letters.firstIndex(where: { $0.again != nil && !$0.isUnderWay })
        else { return 0 }
        letters.remove(at: oldest)
        return 1
    }

    /// Publishes the letters that were under way again, because the broker may have got them or not.
    mutating func brokerLost() {
        for index in letters.indices { letters[index].isUnderWay = false }
    }

    /// - Returns: how many had expired.
    mutating func removeExpired(at now: BootTime) -> Int {
        let before = letters.count
        letters.removeAll { !$0.isUnderWay && $0.expires <= now }
        return before - letters.count
    }
}
