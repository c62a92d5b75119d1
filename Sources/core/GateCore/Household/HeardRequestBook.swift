import GateModel

/// The questions of other devices that reached this guardian's device.
///
/// | event     | waiting | asked (on a screen here)    | ended       |
/// |-----------|---------|-----------------------------|-------------|
/// | `asked`   | asked   | our own bug                 | our own bug |
/// | `lost`    | nothing | waiting, for another screen | nothing     |
/// | `ended`   | ended   | ended                       | nothing     |
/// | `removed` | gone    | gone                        | gone        |
struct HeardRequestBook: Hashable, Sendable {
    /// The most questions that are kept of one device; below, of all devices.
    static let keptOfDevice = 8
    static let kept = 64
    static let askedAtOnce = 4

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
        let carrier: Peer
        let deadline: BootTime
        fileprivate(set) var stage = Stage.waiting

        var name: RequestName { RequestName(heard.words.device, heard.words.number) }

        var open: RequestID? {
            switch stage {
            case .asked(let id): id
            case .waiting, .ended: nil
            }
        }
    }

    private(set) var entries: [Entry] = []
    /// `nil` until the first question.
    private var lastNumber: UInt64?
    /// A random one of these is the first question's number. So a number that was read before a restart names no other
    /// question after it, and people can still type it.
    private static let firstNumbers: ClosedRange<UInt64> = 100_000...999_999

    /// The question with this number; `nil` if it is unknown or its time is over.
    func entry(_ number: UInt64, at now: BootTime) -> Entry? {
        entries.first { $0.number == number && now < $0.deadline }
    }

    /// The questions to ask next, as many as there is room for on screens.
    func waiting(at now: BootTime) -> [Entry] {
        let asked = entries.count { $0.open != nil }
        return Array(
            entries.filter { $0.stage == .waiting && now < $0.deadline }.prefix(max(0, Self.askedAtOnce - asked)))
    }

    /// A question has arrived. Nothing happens if it is here already, or if there are too many.
    mutating func heard(
        _ request: HeardRequest, from carrier: Peer, at now: BootTime, using random: inout some RandomNumberGenerator
    ) {
        let name = RequestName(request.words.device, request.words.number)
        guard !entries.contains(where: { $0.name == name }), entries.count < Self.kept,
            entries.count(where: { $0.name.device == name.device }) < Self.keptOfDevice
        else { return }
        let number = lastNumber.map { $0 + 1 } ?? UInt64.random(in: Self.firstNumbers, using: &random)
        lastNumber = number
        entries.append(
            Entry(
                number: number, heard: request, carrier: carrier,
                deadline: now.advanced(by: min(max(request.left, .zero), HouseholdRequest.longestLife))))
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
