package import GateModel
package import GateProtocol

/// An event for a watcher.
package enum WatchEvent: Hashable, Sendable {
    /// The whole state. Comes first, and again where too much has changed to tell it step by step.
    case snapshot(WatchResponse)
    /// One or more changes after what was told before.
    case change(WatchResponse)
    /// Connected again after `lost`, and caught up without a snapshot. Holds the whole state.
    case resumed(WatchResponse)
    /// The daemon is out of reach. Until the next event the mode is child, nobody is signed in and nothing is
    /// paid for. Told once each time; attempts to reach the
    /// daemon go on by themselves.
    case lost(GateError)

    /// The mode after this event; `nil` where the event says nothing of it, and it is what it was.
    package var state: ModeState? {
        switch self {
        case .snapshot(let message), .resumed(let message): message.mode ?? .closed
        case .change(let message): message.mode
        case .lost: .closed
        }
    }

    /// The presentations that are open after this event, for a watch of the topic; `nil` where the event says nothing of
    /// it, and it is what it was. Without the daemon nothing is.
    package var presentations: [PresentationSummary]? {
        switch self {
        case .snapshot(let message), .resumed(let message): message.presentations ?? []
        case .change(let message): message.presentations
        case .lost: []
        }
    }

    /// The state of the sign-in after this event, for a watch of the topic; `nil` where the event says nothing of it,
    /// and it is what it was. Without the daemon nobody is.
    package var signIn: SignInState? {
        switch self {
        case .snapshot(let message), .resumed(let message): message.signIn ?? .closed
        case .change(let message): message.signIn
        case .lost: .closed
        }
    }

    /// The entitlements that are paid for after this event, for a watch of the topic; `nil` where the event says
    /// nothing of it, and it is what it was. Without the daemon nothing is.
    package var entitlements: EntitlementsState? {
        switch self {
        case .snapshot(let message), .resumed(let message): message.entitlements ?? .closed
        case .change(let message): message.entitlements
        case .lost: .closed
        }
    }

    /// The forms that are being filled in after this event, for a watch of the topic; `nil` where the event says nothing of
    /// it, and it is what it was. Without the daemon there are none to be seen.
    package var forms: [FormSummary]? {
        switch self {
        case .snapshot(let message), .resumed(let message): message.forms ?? []
        case .change(let message): message.forms
        case .lost: []
        }
    }
}
