/// The permission to do one gated action once. It ends with the connection that asked for it, if not before.
public struct Grant: Hashable, Sendable, Identifiable {
    /// The secret that the requester passes on, and that redeems the grant. It is never printed.
    public struct Proof: Hashable, Sendable {
        /// 24 bytes: the id of the grant, big-endian, then 16 random bytes.
        public var bytes: [UInt8]

        /// The number of bytes of a proof.
        public static let byteCount = 24

        /// - Parameter bytes: taken as they are, even if their number is wrong.
        public init(bytes: [UInt8]) {
            self.bytes = bytes
        }
    }

    /// How long a grant may stay unused before it expires.
    public static let lifetime = Duration.seconds(60)

    /// The number of the grant. Grants are counted from 1 since the daemon started. Not secret.
    public var id: UInt64
    /// The secret that redeems it.
    public var proof: Proof
    /// The name of the gated action.
    public var gatedAction: String
    /// Exactly what may be done, as it was shown to the person.
    public var details: String
    /// When the grant expires if it is not used.
    public var deadline: BootTime

    package init(id: UInt64, proof: Proof, gatedAction: String, details: String, deadline: BootTime) {
        self.id = id
        self.proof = proof
        self.gatedAction = gatedAction
        self.details = details
        self.deadline = deadline
    }
}

extension Grant.Proof: CustomStringConvertible, CustomReflectable {
    public var description: String { "(proof)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A gated action for which a user is not asked again for a while: because the policy says `keep`, or because a
/// grown-up said yes to an ask. Durable.
package struct KeptGrant: Hashable, Sendable {
    /// Names a kept grant: one for each user and gated action, and one for each ask that was allowed.
    package struct Key: Hashable, Sendable {
        package var uid: UInt32
        package var gatedAction: String
        /// The number of the ask that a grown-up allowed; `nil`: the policy keeps the grant, for any words.
        package var ask: UInt64?

        package init(uid: UInt32, gatedAction: String, ask: UInt64? = nil) {
            self.uid = uid
            self.gatedAction = gatedAction
            self.ask = ask
        }
    }

    /// A grown-up's yes to an ask. It holds for exactly its words or for a site, and through a reboot.
    package struct Yes: Hashable, Sendable {
        /// Exactly what was asked for, and may be done.
        package var details: String
        /// How much the grown-up has allowed.
        package var choice: AskChoice
        /// With `AskChoice.thisSite`, the site whose links may be opened.
        package var site: WebOrigin? { choice == .thisSite ? WebOrigin(details) : nil }
        /// The person who asked. If the user belongs to somebody else by now, the yes does not count.
        package var person: String
        /// The gated action as it was then (`GatedAction.mark`). A change of it ends the yes.
        package var mark: String
        /// When the yes was given. While the clock is earlier than that, it was set back, and the yes does not count.
        package var from: WallTime
        /// When the yes ends; `WallTime.never` if it holds until it is taken back.
        package var until: WallTime
        /// How often it can be used; `anyNumber` for every choice but `once`.
        package var uses: Int

        /// Whether it is more time: it lifts schedules and allowances of the gated action, and answers no question.
        package var isMoreTime: Bool

        package static let anyNumber = Int.max
        /// Whether it can be used any number of times while it holds. Then it also counts where no grant is taken, as
        /// when polkit checks something.
        package var isLasting: Bool { uses == Self.anyNumber }

        package init(
            details: String, choice: AskChoice = .once, person: String, mark: String, from: WallTime, until: WallTime,
            uses: Int, isMoreTime: Bool = false
        ) {
            self.details = details
            self.choice = choice
            self.person = person
            self.mark = mark
            self.from = from
            self.until = until
            self.uses = uses
            self.isMoreTime = isMoreTime
        }
    }

    /// When the grant ends, on this boot's clock. A reboot ends a grant that the policy keeps, because nobody can tell
    /// how long the device was off. A yes gets a new deadline then, after its whole time, but also ends at `Yes.until`.
    package var deadline: BootTime
    /// `nil`: the policy keeps the grant.
    package var yes: Yes?

    package init(deadline: BootTime, yes: Yes? = nil) {
        self.deadline = deadline
        self.yes = yes
    }
}

/// What a program asks a grant for.
public struct AuthorizationRequest: Hashable, Sendable {
    /// The longest `details`, in bytes of UTF-8.
    public static let maximumDetailsByteCount = 4096

    /// The name of the gated action, like "link.open".
    public var gatedAction: String
    /// Exactly what would be done: a URL, a command line, an amount. One line without control characters.
    public var details: String
    /// The user who may redeem the grant; `nil`: only the requester itself, over the same connection.
    public var redeemer: UInt32?
    /// If a broker asks: the process on whose behalf it asks. `nil`: the requester asks for itself.
    public var subject: Subject?
    /// Whether the question may wait for a grown-up, even for days, if the policy says `may-wait`. If no grown-up
    /// answers in time, the request ends with the reason `asked`, and the question stays: the same request finds its
    /// answer later. Ignored unless the requester's user is the own user of a person on the list of people.
    public var mayWait = false
    /// Whether the request is decided at once, without a question to anybody: it is granted, or refused with
    /// `noPresenter` if a person has to be asked. If it may wait, and a grown-up's answer is what is missing, it ends
    /// with the reason `asked` instead. This is for programs that keep others waiting.
    public var atOnce = false

    public init(gatedAction: String, details: String = "", redeemer: UInt32? = nil, subject: Subject? = nil) {
        self.gatedAction = gatedAction
        self.details = details
        self.redeemer = redeemer
        self.subject = subject
    }
}

/// A secret that can be set up for the device.
@nonexhaustive
public enum SecretKind: String, Hashable, Sendable, CaseIterable {
    /// The passcode.
    case passcode
    /// The key of an authenticator (RFC 6238).
    case totp

    /// The kind of challenge that asks for this secret.
    package var challenge: Challenge.Kind {
        switch self {
        case .passcode: .passcode
        case .totp: .totp
        }
    }
}
