public import GateModel

/// An event of a watch. Its properties are meaningful only for topics that the watch includes.
@nonexhaustive
public enum WatchEvent: Hashable, Sendable {
    /// The whole state. Comes first, and again if too much has changed to send it change by change.
    case snapshot(StateUpdate)
    /// One or more changes since the previous event.
    case change(StateUpdate)
    /// The daemon is connected again after `lost`, and the watch has caught up without a snapshot. Contains the whole
    /// state.
    case resumed(StateUpdate)
    /// The daemon is out of reach, or has said nothing for a second after a deadline that it had given. Until the next
    /// event the mode is child, nobody is signed in and nothing is paid for. It comes once for each loss, while the
    /// watch continues to try to reach the daemon.
    case lost(GateError)

    /// The mode after this event; `nil` if the event does not change it.
    public var mode: ModeState? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.mode ?? .closed
        case .change(let update): update.mode
        case .lost: .closed
        }
    }

    /// The open presentations after this event; `nil` if the event does not change them. Empty without the daemon.
    public var presentations: [PresentationSummary]? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.presentations ?? []
        case .change(let update): update.presentations
        case .lost: []
        }
    }

    /// The state of the sign-in after this event; `nil` if the event does not change it. Nobody is signed in without
    /// the daemon.
    public var signIn: SignInState? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.signIn ?? .closed
        case .change(let update): update.signIn
        case .lost: .closed
        }
    }

    /// The entitlements that are paid for after this event; `nil` if the event does not change them. None without the
    /// daemon.
    public var entitlements: EntitlementsState? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.entitlements ?? .closed
        case .change(let update): update.entitlements
        case .lost: .closed
        }
    }

    /// The forms that are being filled in after this event; `nil` if the event does not change them. Empty without the
    /// daemon.
    public var forms: [FormSummary]? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.forms ?? []
        case .change(let update): update.forms
        case .lost: []
        }
    }
}
