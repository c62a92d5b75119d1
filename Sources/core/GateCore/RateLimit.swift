import GateModel

/// Limits how often each key, such as an owner, can do something that costs nothing if it is done rarely.
///
/// A key has a number of uses, and regains one after each `regainTime`. The counts are not stored, because what they
/// limit ends with a restart, too.
struct RateLimit<Key: Hashable & Sendable>: Hashable, Sendable {
    private let uses: Int
    private let regainTime: Duration
    /// The most keys that are remembered.
    private let keys: Int
    /// When a key has regained all uses. A key that has all of them has no entry.
    private var wholeAgain: [Key: BootTime] = [:]

    init(_ uses: Int, regainedAfter regainTime: Duration, keys: Int) {
        (self.uses, self.regainTime, self.keys) = (uses, regainTime, keys)
    }

    enum Result: Hashable {
        case allowed
        case refused(retryAfter: Duration)
    }

    /// Counts a use by this key, or refuses it if none is left. A refused use costs nothing.
    mutating func used(by key: Key, at now: BootTime) -> Result {
        wholeAgain = wholeAgain.filter { now < $0.value }
        let before = wholeAgain[key] ?? now
        let wait = now.duration(to: before) - regainTime * (uses - 1)
        guard wait <= .zero else { return .refused(retryAfter: wait) }
        if wholeAgain[key] == nil, wholeAgain.count >= keys, let first = wholeAgain.values.min() {
            // No other entry is dropped to make room: that would give its key all uses back.
            return .refused(retryAfter: now.duration(to: first))
        }
        wholeAgain[key] = before.advanced(by: regainTime)
        return .allowed
    }
}
