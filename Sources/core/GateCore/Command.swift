public import GateModel

/// Everything that can be asked of the core, by a peer or by the daemon itself.
///
/// Each subject has a type of its own, in the folder of what does it. There its cases, the `rules` around them and `perform` stand in one
/// file, so a new command is written in one place.
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
    /// The daemon alone makes these.
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

/// The rules around a command, which `GateState.apply` keeps before anything is done.
struct CommandRules {
    /// The peers that may give it.
    let permission: Permission
    /// Whether it shows that a person uses the device, so that their session goes on.
    let usesSession: Bool
    /// Whether deadlines that are due are settled first.
    let settlesDeadlines: Bool
    /// The cookie that comes with it. It is checked before deadlines are settled: only then can "too late" be told from "closed".
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

/// The other inputs of the core, beside the command: time, peer and chance.
public struct Context {
    public var now: BootTime
    package var localTime: LocalTime
    package var peer: Peer
    public var random: any RandomNumberGenerator
    /// The part of this command that was worked out beforehand.
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
