public import GateModel

/// An event of a watch. Each property is the part of the state after the event that belongs to one topic, or `nil` if
/// the event does not change that part. Of topics that the watch does not include, the properties say nothing.
@nonexhaustive
public enum WatchEvent: Hashable, Sendable {
    /// The whole state. Comes first, and again if too much has changed to send it change by change.
    case snapshot(StateUpdate)
    /// One or more changes since the previous event.
    case change(StateUpdate)
    /// The daemon is back after `lost`, and the watch has caught up without a snapshot. Contains the whole state.
    case resumed(StateUpdate)
    /// The daemon is out of reach, or silent for a second after a deadline that it had given. Until the next event the
    /// mode is child, nobody is signed in and nothing is paid for. Comes once for each loss; the watch reconnects.
    case lost(GateError)

    /// The mode; child without the daemon. `nil` if the event does not change it.
    public var mode: ModeState? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.mode ?? .closed
        case .change(let update): update.mode
        case .lost: .closed
        }
    }

    /// The open presentations; none without the daemon. `nil` if the event does not change them.
    public var presentations: [PresentationSummary]? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.presentations ?? []
        case .change(let update): update.presentations
        case .lost: []
        }
    }

    /// The state of the sign-in; nobody is signed in without the daemon. `nil` if the event does not change it.
    public var signIn: SignInState? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.signIn ?? .closed
        case .change(let update): update.signIn
        case .lost: .closed
        }
    }

    /// The entitlements; none is active without the daemon. `nil` if the event does not change them.
    public var entitlements: EntitlementsState? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.entitlements ?? .closed
        case .change(let update): update.entitlements
        case .lost: .closed
        }
    }

    /// The drafts of forms; none without the daemon. `nil` if the event does not change them.
    public var forms: [FormSummary]? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.forms ?? []
        case .change(let update): update.forms
        case .lost: []
        }
    }

    /// The asks that this user may see; none without the daemon. `nil` if the event does not change them.
    public var asks: [Ask]? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.asks ?? []
        case .change(let update): update.asks
        case .lost: []
        }
    }

    /// The schedules that gated actions name; none without the daemon, so nothing is open. `nil` if the event does not
    /// change them.
    public var schedules: [ScheduleState]? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.schedules ?? []
        case .change(let update): update.schedules
        case .lost: []
        }
    }

    /// The time that was used today, as far as this user may see it; none without the daemon. `nil` if the event does
    /// not change it.
    public var usage: [UsedTime]? {
        switch self {
        case .snapshot(let update), .resumed(let update): update.usage ?? []
        case .change(let update): update.usage
        case .lost: []
        }
    }

    /// Whether apps are told age ranges, and which apps wait for an answer, as far as this user may see it; off without
    /// the daemon. `nil` if the event does not change it.
    public var ageRanges: AgeState? {
        let none = AgeState(settings: AgeSettings(gates: []), waiting: [])
        return switch self {
        case .snapshot(let update), .resumed(let update): update.ageRanges ?? none
        case .change(let update): update.ageRanges
        case .lost: none
        }
    }
}
