/// The mode of the device: who is in charge (F-01).
public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// A child is in charge. What nobody has decided is this.
    case child
    /// A challenge is open; the one who asked for it has not answered yet.
    case verifying
    /// A grown-up is in charge, until the lease runs out.
    case parent
}

/// The mode as every peer may see it.
public struct ModeState: Hashable, Sendable {
    /// The mode.
    public var mode: Mode
    /// When the lease of parent mode, or the last question of verifying, runs out. `nil` in child mode, and as long as the
    /// questions wait behind others to be shown.
    public var deadline: BootTime?

    /// Makes a state of these values.
    public init(mode: Mode, deadline: BootTime?) {
        self.mode = mode
        self.deadline = deadline
    }

    /// The state for a reader who knows nothing: fail closed.
    public static let closed = ModeState(mode: .child, deadline: nil)
}
