import GateModel

/// The uids that users may give to others of their making, as subuid(5) has them: `NAME:FIRST:COUNT`, a line each.
struct SubordinateRanges: Hashable, Sendable {
    /// More lines than any device has.
    static let maximumCount = 10_000

    private struct Range: Hashable, Sendable {
        /// The user that it belongs to; `nil`: this device does not know the name.
        let user: UInt32?
        let uids: Swift.Range<UInt64>
    }

    private let ranges: [Range]

    static let none = SubordinateRanges(text: "", user: { _ in nil })

    /// Lines that are none are passed over: nobody can be let in by one, and who is in no range is billed all the same.
    ///
    /// - Parameter user: the uid of a name; `nil`: there is none.
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
        /// The owner who is billed. Of several ranges, that of the lowest uid counts.
        case owner(Owner)
        /// This device does not know the user that the range is for. It may soon: users of a directory appear late.
        case unknownUser
    }

    func finding(of uid: UInt32) -> Finding {
        let found = ranges.filter { $0.uids.contains(UInt64(uid)) }
        guard !found.isEmpty else { return .inNoRange }
        guard let user = found.compactMap(\.user).min() else { return .unknownUser }
        return .owner(user == 0 ? .rangesOfRoot : .user(user))
    }

    /// Whether all users are known that there are ranges for.
    var isComplete: Bool { ranges.allSatisfy { $0.user != nil } }
}
