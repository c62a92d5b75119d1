import GateModel

/// The challenges that are out, and the locks that were done: for as long as the daemon runs.
struct HouseholdDesk: Hashable, Sendable {
    /// How many locks are known again. One that is forgotten is out of its time by then, or somebody locks without end, which opens nothing.
    static let rememberedLocks = 64

    /// The challenge of each connection that asked for one.
    private var challenges: [UInt64: [UInt8]] = [:]
    /// The newest last.
    private var locks: [HouseholdID] = []

    /// The questions of other devices that came to this one.
    var heard = HeardRequestBook()
    /// The connection that has said that the broker can be reached; `nil`: none has.
    private var reaching: UInt64?

    /// Whether the other devices can be reached.
    var isBrokerReached: Bool { reaching != nil }

    /// The connections that have a challenge, brought something, or carry.
    var connections: Set<UInt64> {
        Set(challenges.keys).union(heard.entries.map(\.carrier.connection)).union(reaching.map { [$0] } ?? [])
    }

    /// The challenge of this connection; a new one where it has none.
    mutating func challenge(
        of connection: UInt64, using random: inout some RandomNumberGenerator
    ) -> [UInt8] {
        if let challenge = challenges[connection] { return challenge }
        let challenge = (0..<4).flatMap { _ in
            let number: UInt64 = random.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        challenges[connection] = challenge
        return challenge
    }

    /// Whether this is the challenge of the connection, which is used up then.
    mutating func use(_ challenge: [UInt8], of connection: UInt64) -> Bool {
        guard !challenge.isEmpty, let own = challenges[connection], GateSecret(own) == GateSecret(challenge) else {
            return false
        }
        challenges[connection] = nil
        return true
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
