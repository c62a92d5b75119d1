/// Who is in charge of the device.
public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// A child is in charge. The device is in this mode unless something else was decided.
    case child
    /// A challenge for parent mode is open, and has not been answered yet.
    case verifying
    /// A grown-up is in charge until the lease ends.
    case parent
}

/// The mode, and when it ends. Every peer may see this state.
public struct ModeState: Hashable, Sendable {
    /// The mode.
    public var mode: Mode
    /// When the lease of parent mode ends, or the last open challenge in `verifying` expires. `nil` in child mode, and
    /// while all these challenges are waiting behind others to be shown.
    public var deadline: BootTime?

    public init(mode: Mode, deadline: BootTime?) {
        self.mode = mode
        self.deadline = deadline
    }

    /// The state if nothing is known: child mode.
    public static let closed = ModeState(mode: .child, deadline: nil)
}
