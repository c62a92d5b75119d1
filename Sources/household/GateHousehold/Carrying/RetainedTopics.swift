import GateModel

/// Numbered retained topics of this device, and what the broker has of them: each content is published once, and cleared when gated has it no
/// more. What an earlier run of this program has left at the broker is cleared, too.
///
/// | event            | due                | underWay                    | published          | clearing           |
/// |------------------|--------------------|-----------------------------|--------------------|--------------------|
/// | `contentsAre`, with | due             | underWay; due where changed | published; due where changed | due      |
/// | `contentsAre`, without | gone         | to be cleared               | to be cleared      | nothing            |
/// | `ended`          | nothing            | published                   | nothing            | gone               |
/// | `brokerConnected`| due                | due                         | due                | due again          |
struct RetainedTopics: Hashable, Sendable {
    struct Content: Hashable, Sendable {
        var payload: [UInt8]
        /// When the broker is to forget it; `never`: it does not by itself.
        var expires: BootTime

        /// Nothing: the topic is cleared.
        static let cleared = Content(payload: [], expires: .never)
    }

    private struct Entry: Hashable {
        var content: Content
        var isDue = true
        var isUnderWay = false
    }

    /// How many there are at most.
    let limit: Int
    /// The change of the newest contents that gated has told; 0: none.
    private(set) var change: UInt64 = 0
    private var entries: [UInt64: Entry] = [:]
    /// Topics of this device that the broker has, before gated has told which there are.
    private var leftBehind: Set<UInt64> = []

    init(limit: Int) {
        self.limit = limit
    }

    /// gated has told what there is, by number.
    mutating func contentsAre(_ contents: [UInt64: Content], change: UInt64) {
        self.change = change
        for (number, content) in contents where entries[number]?.content.payload != content.payload {
            set(number, content)
        }
        let gone = entries.filter { $0.value.content != .cleared }.map(\.key) + leftBehind
        for number in gone where contents[number] == nil { set(number, .cleared) }
        leftBehind = []
    }

    /// The broker has something of this device; what gated has not is an earlier run's.
    mutating func arrived(_ number: UInt64) {
        guard entries[number] == nil, entries.count + leftBehind.count < limit else { return }
        if change == 0 {
            leftBehind.insert(number)
        } else {
            set(number, .cleared)
        }
    }

    /// gated came back, and counts anew.
    mutating func daemonReturned() {
        change = 0
    }

    mutating func brokerConnected() {
        for number in entries.keys { entries[number]?.isDue = true }
    }

    mutating func brokerLost() {
        for number in entries.keys { entries[number]?.isUnderWay = false }
    }

    /// The publications that are due, by number, with how long they count; `nil`: until the next one.
    mutating func takeDue(at now: BootTime) -> [(number: UInt64, payload: [UInt8], left: Duration?)] {
        for (number, entry) in entries where entry.content.expires <= now {
            // The broker forgets it by itself at the same time.
            entries[number] = nil
        }
        let room = HouseholdLimits.unacknowledged - entries.values.count { $0.isUnderWay }
        let due = entries.filter { $0.value.isDue && !$0.value.isUnderWay }.sorted { $0.key < $1.key }
        return due.prefix(max(0, room)).map { number, entry in
            entries[number]?.isDue = false
            entries[number]?.isUnderWay = true
            let expires = entry.content.expires
            return (number, entry.content.payload, expires == .never ? nil : now.duration(to: expires))
        }
    }

    /// The broker has it, or does not want it.
    mutating func ended(_ number: UInt64) {
        guard let entry = entries[number], entry.isUnderWay else { return }
        entries[number]?.isUnderWay = false
        if entry.content == .cleared, !entry.isDue { entries[number] = nil }
    }

    private mutating func set(_ number: UInt64, _ content: Content) {
        let isUnderWay = entries[number]?.isUnderWay ?? false
        entries[number] = Entry(content: content, isUnderWay: isUnderWay)
    }
}
