import GateModel

/// Everything that is being used now. None of it is stored: a use ends with the stream that holds it.
struct UseBook: Hashable, Sendable {
    /// A program that is being used.
    struct OpenUse: Hashable, Sendable {
        let peer: Peer
        /// The user whose time it uses: the peer's own user, or the user in whose range of uids the peer is.
        let user: UInt32
        let gatedAction: String
        /// The words for which a grown-up's yes allows it.
        let details: String
        /// When it began, by the clock that stands still while the device sleeps. Each pause moves this on by its length.
        var began: AwakeTime
        /// Whether there was time left when it began. If not, something else allowed it, such as an answer that is not
        /// kept.
        let hadTime: Bool
        /// Whether a grown-up's yes that can be used any number of times allowed it when it began. The use is over when
        /// that yes ends.
        let hadYes: Bool
        /// When it was paused, so that its time does not run; `nil` if it is not paused.
        var pausedSince: AwakeTime?

        /// How long it was used, without its pauses.
        func length(at now: AwakeTime) -> Duration { (pausedSince ?? now).duration(since: began) }
    }

    /// The time of a meter that is running and not stored yet. Two uses of one meter at the same time run once.
    struct Running: Hashable, Sendable {
        var since: AwakeTime
        /// The number of the day on which the time counts.
        var day: Int64
    }

    /// In an object of their own, so that the state stays small.
    private struct SeldomChanged: Hashable {
        var spent: Set<UsageMeter> = []
        var sessions = ShownSessions()
    }

    /// By the number that the daemon gave each use.
    private(set) var uses: [UInt64: OpenUse] = [:]
    var meters: [UsageMeter: Running] = [:]
    /// The meters that had no time left when use was last counted.
    var spent: Set<UsageMeter> {
        get { seldomChanged.value.spent }
        set { if newValue != spent { seldomChanged = Shared(SeldomChanged(spent: newValue, sessions: sessions)) } }
    }
    /// Whose login sessions are on the screens of the device. Without open uses this is not read, and empty.
    var sessions: ShownSessions {
        get { seldomChanged.value.sessions }
        set { if newValue != sessions { seldomChanged = Shared(SeldomChanged(spent: spent, sessions: newValue)) } }
    }
    private var seldomChanged = Shared(SeldomChanged())
    /// When the running time is to be stored next, or something else changes: a day ends, or a warning is due.
    var nextTick: BootTime?
    /// When all running time is to be stored; nearer moments are in `nextTick`.
    var storedNext: BootTime?
    /// Whether use was counted since the daemon started. Before, `spent` does not know whose time was over already.
    var hasCounted = false

    var isEmpty: Bool { uses.isEmpty }
    var count: Int { uses.count }

    subscript(number: UInt64) -> OpenUse? { uses[number] }

    func count(of owner: Owner) -> Int { uses.values.count { $0.peer.owner == owner } }

    var inOrder: [(number: UInt64, use: OpenUse)] {
        uses.sorted { $0.key < $1.key }.map { (number: $0.key, use: $0.value) }
    }

    /// Whether this user's programs are using a gated action.
    func isUsed(_ gatedAction: String, by uid: UInt32) -> Bool {
        uses.values.contains { $0.user == uid && $0.gatedAction == gatedAction }
    }

    var connections: Set<UInt64> { Set(uses.values.map(\.peer.connection)) }

    mutating func began(_ number: UInt64, _ use: OpenUse) { uses[number] = use }
    mutating func ended(_ number: UInt64) -> OpenUse? { uses.removeValue(forKey: number) }

    /// Whether the uses of exactly these users are paused.
    func arePaused(_ users: Set<UInt32>) -> Bool {
        uses.values.allSatisfy { ($0.pausedSince != nil) == users.contains($0.user) }
    }

    /// From now on the uses of exactly these users are paused.
    mutating func pause(_ users: Set<UInt32>, at now: AwakeTime) {
        for (number, use) in uses where (use.pausedSince != nil) != users.contains(use.user) {
            if let since = use.pausedSince {
                uses[number]?.began = use.began.advanced(by: now.duration(since: since))
                uses[number]?.pausedSince = nil
            } else {
                uses[number]?.pausedSince = now
            }
        }
    }
}

