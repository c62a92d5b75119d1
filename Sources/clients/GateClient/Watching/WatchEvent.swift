public import GateModel

/// An event for a watcher.
@nonexhaustive
public enum WatchEvent: Hashable, Sendable {
    /// The whole state. Comes first, and again where too much has changed to tell it step by step.
    case snapshot(StateUpdate)
    /// One or more changes after what was told before.
    case change(StateUpdate)
    /// Connected again after `lost`, and caught up without a snapshot. Holds the whole state.
    case resumed(StateUpdate)
    /// The daemon is out of reach, or has said nothing for a second after a deadline of what it told. Until the next event the mode
    /// is child, nobody is signed in and nothing is paid for. Told once each time; attempts to reach the daemon go on by themselves.
    case lost(GateError)

    /// The mode after this event; `nil` where the event says nothing of it, and it is what it was.
    public var mode: ModeState? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.mode ?? .closed
        case .change(let update): update.mode
        case .lost: .closed
        }
    }

    /// The presentations that are open after this event, for a watch of the topic; `nil` where the event says nothing of
    /// it, and it is what it was. Without the daemon nothing is.
    public var presentations: [PresentationSummary]? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.presentations ?? []
        case .change(let update): update.presentations
        case .lost: []
        }
    }

    /// The state of the sign-in after this event, for a watch of the topic; `nil` where the event says nothing of it,
    /// and it is what it was. Without the daemon nobody is.
    public var signIn: SignInState? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.signIn ?? .closed
        case .change(let update): update.signIn
        case .lost: .closed
        }
    }

    /// The entitlements that are paid for after this event, for a watch of the topic; `nil` where the event says
    /// nothing of it, and it is what it was. Without the daemon nothing is.
    public var entitlements: EntitlementsState? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.entitlements ?? .closed
        case .change(let update): update.entitlements
        case .lost: .closed
        }
    }

    /// The forms that are being filled in after this event, for a watch of the topic; `nil` where the event says nothing of
    /// it, and it is what it was. Without the daemon there are none to be seen.
    public var forms: [FormSummary]? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.forms ?? []
        case .change(let update): update.forms
        case .lost: []
        }
    }
}
