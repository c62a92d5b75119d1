/// The content of the daemon's status page: the mode, and whether a subscription is active (G-06).
public struct DeviceStatus: Hashable, Sendable {
    /// The mode.
    public var mode: Mode
    /// The moment from which on the mode is `child`. `nil` in child mode.
    public var modeDeadline: BootTime?
    /// Whether the paywall's entitlement is paid for (F-50).
    public var isSubscriptionActive: Bool
    /// The moment from which on no subscription is active. `nil` where none is, and where it has no end.
    public var subscriptionDeadline: BootTime?
    /// The change that this is the state after; `nil` where no living daemon says anything.
    public var revision: Revision?

    /// Makes a status of these values.
    public init(
        mode: Mode, modeDeadline: BootTime?, isSubscriptionActive: Bool, subscriptionDeadline: BootTime?,
        revision: Revision?
    ) {
        self.mode = mode
        self.modeDeadline = modeDeadline
        self.isSubscriptionActive = isSubscriptionActive
        self.subscriptionDeadline = subscriptionDeadline
        self.revision = revision
    }

    /// Whether a living daemon says so.
    public var isLive: Bool { revision != nil }

    /// The status for a reader who knows nothing: fail closed.
    public static let closed = DeviceStatus(
        mode: .child, modeDeadline: nil, isSubscriptionActive: false, subscriptionDeadline: nil, revision: nil)
}
