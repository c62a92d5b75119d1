public import GateModel

/// A request to the core, from a peer or from the daemon itself.
///
/// Each subject has a command type of its own, in the subject's folder. Its cases, their `rules` and `perform` stand in
/// one file, so a new command is added in one place.
package enum Command: Hashable, Sendable {
    case mode(ModeCommand)
    case authorization(AuthorizationCommand)
    case secrets(SecretCommand)
    case signIn(SignInCommand)
    case entitlements(EntitlementCommand)
    case forms(FormCommand)
    case releaseNotes(ReleaseNotesCommand)
    case presentations(PresentationCommand)
    case household(HouseholdCommand)
    case control(ControlCommand)
    /// Commands that only the daemon itself gives.
    case daemon(DaemonCommand)

    var rules: CommandRules {
        switch self {
        case .mode(let command): command.rules
        case .authorization(let command): command.rules
        case .secrets(let command): command.rules
        case .signIn(let command): command.rules
        case .entitlements(let command): command.rules
        case .forms(let command): command.rules
        case .releaseNotes(let command): command.rules
        case .presentations(let command): command.rules
        case .household(let command): command.rules
        case .control(let command): command.rules
        case .daemon(let command): command.rules
        }
    }
}

/// The checks around a command. `GateState.apply` makes them before it performs the command.
struct CommandRules {
    /// The permission that the peer needs.
    let permission: Permission
    /// Whether the command shows that a person uses the device, which prolongs the session of the person signed in.
    let usesSession: Bool
    /// Whether deadlines that are due are settled before the command.
    let settlesDeadlines: Bool
    /// The cookie that comes with the command. It is checked before deadlines are settled, because afterwards a
    /// question that has just expired could not be told from one that was closed.
    let cookie: PresentationCookie?

    init(
        _ permission: Permission, usesSession: Bool = false, settlesDeadlines: Bool = true,
        cookie: PresentationCookie? = nil
    ) {
        self.permission = permission
        self.usesSession = usesSession
        self.settlesDeadlines = settlesDeadlines
        self.cookie = cookie
    }
}

/// The other inputs of the core, besides the command: time, peer and randomness.
public struct Context {
    public var now: BootTime
    package var localTime: LocalTime
    package var peer: Peer
    public var random: any RandomNumberGenerator
    /// The slow part of the command, if it was done beforehand and elsewhere; else `nil`.
    public var prepared: FormPreparation?

    package init(
        now: BootTime, localTime: LocalTime, peer: Peer, random: any RandomNumberGenerator,
        prepared: FormPreparation? = nil
    ) {
        self.now = now
        self.localTime = localTime
        self.peer = peer
        self.random = random
        self.prepared = prepared
    }

    public var wallTime: WallTime { localTime.time }
}
