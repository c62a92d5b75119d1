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
/// An ask whose answer, given on this device, the asking device has refused stays listed with the refusal for a day, also
/// if it is over (`closed`): otherwise nobody would learn that the answer did nothing.
struct HeardRequestBook: Hashable, Sendable {
    /// The most questions that are kept of one device; below, of all devices.
    static let keptOfDevice = 8
    static let kept = 64
    /// The same for asks, which are among those of all devices.
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
        /// For an ask: the answer of this device that the asking device has confirmed since it said these words; `nil`
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
    /// Asks whose carrier is gone, until they are over. If a restarted one brings them again, they keep their numbers,
    /// which people have read.
    private var uncarried: [Entry] = []
    /// `nil` until the first question.
    private var lastNumber: UInt64?
    /// A random one of these is the first question's number. So a number that was read before a restart names no other
    /// question after it, and people can still type it.
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

    /// A question has arrived. Nothing happens if it is here already, or if there are too many. If the question is the
    /// same, and only goes on as an ask or was allowed, it keeps its number. Otherwise it gets another one, so that
    /// nobody answers what they have not read.
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

    /// The connection is lost that brought these questions. Returns whether asks were among them.
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
    /// Whether the other words are those of the same question, as an ask that waits or was allowed.
    fileprivate func goOn(as other: RequestWords) -> Bool {
        guard let ask = other.ask, purpose == other.purpose, asked.gatedAction.hasBytes(of: other.asked.gatedAction),
            asked.titles == other.asked.titles, asked.details.hasBytes(of: other.asked.details)
        else { return false }
        return self.ask.map { $0.nonce == ask.nonce && $0.person.hasBytes(of: ask.person) } ?? true
    }
}
