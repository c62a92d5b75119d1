import GateModel

/// The questions of other devices that reached this guardian's device. Those that wait for days (asks) remain in the
/// stage `waiting`: no screen shows them by itself.
///
/// | event                | waiting | asked (on a screen here)    | ended       |
/// |----------------------|---------|-----------------------------|-------------|
/// | `heard`, as an ask   | waiting | waiting                     | waiting     |
/// | `asked`              | asked   | our own bug                 | our own bug |
/// | `lost`               | nothing | waiting, for another screen | nothing     |
/// | `ended`              | ended   | ended                       | nothing     |
/// | `removed`            | gone    | gone                        | gone        |
///
/// If the asking device refuses an answer that was given here, the ask stays listed with that refusal for a day, even
/// if it is over (`closed`). Otherwise the person who answered would not learn that the answer had no effect.
struct HeardRequestBook: Hashable, Sendable {
    /// The most questions that are kept of one device; below, of all devices.
    static let keptOfDevice = 8
    static let kept = 64
    /// The most asks that are kept of one device; below, of all devices. They count among the 64 questions, too.
    static let keptAsksOfDevice = 16
    static let keptAsks = 32
    static let askedAtOnce = 4
    /// The longest refusal that is kept, in bytes of UTF-8, and how long it is kept if its ask is over.
    static let refusalByteCount = 256
    static let keptRefusal = Duration.seconds(24 * 3600)

    enum Stage: Hashable {
        /// No presenter can show it now, or enough others are shown. Can go to `asked` or `ended`.
        case waiting
        /// A presenter shows it, or it is on offer. Can go to `waiting` or `ended`.
        case asked(RequestID)
        /// It was answered, dismissed or closed here, and is not shown again.
        case ended
    }

    struct Entry: Hashable, Sendable {
        /// The question's number on this device; on the device that asks, it is `heard.words.number`.
        let number: UInt64
        let heard: HeardRequest
        /// The peer that brought the question.
        fileprivate(set) var carrier: Peer
        fileprivate(set) var deadline: BootTime
        fileprivate(set) var stage = Stage.waiting
        /// For an ask: the answer given here that the asking device has confirmed since it published these words; `nil`
        /// if there is none.
        fileprivate(set) var confirmed: AskAnswer?
        /// For an ask: why the asking device has refused the last answer of this device; empty if it has not.
        fileprivate(set) var refusal = ""
        /// For an ask: whether it is over, and only listed because of an answer that may have been refused.
        fileprivate(set) var isClosed = false

        var isAsk: Bool { heard.words.ask != nil }

        var name: RequestName { RequestName(heard.words.device, heard.words.number) }

        var open: RequestID? {
            switch stage {
            case .asked(let id): id
            case .waiting, .ended: nil
            }
        }
    }

    private(set) var entries: [Entry] = []
    /// Asks whose carrier has disconnected, until they are over. If a restarted carrier brings an ask again, it keeps
    /// its number, which people may have read already.
    private var uncarried: [Entry] = []
    /// `nil` until the first question.
    private var lastNumber: UInt64?
    /// The range of the first question's number, which is random. So a number that somebody read before a restart
    /// hardly ever names another question afterwards. All of them are short enough to type.
    private static let firstNumbers: ClosedRange<UInt64> = 100_000...999_999

    /// The question of an open call with this number; `nil` if it is unknown or its time is over.
    func entry(_ number: UInt64, at now: BootTime) -> Entry? {
        entries.first { $0.number == number && !$0.isAsk && now < $0.deadline }
    }

    /// In the order of arrival.
    var asks: [Entry] { entries.filter(\.isAsk) }

    /// The ask with this number; `nil` if it is unknown or over.
    func ask(_ number: UInt64, at now: BootTime) -> Entry? {
        entries.first { $0.number == number && $0.isAsk && !$0.isClosed && now < $0.deadline }
    }

    /// When the first ask is over; `nil` if there is none.
    @inline(__always) var nextAskEnd: BootTime? {
        entries.isEmpty ? nil : entries.lazy.filter(\.isAsk).map(\.deadline).min()
    }

    /// The questions to ask next, as many as there is room for on screens.
    func waiting(at now: BootTime) -> [Entry] {
        let asked = entries.count { $0.open != nil }
        return Array(
            entries.filter { $0.stage == .waiting && !$0.isAsk && now < $0.deadline }
                .prefix(max(0, Self.askedAtOnce - asked)))
    }