/// A moment of the clock that stands still while the device sleeps (CLOCK_MONOTONIC), in nanoseconds. Gate has no other
/// use for it than to count how long something was used.
struct AwakeTime: Hashable, Sendable, Comparable {
    var nanoseconds: Int64

    static func < (left: AwakeTime, right: AwakeTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The time from an earlier moment to this one; zero if that is later.
    func duration(since other: AwakeTime) -> Duration { .nanoseconds(max(0, nanoseconds - other.nanoseconds)) }

    func advanced(by duration: Duration) -> AwakeTime {
        AwakeTime(nanoseconds: nanoseconds + duration.clampedNanoseconds)
    }
}

/// Which day it is for each allowance that a gated action needs. Days begin at different times, so allowances may be on
/// different days. It is read anew when a day begins, when the policy or the time zone changes, and when the clock is
/// set.
final class AllowanceBook: Sendable {
    private let configuration: Shared<Configuration>
    let zone: ZoneOffsets
    /// By name.
    let allowances: [String: Allowance]
    private let days: [String: UsageDay]
    /// The day of gated actions that need no allowance.
    private let dayOfActions: UsageDay
    /// The numbers of the days, by name. If one changes, there may be more time.
    let numbers: [String: Int64]
    /// The days above are right at these moments.
    private let validity: Range<WallTime>
    /// The names of the allowances that each gated action needs, in the order of the names. Actions without any are
    /// missing.
    let needs: [String: [String]]

    init(of configuration: Shared<Configuration>, at time: WallTime, in zone: ZoneOffsets) {
        var (allowances, needs): ([String: Allowance], [String: [String]]) = ([:], [:])
        for (name, action) in configuration.value.gatedActions {
            let needed = action.requirement.allowances
            guard !needed.isEmpty else { continue }
            needs[name] = Set(needed.map(\.name)).sorted()
            for allowance in needed { allowances[allowance.name] = allowance }
        }
        let dayOfActions = UsageDay(at: time, in: zone, start: 0)
        let days = allowances.mapValues { UsageDay(at: time, in: zone, start: $0.dayStart) }
        (self.configuration, self.zone, self.allowances, self.needs) = (configuration, zone, allowances, needs)
        (self.dayOfActions, self.days, numbers) = (dayOfActions, days, days.mapValues(\.number))
        validity = days.values.reduce(dayOfActions.times) { $0.clamped(to: $1.times) }
    }

    func isRead(from configuration: Shared<Configuration>) -> Bool { configuration === self.configuration }

    func isCurrent(for configuration: Shared<Configuration>, at time: WallTime, in zone: ZoneOffsets) -> Bool {
        isRead(from: configuration) && validity.contains(time) && zone == self.zone
    }

    /// Today's number, by the clock.
    func today(for subject: UsedTime.Subject) -> Int64 {
        switch subject {
        case .allowance(let name): days[name]?.number ?? dayOfActions.number
        case .gatedAction: dayOfActions.number
        }
    }

    /// The earliest of today's numbers.
    var firstToday: Int64 { numbers.values.reduce(dayOfActions.number) { min($0, $1) } }

    /// The number of the day that began at midnight. An allowance whose days begin later may still be on the day
    /// before.
    var newestDay: Int64 { dayOfActions.number }

    /// Whether the policy limits the time of a meter.
    func limits(_ meter: UsageMeter) -> Bool {
        switch meter.subject {
        case .allowance(let name): allowances[name] != nil
        case .gatedAction: false
        }
    }

    /// When the first day ends.
    var end: WallTime { validity.upperBound }

    /// The allowances that a use of a gated action counts towards, or the action itself if it needs no allowance.
    func subjects(of gatedAction: String) -> [UsedTime.Subject] {
        needs[gatedAction].map { $0.map { .allowance($0) } } ?? [.gatedAction(gatedAction)]
    }
}

extension AllowanceBook: Hashable {
    static func == (left: AllowanceBook, right: AllowanceBook) -> Bool {
        left === right
            || left.numbers == right.numbers && left.zone == right.zone && left.configuration == right.configuration
    }

    func hash(into hasher: inout Hasher) { hasher.combine(numbers) }
}

extension Requirement {
    var allowances: [Allowance] {
        conditions.compactMap { if case .allowance(let allowance) = $0 { allowance } else { nil } }
    }
}
