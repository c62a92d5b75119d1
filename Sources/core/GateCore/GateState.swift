package import GateModel

/// A request to the core, from a peer or from the daemon itself.
///
/// Each subject has a command type of its own, in the subject's folder. Its cases, their `rules` and `perform` stand in
/// one file, so a new command is added in one place.
package enum Command: Hashable, Sendable {
    case mode(ModeCommand)
    case authorization(AuthorizationCommand)
    case secrets(SecretCommand)
    case people(PeopleCommand)
    case signIn(SignInCommand)
    case entitlements(EntitlementCommand)
    case forms(FormCommand)
    case releaseNotes(ReleaseNotesCommand)
    case presentations(PresentationCommand)
    case household(HouseholdCommand)
    case usage(UsageCommand)
    case age(AgeCommand)
    case control(ControlCommand)
    /// What happens to the daemon itself, to its peers and to its clock.
    case daemon(DaemonCommand)
}

/// The checks around a command. `GateState.apply` makes them before it performs the command.
struct CommandRules {
    let permission: Permission
    /// Whether the command shows that a person uses the device, which prolongs the session of the person signed in.
    let usesSession: Bool
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

/// A command's condition on its peer (docs/security.md, "Who may do what"), named in the command's `rules`.
///
/// Some rights depend on more than a role: the right to show a presentation (`PresentationQueue.swift`), to answer it
/// (`QueuedPresentation.refusal`), and to redeem a grant (`GrantLedger.redeemed`).
enum Permission: Hashable, Sendable {
    /// Every local peer.
    case everyone
    /// Peers with an open request for parent mode, and administrators. If no such request is open, everyone may, since
    /// there is nothing to cancel.
    case requesterOrAdministrator
    /// Peers with this uid, and administrators.
    case userOrAdministrator(UInt32)
    /// The presenters that the policy names, people in the sessions of their own users, and administrators.
    case presenter
    /// The presenters that may show what only a grown-up answers, and administrators.
    case grownUpPresenter
    /// The providers that the policy names, and administrators.
    case provider
    /// The carriers of the household's messages that the policy names, and administrators.
    case household
    /// Administrators; in parent mode everyone, since a grown-up is in charge.
    case grownUpInCharge
    /// Root, Gate's own user, and the administrators that the policy names.
    case administrator
    /// Only the daemon itself, never a connected peer.
    case daemon
}

/// All of Gate's state. `apply` is the only way to change it.
///
/// The state combines the state machines. Each rule has a file of its own:
///
/// - the commands of each subject: its `…Commands.swift`
/// - the mode: `ModeStateMachine.swift`
/// - the steps to a gated action: `RequirementRules.swift`
/// - presenters and the order of presentations: `PresentationQueue.swift`
/// - the life of a request: `RequestLife.swift`; its end, and what that costs: `RequestEnding.swift` and
///   `LockoutRules.swift`
/// - grants: `GrantLedger.swift`
/// - questions: `Challenges/`
/// - who is a grown-up, and who a child: `PeopleCommands.swift`; sessions: `SignInStateMachine.swift`
/// - the cover: `Cover.swift`
/// - conclusions from claims: `EntitlementRules.swift`
/// - forms: `FormLife/` and `Forms/`
/// - release notes: `ReleaseNotesRules.swift`
/// - durable records: `DurableRecords.swift`
/// - the time that people have used: `UsageCommands.swift` and `UsageLedger.swift`
/// - the age range that apps are told: `AgeCommands.swift` and `AgeRules.swift`
/// - limits: `Limits.swift`
public struct GateState: Sendable {
    /// The fields and their accessors are in `GateStateStorage.swift`.
    var storage: GateStateStorage

    /// The state of a daemon that starts with these records: child mode, and nothing open. The first command has to be
    /// `start` or `closeForDamage`.
    package init(restoring records: DurableRecords, configuration: Configuration) {
        let shared = Shared(configuration)
        let (begin, utc) = (WallTime(unixMilliseconds: 0), ZoneOffsets())
        storage = GateStateStorage(
            GateStateFields(
                records: records, sharedConfiguration: shared, schedules: ScheduleBook(of: shared, at: begin, in: utc),
                allowances: AllowanceBook(of: shared, at: begin, in: utc)))
        forms = FormBook(restoring: records, configuration: configuration)
        attachments = AttachmentLedger(restoring: records)
    }

    /// Performs a command. The transition says what to store, publish, do and answer.
    ///
    /// Deadlines that are due are settled first, within the same transition, so a command never acts on a lease that
    /// has ended. The command's consequences for open requests are part of the transition, too. A command that throws
    /// changes nothing, neither the state nor `context.random`.
    package mutating func apply(_ command: Command, _ context: inout Context) throws(GateError) -> Transition {
        var next = self
        var nextContext = context
        var draft = TransitionDraft()
        next.clockWasRead(context, &draft)
        let rules = command.rules
        if let cookie = rules.cookie { try check(cookie, of: context.peer, at: context.now) }
        if rules.settlesDeadlines { next.settleDeadlines(&nextContext, &draft) }
        try context.peer.check(
            rules.permission, verifying: next.machine.verifying, isParentMode: next.machine.isParent)
        if rules.usesSession { next.useSession(context, &draft) }
        let before = next.circumstances
        let reply = try next.perform(command, &nextContext, &draft)
        let author = draft.author ?? context.peer
        next.settleConsequences(
            since: before, by: author.connection == 0 ? nil : author, at: context.now, &nextContext, &draft)
        if draft.isChange {
            next.records.revision.number += 1
        }
        self = next
        context.random = nextContext.random
        return draft.finished(revision: revision, mode: modeState.mode, at: context.wallTime, reply: reply)
    }

