/// The daemon's status page, which is read without a system call: the mode, and whether a subscription is active.
public struct DeviceStatus: Hashable, Sendable {
    /// The mode of the device.
    public var mode: Mode
    /// When the mode becomes `child` unless the daemon says otherwise. `nil` in child mode.
    public var modeDeadline: BootTime?
    /// Whether the entitlement that the paywall sells is paid for.
    public var isSubscriptionActive: Bool
    /// When the subscription stops being active. `nil` if none is active, or if it does not end.
    public var subscriptionDeadline: BootTime?
    /// The change that led to this status; `nil` if no running daemon vouches for the status.
    public var revision: Revision?

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

    /// Whether a running daemon vouches for this status.
    public var isLive: Bool { revision != nil }

    /// The status if nothing is known: child mode, and no subscription.
    public static let closed = DeviceStatus(
        mode: .child, modeDeadline: nil, isSubscriptionActive: false, subscriptionDeadline: nil, revision: nil)
}
