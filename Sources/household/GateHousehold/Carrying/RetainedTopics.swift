import GateModel

/// Retained topics of this device, told apart by a number or another key, and what the broker has of them. Each content
/// is published once, and cleared when gated no longer has it. Topics that an earlier run has left at the broker are
/// cleared, too.
///
/// | event                  | due      | underWay                 | published                 | clearing  |
/// |------------------------|----------|--------------------------|---------------------------|-----------|
/// | `contentsAre`, with    | due      | underWay; due if changed | published; due if changed | due       |
/// | `contentsAre`, without | clearing | clearing                 | clearing                  | nothing   |
/// | `ended`                | nothing  | published                | nothing                   | gone      |
/// | `brokerConnected`      | due      | due                      | due                       | due again |
struct RetainedTopics<Key: Hashable & Comparable & Sendable>: Hashable, Sendable {
    private struct Entry: Hashable {
        var content: RetainedContent
        var isDue = true
        var isUnderWay = false
    }

    /// How many topics are known before leftovers of earlier runs are ignored.
    let limit: Int
    /// gated's number of these contents; 0 if gated has returned none yet.
    private(set) var change: UInt64 = 0
    private var entries: [Key: Entry] = [:]
    /// Topics of this device that the broker has retained, until gated has returned which of them still exist.
    private var leftBehind: Set<Key> = []

    init(limit: Int) {
        self.limit = limit
    }

    /// gated has returned all contents, by number.
    mutating func contentsAre(_ contents: [Key: RetainedContent], change: UInt64) {
        self.change = change
        for (number, content) in contents where entries[number]?.content.payload != content.payload {
            set(number, content)
        }
        let gone = entries.filter { $0.value.content != .cleared }.map(\.key) + leftBehind
        for number in gone where contents[number] == nil { set(number, .cleared) }
        leftBehind = []
    }

    /// The broker has a topic of this device. If gated does not have it, an earlier run has left it.
    mutating func arrived(_ number: Key) {
        guard entries[number] == nil, entries.count + leftBehind.count < limit else { return }
        if change == 0 {
            leftBehind.insert(number)
        } else {
            set(number, .cleared)
        }
    }

    /// gated came back, and counts its changes anew.
    mutating func daemonReturned() {
        change = 0
    }

    mutating func brokerConnected() {
        for number in entries.keys { entries[number]?.isDue = true }
    }

    mutating func brokerLost() {
        for number in entries.keys { entries[number]?.isUnderWay = false }
    }

    /// The publications that are due, by number, and how long each is valid; `nil` if it is valid until the next one.
    mutating func takeDue(at now: BootTime) -> [(number: Key, payload: [UInt8], left: Duration?)] {
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

    /// The broker has acknowledged or refused a publication.
    mutating func ended(_ number: Key) {
        guard let entry = entries[number], entry.isUnderWay else { return }
        entries[number]?.isUnderWay = false
        if entry.content == .cleared, !entry.isDue { entries[number] = nil }
    }

    private mutating func set(_ number: Key, _ content: RetainedContent) {
        let isUnderWay = entries[number]?.isUnderWay ?? false
        entries[number] = Entry(content: content, isUnderWay: isUnderWay)
    }
}

struct RetainedContent: Hashable, Sendable {
    var payload: [UInt8]
    /// When the broker is to forget it; `never` if it is to keep it.
    var expires: BootTime

    /// An empty payload clears the topic.
    static let cleared = RetainedContent(payload: [], expires: .never)
}
