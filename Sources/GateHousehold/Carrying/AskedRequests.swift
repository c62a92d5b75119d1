import GateModel

/// The questions of this device that guardians may answer, and what the broker has of them: each is published once and cleared when it is
/// closed. What an earlier run of this program has left at the broker is cleared, too.
///
/// | event            | due                | underWay                    | published          | clearing           |
/// |------------------|--------------------|-----------------------------|--------------------|--------------------|
/// | `openAre`, open  | due                | underWay; due where changed | published; due where changed | due      |
/// | `openAre`, closed | gone              | to be cleared               | to be cleared      | nothing            |
/// | `ended`          | nothing            | published                   | nothing            | gone               |
/// | `brokerConnected`| due                | due                         | due                | due again          |
struct AskedRequests: Hashable, Sendable {
    private struct Entry: Hashable {
        /// `nil`: it is closed.
        var message: RequestMessage?
        var expires: BootTime
        var isDue = true
        var isUnderWay = false
    }

    /// The change of the newest list that gated has told; 0: none.
    private(set) var change: UInt64 = 0
    private var entries: [UInt64: Entry] = [:]
    /// Questions of this device that the broker has, before gated has told which are open.
    private var leftBehind: Set<UInt64> = []

    /// gated has told which are open.
    mutating func openAre(_ requests: OutgoingRequests, of device: HouseholdID, at now: BootTime) {
        change = requests.change
        var open: Set<UInt64> = []
        for request in requests.requests {
            open.insert(request.number)
            let message = RequestMessage(
                name: RequestName(device, request.number), kind: request.kind, askedAt: request.askedAt,
                sealed: request.sealed)
            if entries[request.number]?.message == message { continue }
            set(request.number, message, until: now.advanced(by: request.left))
        }
        let closed = entries.filter { $0.value.message != nil }.map(\.key) + leftBehind
        for number in closed where !open.contains(number) { set(number, nil, until: .never) }
        leftBehind = []
    }

    /// The broker has a question of this device; one that is not open is an earlier run's.
    mutating func arrived(_ number: UInt64) {
        guard entries[number] == nil, entries.count + leftBehind.count < HouseholdLimits.ownRequests else { return }
        if change == 0 {
            leftBehind.insert(number)
        } else {
            set(number, nil, until: .never)
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

    /// The publications that are due, by number; `nil`: the topic is cleared.
    mutating func takeDue(at now: BootTime) -> [(number: UInt64, message: RequestMessage?, left: Duration?)] {
        for (number, entry) in entries where entry.message != nil && entry.expires <= now {
            // The broker forgets it by itself at the same time.
            entries[number] = nil
        }
        let due = entries.filter { $0.value.isDue && !$0.value.isUnderWay }.sorted { $0.key < $1.key }
        return due.map { number, entry in
            entries[number]?.isDue = false
            entries[number]?.isUnderWay = true
            return (number, entry.message, entry.message == nil ? nil : now.duration(to: entry.expires))
        }
    }

    /// The broker has it, or does not want it.
    mutating func ended(_ number: UInt64) {
        guard let entry = entries[number], entry.isUnderWay else { return }
        entries[number]?.isUnderWay = false
        if entry.message == nil, !entry.isDue { entries[number] = nil }
    }

    private mutating func set(_ number: UInt64, _ message: RequestMessage?, until expires: BootTime) {
        let isUnderWay = entries[number]?.isUnderWay ?? false
        entries[number] = Entry(message: message, expires: expires, isUnderWay: isUnderWay)
    }
}