    private mutating func perform(
        _ command: Command, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch command {
        case .mode(let command): try perform(command, &context, &draft)
        case .authorization(let command): try perform(command, &context, &draft)
        case .secrets(let command): try perform(command, context, &draft)
        case .people(let command): try perform(command, context, &draft)
        case .signIn(let command): try perform(command, context, &draft)
        case .entitlements(let command): try perform(command, &context, &draft)
        case .forms(let command): try perform(command, &context, &draft)
        case .releaseNotes(let command): try perform(command, &context, &draft)
        case .presentations(let command): try perform(command, &context, &draft)
        case .household(let command): try perform(command, &context, &draft)
        case .usage(let command): try perform(command, context, &draft)
        case .age(let command): try perform(command, context, &draft)
        case .control(let command): try perform(command, context, &draft)
        case .daemon(let command): perform(command, &context, &draft)
        }
    }

    /// Settles what follows from a command, in the same transition: active entitlements, open schedules, the time used, choices
    /// that are over, offers that are held back, decisions about open requests, and the cover. `peer` caused the change; `nil`: Gate itself.
    mutating func settleConsequences(
        since before: DecisiveCircumstances?, by peer: Peer?, at moment: BootTime, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) {
        resolveEntitlements(at: moment, &draft)
        readSchedules(context, &draft)
        readUsage(context, &draft)
        readAges(context, &draft)
        let heldBack = heldBack
        if heldBack != queue.heldBack { changeOffers(&draft) { $0.heldBack(heldBack, at: moment) } }
        redecide(since: before, by: peer, at: moment, &context, &draft)
        settleHeardRequests(at: moment, &context, &draft)
        raiseOrWithdrawCover(at: moment, &context, &draft)
    }

    /// Every change of the records goes through here, so that replaying the transitions gives the same records.
    mutating func record(_ change: RecordChange, _ draft: inout TransitionDraft) {
        attachments.willApply(change, to: records)
        records.apply(change)
        draft.record(change)
    }
}

extension Command {
    fileprivate var rules: CommandRules {
        switch self {
        case .mode(let command): command.rules
        case .authorization(let command): command.rules
        case .secrets(let command): command.rules
        case .people(let command): command.rules
        case .signIn(let command): command.rules
        case .entitlements(let command): command.rules
        case .forms(let command): command.rules
        case .releaseNotes(let command): command.rules
        case .presentations(let command): command.rules
        case .household(let command): command.rules
        case .usage(let command): command.rules
        case .age(let command): command.rules
        case .control(let command): command.rules
        case .daemon(let command): command.rules
        }
    }
}

extension Peer {
    var isAdministrator: Bool { roles.contains(.administrator) }

    var isPresenter: Bool { isAdministrator || roles.contains(.presenter) }

    /// Whether this peer may show presentations, even if only those that its own user asks for.
    var mayPresent: Bool { isPresenter || roles.contains(.ownPresenter) }

    var isProvider: Bool { isAdministrator || roles.contains(.provider) }

    var isHousehold: Bool { isAdministrator || roles.contains(.household) }

    /// Whether this peer may also show presentations that are meant for a grown-up's screen.
    var isGrownUpPresenter: Bool { isAdministrator || roles.contains([.presenter, .grownUpPresenter]) }

    var extendsWithoutChallenge: Bool { isAdministrator }

    /// Whether this peer can enter parent mode while no challenge can be asked because no secret is set up.
    var entersWhileNothingIsSetUp: Bool { isAdministrator }

    /// Whether this peer may list all presentations of this device, without the questions themselves. Other peers may
    /// list only those that they asked for.
    var seesAllPresentations: Bool { isPresenter }

    /// - Throws: `permissionDenied` if this peer lacks it. `verifying` are the open requests for parent mode.
    func check(
        _ permission: Permission, verifying: [ModeStateMachine.Request], isParentMode: Bool
    ) throws(GateError) {
        // Every local peer is at least an app. A peer without any role was never admitted.
        guard !roles.isEmpty else { throw .notPermitted("app", "This program has no role, so it may do nothing here.") }
        switch permission {
        case .everyone:
            break
        case .requesterOrAdministrator:
            guard !verifying.isEmpty, !verifying.contains(where: { $0.isBy(self) }), !isAdministrator else { return }
            throw .notPermitted(
                "requester", "Only the program that was asked, or an administrator, can take the question back.")
        case .userOrAdministrator(let uid):
            guard uid == self.uid || isAdministrator else {
                throw .notPermitted("administrator", "Only an administrator may do that for other users.")
            }
        case .presenter:
            guard mayPresent else {
                throw .notPermitted(
                    "presenter", "Only presenters may show what others ask. An administrator names them in the policy.")
            }
        case .grownUpPresenter:
            guard isGrownUpPresenter else {
                throw .notPermitted(
                    "grown-up-presenter",
                    "Only a grown-up answers that, in the session of their own user, or an administrator.")
            }
        case .provider:
            guard isProvider else {
                throw .notPermitted(
                    "provider", "Only providers may say what was paid for. An administrator names them in the policy.")
            }
        case .household:
            guard isHousehold else { throw .onlyCarriers }
        case .grownUpInCharge:
            guard isParentMode || isAdministrator else {
                throw .notPermitted(
                    "grown-up", "Only an administrator may do that, or anybody in parent mode: `gatectl toggle`.")
            }
        case .administrator:
            guard isAdministrator else { throw .notPermitted("administrator", "Only an administrator may do that.") }
        case .daemon:
            guard connection == 0 else { throw .notPermitted("daemon", "Only the daemon itself does that.") }
        }
    }
}
