import GateModel

/// The uids that users may give to their containers, from subuid(5): one line `NAME:FIRST:COUNT` for each range.
struct SubordinateRanges: Hashable, Sendable {
    /// How many lines are read. No real file has as many.
    static let maximumCount = 10_000

    private struct Range: Hashable, Sendable {
        /// The user that the range belongs to; `nil` if this device does not know the name.
        let user: UInt32?
        let uids: Swift.Range<UInt64>
    }

    private let ranges: [Range]

    static let none = SubordinateRanges(text: "", user: { _ in nil })

    /// Malformed lines are skipped. This is safe: a range never grants anything, and a uid outside every range is
    /// billed all the same.
    init(text: String, user: (String) -> UInt32?) {
        ranges = text.split(separator: "\n").prefix(Self.maximumCount).compactMap { line in
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 3, let first = UInt32(fields[1]), let count = UInt32(fields[2]), count > 0 else {
                return nil
            }
            let name = String(fields[0])
            return Range(user: UInt32(name) ?? user(name), uids: UInt64(first)..<UInt64(first) + UInt64(count))
        }
    }

    enum Finding: Hashable, Sendable {
        case inNoRange
        /// The owner who is billed. If several ranges contain the uid, the one whose user has the lowest uid counts.
        case owner(Owner)
        /// This device does not know the range's user. It may soon: users from a directory on the network appear late.
        case unknownUser
    }

    func finding(of uid: UInt32) -> Finding {
        let found = ranges.filter { $0.uids.contains(UInt64(uid)) }
        guard !found.isEmpty else { return .inNoRange }
        guard let user = found.compactMap(\.user).min() else { return .unknownUser }
        return .owner(user == 0 ? .rangesOfRoot : .user(user))
    }

    var isComplete: Bool { ranges.allSatisfy { $0.user != nil } }
}
