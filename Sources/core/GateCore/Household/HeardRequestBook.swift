import GateModel

/// The questions of other devices that came to this guardian's device (H-04).
///
/// | event      | waiting            | asked (on a screen here)   | ended                |
/// |------------|--------------------|----------------------------|----------------------|
/// | `asked`    | asked              | our own bug                | our own bug          |
/// | `lost`     | nothing            | waiting, for another screen | nothing             |
/// | `ended`    | ended              | ended                      | nothing              |
/// | `removed`  | gone               | gone                       | gone                 |
struct HeardRequestBook: Hashable, Sendable {
    /// How many are kept of one device, and of all.
    static let keptOfDevice = 8
    static let kept = 64
    /// How many are on screens at a time.
    static let askedAtOnce = 4

    enum Stage: Hashable {
        /// Nobody here can show it now, or others are shown. Goes to `asked`, `ended`.
        case waiting
        /// A presenter has it, or may. Goes to `waiting`, `ended`.
        case asked(RequestID)
        /// It was answered here, or put away: it is not shown again.
        case ended
    }

    struct Entry: Hashable, Sendable {
        /// Names it on this device.
        let number: UInt64
        let heard: HeardRequest
        /// The peer that brought it.
        let carrier: Peer
        let deadline: BootTime
        fileprivate(set) var stage = Stage.waiting

        var name: RequestName { RequestName(heard.words.device, heard.words.number) }

        /// The request of this device that asks it.
        var open: RequestID? {
            switch stage {
            case .asked(let id): id
            case .waiting, .ended: nil
            }
        }
    }

    private(set) var entries: [Entry] = []
    private var lastNumber: UInt64 = 0

    /// That of this number, if it is open.
    func entry(_ number: UInt64, at now: BootTime) -> Entry? {
        entries.first { $0.number == number && now < $0.deadline }
    }

    /// Those that some presenter may be asked next.
    func waiting(at now: BootTime) -> [Entry] {
        let asked = entries.count { $0.open != nil }
        return Array(
            entries.filter { $0.stage == .waiting && now < $0.deadline }.prefix(max(0, Self.askedAtOnce - asked)))
    }

    /// A question has come. One that is there already stays as it is.
    mutating func heard(_ request: HeardRequest, from carrier: Peer, at now: BootTime) {
        let name = RequestName(request.words.device, request.words.number)
        guard !entries.contains(where: { $0.name == name }), entries.count < Self.kept,
            entries.count(where: { $0.name.device == name.device }) < Self.keptOfDevice
        else { return }
        lastNumber += 1
        entries.append(
            Entry(
                number: lastNumber, heard: request, carrier: carrier,
                deadline: now.advanced(by: min(max(request.left, .zero), HouseholdRequest.longestLife))))
    }

    /// Takes out those for which this holds, and returns them.
    mutating func removed(where isGone: (Entry) -> Bool) -> [Entry] {
        let gone = entries.filter(isGone)
        entries.removeAll(where: isGone)
        return gone
    }

    mutating func asked(_ number: UInt64, as id: RequestID) {
        update(number) { $0.stage = .asked(id) }
    }

    /// Nobody can show it any more.
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
