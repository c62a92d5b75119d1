package import GateModel

/// All of Gate's state, and the one way to change it: `apply`.
///
/// It composes the machines. Each rule is in a file of its own: the commands of each subject in its `…Commands.swift`, the mode in
/// `ModeStateMachine.swift`, the permissions of each role in `Permissions.swift`, the steps to a gated action in `RequirementRules.swift`,
/// presenters and their order in `PresentationQueue.swift`, the life of a request in `RequestLife.swift`, its end and the price of that in
/// `RequestEnding.swift` and `LockoutRules.swift`, grants in `GrantLedger.swift`, questions in `Challenges/`, sessions in
/// `SignInStateMachine.swift`, the cover in `Cover.swift`, conclusions from claims in `EntitlementRules.swift`, forms in `FormLife/` and
/// `Forms/`, release notes in `ReleaseNotesRules.swift`, durable records in `DurableRecords.swift`, limits in `Limits.swift`.
public struct GateState: Sendable {
    /// The fields are in `GateStateStorage.swift`.
    var storage: GateStateStorage

    /// The state of a daemon that starts with what its store holds: child, nothing open. `start` (or `closeForDamage`)
    /// is the first command to give it.
    package init(restoring records: DurableRecords, configuration: Configuration) {
        storage = GateStateStorage(GateStateFields(records: records, sharedConfiguration: Shared(configuration)))
        forms = FormBook(restoring: records, configuration: configuration)
        attachments = AttachmentLedger(restoring: records)
    }

    /// Does what is asked, and says what has to be stored, published, done and answered.
    ///
    /// Deadlines that are due come first, within the same transition, so that nobody acts on a lease that is over. What
    /// the command changes for requests that are open is decided within it too.
    /// A command that throws leaves no trace, neither here nor in `context.random`.
    package mutating func apply(_ command: Command, _ context: inout Context) throws(GateError) -> Transition {
        var next = self
        var nextContext = context
        var draft = TransitionDraft()
        next.clockWasRead(context)
        let rules = command.rules
        if let cookie = rules.cookie { try check(cookie, of: context.peer, at: context.now) }
        if rules.settlesDeadlines { next.settleDeadlines(&nextContext, &draft) }
        try context.peer.check(
            rules.permission, verifying: next.machine.verifying, isParentMode: next.machine.isParent)
        if rules.usesSession { next.useSession(context, &draft) }
        let before = next.circumstances
        let author = author(of: command, context.peer)
        let reply = try next.perform(command, &nextContext, &draft)
        next.settleConsequences(since: before, by: author, at: context.now, &nextContext, &draft)
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
        case .signIn(let command): try perform(command, context, &draft)
        case .entitlements(let command): try perform(command, &context, &draft)
        case .forms(let command): try perform(command, &context, &draft)
        case .releaseNotes(let command): try perform(command, &context, &draft)
        case .presentations(let command): try perform(command, &context, &draft)
        case .household(let command): try perform(command, &context, &draft)
        case .control(let command): try perform(command, context, &draft)
        case .daemon(let command): perform(command, &context, &draft)
        }
    }

    /// Does what follows from what was done, within the same transition: what is paid for, what is decided about
    /// whatever is open, and the cover.
    ///
    /// - Parameter peer: whose doing it is; `nil`: Gate's own.
    mutating func settleConsequences(
        since before: DecisiveCircumstances?, by peer: Peer?, at moment: BootTime, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) {
        resolveEntitlements(at: moment, &draft)
        let heldBack = ownersHeldBack
        changeOffers(&draft) { $0.heldBack(heldBack, at: moment) }
        redecide(since: before, by: peer, at: moment, &context, &draft)
        settleHeardRequests(at: moment, &context, &draft)
        raiseOrWithdrawCover(at: moment, &context, &draft)
    }

    /// The one way to change what is durable, so that replaying the transitions gives the same records.
    mutating func record(_ change: RecordChange, _ draft: inout TransitionDraft) {
        attachments.willApply(change, to: records)
        records.apply(change)
        draft.record(change)
    }
}
