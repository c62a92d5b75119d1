/// A single-use authorization for one gated action (F-18). It lives no longer than the connection that asked for it.
public struct Grant: Hashable, Sendable, Identifiable {
    /// The secret that the requester hands to the redeemer. It is never printed.
    public struct Proof: Hashable, Sendable {
        /// 24 bytes: the grant's id, big-endian, then 16 random bytes.
        public var bytes: [UInt8]

        /// The number of bytes of a proof.
        public static let byteCount = 24

        /// Takes the bytes as they are.
        public init(bytes: [UInt8]) {
            self.bytes = bytes
        }
    }

    /// How long it may stay unused.
    public static let lifetime = Duration.seconds(60)

    /// Counts up from 1 since the daemon started. Not secret.
    public var id: UInt64
    /// The secret that redeems it.
    public var proof: Proof
    /// The name of the gated action.
    public var gatedAction: String
    /// For exactly this: what the person was shown.
    public var details: String
    /// When it ends unused.
    public var deadline: BootTime

    /// Makes a grant of these values.
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

/// A gated action that a user is not asked for again for a while (`keep` of the policy). Durable.
package struct KeptGrant: Hashable, Sendable {
    /// The user, and the gated action.
    package struct Key: Hashable, Sendable {
        /// The user.
        package var uid: UInt32
        /// The name of the gated action.
        package var gatedAction: String

        /// Makes a key of these values.
        package init(uid: UInt32, gatedAction: String) {
            self.uid = uid
            self.gatedAction = gatedAction
        }
    }

    /// On the boot clock of this boot; a reboot ends it, since nobody can tell how long the device was off.
    package var deadline: BootTime

    /// Makes a grant that is kept until then.
    package init(deadline: BootTime) {
        self.deadline = deadline
    }
}

/// A request for a grant.
public struct AuthorizationRequest: Hashable, Sendable {
    /// How long `details` may be, in bytes of UTF-8.
    public static let maximumDetailsByteCount = 4096

    /// The name of the gated action, like "link.open".
    public var gatedAction: String
    /// Exactly what would be done. One line without control characters.
    public var details: String
    /// The user that takes the grant; `nil`: the requester itself, over the same connection.
    public var redeemer: UInt32?
    /// For a broker: the process that will do it; `nil`: the requester itself.
    public var subject: Subject?

    /// Makes a request of these values.
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

    /// The challenge that asks for it.
    package var challenge: Challenge.Kind {
        switch self {
        case .passcode: .passcode
        case .totp: .totp
        }
    }
}
