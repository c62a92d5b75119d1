import GateModel

/// The challenges that are out, and the locks that were done: for as long as the daemon runs.
struct HouseholdBook: Hashable, Sendable {
    /// How many locks are known again. One that is forgotten is out of its time by then, or somebody locks without end, which opens nothing.
    static let rememberedLocks = 64

    /// How old a challenge may be when something that opens echoes it: no clock that was set back makes it good for longer.
    static let longestLife = Duration.seconds(3600)
    /// How old a challenge is when the next one is made for anyone who asks. What carries asks every half an hour.
    static let renewal = Duration.seconds(25 * 60)
    /// How long the one before is still good then: for commands that are on their way.
    static let grace = Duration.seconds(5 * 60)

    /// The things that a command may do by the challenge that it echoes.
    enum Echo: Hashable {
        /// Nothing: it echoes none of this connection.
        case none
        /// Lock: the challenge is too old for more.
        case locks
        /// Everything.
        case opens
    }

    private struct Challenge: Hashable {
        var bytes: [UInt8]
        var made: BootTime
        /// When the next one was made; `nil`: this is the newest.
        var replaced: BootTime?

        func opens(at now: BootTime) -> Bool {
            made.duration(to: now) <= HouseholdBook.longestLife
                && replaced.map { $0.duration(to: now) <= HouseholdBook.grace } ?? true
        }
    }

    /// The challenges of each connection that asked for one: the newest last, and the one before it.
    private var challenges: [UInt64: [Challenge]] = [:]
    /// The newest last.
    private var locks: [HouseholdID] = []

    /// The questions of other devices that came to this one.
    var heard = HeardRequestBook()
    /// The connection that has said that the broker can be reached; `nil`: none has.
    private(set) var reaching: UInt64?

    /// The connections that have a challenge, brought something, or carry.
    var connections: Set<UInt64> {
        Set(challenges.keys).union(heard.entries.map(\.carrier.connection)).union(reaching.map { [$0] } ?? [])
    }

    /// The challenge of this connection; a new one where it has none, or an old one.
    mutating func challenge(
        of connection: UInt64, at now: BootTime, using random: inout some RandomNumberGenerator
    ) -> [UInt8] {
        if let newest = challenges[connection]?.last, newest.made.duration(to: now) < Self.renewal {
            return newest.bytes
        }
        let bytes = (0..<4).flatMap { _ in
            let number: UInt64 = random.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        var former = challenges[connection]?.last
        former?.replaced = now
        challenges[connection] = [former, Challenge(bytes: bytes, made: now)].compactMap(\.self)
        return bytes
    }

    /// Takes a challenge that a command echoes. Where it is one of the connection's, all of them are used up: what was said before the command can't
    /// come after it.
    mutating func use(_ challenge: [UInt8], of connection: UInt64, at now: BootTime) -> Echo {
        guard !challenge.isEmpty,
            let own = challenges[connection]?.last(where: { GateSecret($0.bytes) == GateSecret(challenge) })
        else { return .none }
        challenges[connection] = nil
        return own.opens(at: now) ? .opens : .locks
    }

    /// - Returns: false: it was done before.
    mutating func lockComes(_ id: HouseholdID) -> Bool {
        guard !locks.contains(id) else { return false }
        locks = locks.suffix(Self.rememberedLocks - 1) + [id]
        return true
    }

    mutating func brokerReached(_ isReached: Bool, by connection: UInt64) {
        if isReached {
            reaching = connection
        } else if reaching == connection {
            reaching = nil
        }
    }

    mutating func connectionLost(_ connection: UInt64) {
        challenges[connection] = nil
        brokerReached(false, by: connection)
        _ = heard.removed { $0.carrier.connection == connection }
    }
}
