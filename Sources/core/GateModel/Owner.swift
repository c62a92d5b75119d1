/// The user who is billed for what a peer uses: wrong answers, connections, streams, places in the queue, drafts, the
/// journal (T-01).
///
/// One person may have many uids: somebody with a range in `/etc/subuid` has 65,536 of them. Counters for each uid would be
/// fresh as often as that person likes. So a uid inside such a range is billed to the range's owner, and all uids that no
/// account has are billed together. An owner is only ever billed: it gives no role, and nobody reads by it what is another uid's.
@usableFromInline
package struct Owner: Hashable, Sendable, Comparable {
    /// A uid, or one of the numbers below. They are at the end of the range, where `user` admits no uid.
    @usableFromInline
    package let number: UInt32

    private init(number: UInt32) {
        self.number = number
    }

    /// The user with this uid, for itself and for the ranges that belong to it.
    package static func user(_ uid: UInt32) -> Owner {
        uid < strangers.number ? Owner(number: uid) : .withoutAccount
    }

    /// All uids together that no account of this device has, and no range.
    package static let withoutAccount = Owner(number: .max - 1)
    /// All uids together that are in ranges of root's. They have none of root's rights.
    package static let rangesOfRoot = Owner(number: .max - 2)
    /// All together who never gave the right answer to a secret: only guesses at secrets are billed to them.
    package static let strangers = Owner(number: .max - 3)

    /// As it was stored, by `number`.
    package init(stored number: UInt32) {
        self.init(number: number)
    }

    /// The uid of the user; `nil`: these are several.
    package var uid: UInt32? { self < Self.strangers ? number : nil }

    /// For people, after "of": "uid 1000".
    package var text: String { "\(LockoutSummary.Owner(self))" }

    @inlinable
    package static func < (left: Owner, right: Owner) -> Bool { left.number < right.number }

    // Owners are keys of what is looked up for each call.
    @inlinable
    package static func == (left: Owner, right: Owner) -> Bool { left.number == right.number }

    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
