/// The user who is billed for what a peer uses: wrong answers, connections, streams, queued work, drafts, the journal.
///
/// One person may control many uids: a range in `/etc/subuid` usually has 65,536. If each uid had its own counters,
/// that person could have fresh ones at any time. So a uid inside such a range is billed to the owner of the range, and
/// all uids without an account are billed together. An owner is used only for billing: it gives no role and no access
/// to anything of another uid.
@usableFromInline
package struct Owner: Hashable, Sendable, Comparable {
    /// A uid, or one of the numbers below. Those are the highest numbers, which `user` accepts as no uid.
    @usableFromInline
    package let number: UInt32

    private init(number: UInt32) {
        self.number = number
    }

    /// The user with this uid, including the ranges that belong to it. `withoutAccount` for the four highest numbers.
    package static func user(_ uid: UInt32) -> Owner {
        uid < strangers.number ? Owner(number: uid) : .withoutAccount
    }

    /// All uids that have neither an account on this device nor a place in a range.
    package static let withoutAccount = Owner(number: .max - 1)
    /// All uids in ranges that belong to root. They have none of root's rights.
    package static let rangesOfRoot = Owner(number: .max - 2)
    /// Everybody who never gave the right answer to a secret. They are billed only for guesses at secrets.
    package static let strangers = Owner(number: .max - 3)

    /// Restores an owner from its stored `number`.
    package init(stored number: UInt32) {
        self.init(number: number)
    }

    /// `nil` if this owner stands for several users.
    package var uid: UInt32? { self < Self.strangers ? number : nil }

    /// English words for people, to follow "of": "uid 1000".
    package var text: String { "\(LockoutSummary.Owner(self))" }

    @inlinable
    package static func < (left: Owner, right: Owner) -> Bool { left.number < right.number }

    // Inlinable because owners are the keys of look-ups that every call makes.
    @inlinable
    package static func == (left: Owner, right: Owner) -> Bool { left.number == right.number }

    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