    /// A question has arrived. Nothing happens if it is here already, or if there are too many. A question keeps its
    /// number if it only turns into an ask, or if its ask was allowed. If its words have changed, it gets a new number,
    /// so that an answer to the number always means the words that the person has read.
    mutating func heard(
        _ request: HeardRequest, from carrier: Peer, at now: BootTime, using random: inout some RandomNumberGenerator
    ) {
        let (name, isAsk) = (request.name, request.words.ask != nil)
        let before = entries.firstIndex { $0.name == name && !$0.isClosed }
        // The words of a question of an open call never change, so other ones under its number are ignored.
        if let before, !isAsk || entries[before].heard.shown == request.shown {
            // An ask outlives the connection over which it came if it comes again over a newer one.
            if isAsk { entries[before].carrier = carrier }
            return
        }
        let others = entries.filter { $0.name != name && !$0.isClosed }
        let alike = others.filter { $0.isAsk == isAsk }
        guard others.count < Self.kept, !isAsk || alike.count < Self.keptAsks,
            alike.count(where: { $0.name.device == name.device })
                < (isAsk ? Self.keptAsksOfDevice : Self.keptOfDevice)
        else { return }
        let longest = isAsk ? HouseholdAsk.longestLife : HouseholdRequest.longestLife
        let deadline = now.advanced(by: min(max(request.left, .zero), longest))
        let closed = entries.first { $0.name == name && $0.isClosed }
        let former =
            before.map { entries[$0] } ?? closed ?? uncarried.first { $0.name == name && now < $0.deadline }
        entries.removeAll { $0.name == name && $0.isClosed }
        uncarried.removeAll { $0.name == name || $0.deadline <= now }
        let number: UInt64
        if let former, former.heard.words.goOn(as: request.words) {
            number = former.number
        } else {
            number = lastNumber.map { $0 + 1 } ?? UInt64.random(in: Self.firstNumbers, using: &random)
            lastNumber = number
        }
        var entry = Entry(number: number, heard: request, carrier: carrier, deadline: deadline)
        if let former, former.number == number { entry.refusal = former.refusal }
        if let before {
            entries[before] = entry
        } else {
            entries.append(entry)
        }
    }

    /// Removes the questions that came over a connection, which is lost. Returns whether asks were among them.
    mutating func carrierLost(_ connection: UInt64) -> Bool {
        let asks = removed { $0.carrier.connection == connection && !$0.isClosed }.filter(\.isAsk)
        uncarried = Array((uncarried + asks).suffix(Self.keptAsks))
        return !asks.isEmpty
    }

    /// The device that asks has done what this device's guardian answered.
    mutating func confirmed(_ name: RequestName, _ answer: AskAnswer) {
        guard let index = entries.firstIndex(where: { $0.name == name && $0.isAsk }) else { return }
        guard !entries[index].isClosed else {
            entries.remove(at: index)
            return
        }
        entries[index].confirmed = answer
    }

    /// The device that asks has refused what this device's guardian answered; with an empty reason, the guardian answers
    /// anew.
    mutating func refused(_ name: RequestName, _ why: String, at now: BootTime) {
        if !why.isEmpty, !entries.contains(where: { $0.name == name }),
            let index = uncarried.firstIndex(where: { $0.name == name && now < $0.deadline })
        {
            close([uncarried.remove(at: index)], at: now)
        }
        guard let index = entries.firstIndex(where: { $0.name == name && $0.isAsk }) else { return }
        entries[index].refusal = why.cut(toByteCount: Self.refusalByteCount)
    }

    /// Lists asks that are over for a day more, the newest ones.
    mutating func close(_ asks: [Entry], at now: BootTime) {
        for var entry in asks where !entries.contains(where: { $0.name == entry.name }) {
            entry.isClosed = true
            entry.deadline = min(entry.deadline, now.advanced(by: Self.keptRefusal))
            entries.append(entry)
        }
        let excess = entries.count(where: \.isClosed) - Self.keptAsksOfDevice
        for _ in 0..<max(0, excess) {
            guard let oldest = entries.firstIndex(where: \.isClosed) else { return }
            entries.remove(at: oldest)
        }
    }

    mutating func removed(where isGone: (Entry) -> Bool) -> [Entry] {
        let gone = entries.filter(isGone)
        entries.removeAll(where: isGone)
        return gone
    }

    mutating func asked(_ number: UInt64, as id: RequestID) {
        update(number) { $0.stage = .asked(id) }
    }

    mutating func lost(_ number: UInt64) {
        update(number) { if case .asked = $0.stage { $0.stage = .waiting } }
    }

    mutating func ended(_ number: UInt64) {
        update(number) { $0.stage = .ended }
    }

    private mutating func update(_ number: UInt64, _ change: (inout Entry) -> Void) {
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
        change(&entries[index])
    }
}

extension RequestWords {
    /// Whether `other` is the same question later: it has turned into an ask, or its ask was allowed or waits again.
    fileprivate func goOn(as other: RequestWords) -> Bool {
        guard let ask = other.ask, purpose == other.purpose, asked.gatedAction.hasBytes(of: other.asked.gatedAction),
            asked.titles == other.asked.titles, asked.details.hasBytes(of: other.asked.details)
        else { return false }
        return self.ask.map { $0.nonce == ask.nonce && $0.person.hasBytes(of: ask.person) } ?? true
    }
}
