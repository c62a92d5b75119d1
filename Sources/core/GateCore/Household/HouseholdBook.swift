import GateModel

/// The household's data that lasts as long as the daemon: challenges for guardians' commands, locks that were done,
/// questions of other devices, and who reaches the broker.
struct HouseholdBook: Hashable, Sendable {
    /// The most locks that are remembered, so that a repeated one is recognized. A lock that is forgotten has usually
    /// expired. If it has not, repeating it does no harm, because a lock opens nothing.
    static let rememberedLocks = 64

    /// The greatest age of a challenge in a command that opens something, by the boot clock, which nobody can set back.
    static let longestLife = Duration.seconds(3600)
    /// The age from which on a challenge is replaced when the carrier asks for it, which it does every half hour.
    static let renewal = Duration.seconds(25 * 60)
    /// How long the replaced challenge still counts, for commands that are on their way.
    static let grace = Duration.seconds(5 * 60)

    /// What a command may do because of the challenge that it echoes.
    enum Echo: Hashable {
        /// Nothing because of the challenge: it is not one of this connection.
        case none
        /// Only lock: the challenge is too old for more.
        case locks
        /// Everything.
        case opens
    }

    private struct Challenge: Hashable {
        var bytes: [UInt8]
        var made: BootTime
        /// When the next challenge was made; `nil`: this is the newest.
        var replaced: BootTime?

        func opens(at now: BootTime) -> Bool {
            made.duration(to: now) <= HouseholdBook.longestLife
                && replaced.map { $0.duration(to: now) <= HouseholdBook.grace } ?? true
        }
    }

    /// The newest challenge of each connection that asked for one, after the one before it.
    private var challenges: [UInt64: [Challenge]] = [:]
    /// The ids of the locks that were done, newest last.
    private var locks: [HouseholdID] = []

    var heard = HeardRequestBook()
    var takenScreens = DeviceLockouts()
    /// The connection that reported that it reaches the broker; `nil`: none.
    private(set) var reaching: UInt64?

    /// The connections that have a challenge, brought a question, or reach the broker.
    var connections: Set<UInt64> {
        Set(challenges.keys).union(heard.entries.filter { !$0.isClosed }.map(\.carrier.connection)).union(
            reaching.map { [$0] } ?? [])
    }

    /// The connection's challenge: 32 random bytes. Makes a new one if there is none, or it is older than `renewal`.
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

    /// Takes a challenge that a command echoes. If it is one of the connection's, all of them are used up, so that
    /// commands from before this one can't come after it.
    mutating func use(_ challenge: [UInt8], of connection: UInt64, at now: BootTime) -> Echo {
        guard !challenge.isEmpty,
            let own = challenges[connection]?.last(where: { GateSecret($0.bytes) == GateSecret(challenge) })
        else { return .none }
        challenges[connection] = nil
        return own.opens(at: now) ? .opens : .locks
    }

    /// Remembers a lock. Returns false if it was done before.
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

    /// Returns whether asks of other devices are gone with the connection, which watchers have to hear.
    mutating func connectionLost(_ connection: UInt64) -> Bool {
        challenges[connection] = nil
        brokerReached(false, by: connection)
        return heard.carrierLost(connection)
    }
}
