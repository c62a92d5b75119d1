public import GateModel

/// All of Gate's state, and the one way to change it: `apply`.
///
/// It composes the machines; each rule is in a file of its own: the mode in `ModeStateMachine.swift`, who may do what
/// in `Permissions.swift`, the cost of failures in `LockoutRules.swift`, questions in `ArithmeticChallenge.swift`, what
/// is kept in `DurableRecords.swift`.
public struct GateState: Hashable, Sendable {
    /// What a store holds, as of the newest transition.
    public internal(set) var records: DurableRecords
    public internal(set) var configuration: Configuration
    var machine = ModeStateMachine()

    /// The state of a daemon that starts with what its store holds: child, nothing open. `start` (or `closeForDamage`)
    /// is the first command to give it.
    public init(restoring records: DurableRecords, configuration: Configuration) {
        self.records = records
        self.configuration = configuration
    }

    // MARK: - Reading

    public var revision: Revision { records.revision }

    /// The mode as everyone may see it. A deadline in it may be due already; then `deadlineReached` is.
    public var modeState: ModeState { machine.modeState }

    /// While closed for damage: the file that the damaged store was set aside to.
    public var setAside: String? { records.setAside }

    /// When the daemon has to give `deadlineReached` next.
    public var nextDeadline: BootTime? {
        [machine.nextDeadline, nextLockoutEnd].compactMap { $0 }.min()
    }

    /// The open question of the peer with this connection, for a peer that asks again. `nil`: it has none.
    public func openPresentation(for connection: UInt64) -> Presentation? {
        guard let open = machine.openChallenge, open.requester.connection == connection else { return nil }
        return open.presentation
    }

    // MARK: - Changing

    /// Does what is asked, and says what has to be stored, published and answered.
    ///
    /// Deadlines that are due come first, within the same transition, so that nobody acts on a lease that is over.
    /// A command that throws leaves no trace, neither here nor in `context.random`.
    public mutating func apply(_ command: Command, _ context: inout Context) throws(GateError) -> Transition {
        var next = self
        var draft = TransitionDraft()
        if command.settlesDeadlines {
            try machine.checkCookie(of: command, context, nextPresentation: records.nextPresentation)
            next.settleDeadlines(&draft, at: context.now)
        }
        let isVerifying = next.modeState.mode == .verifying
        try context.peer.check(command.permission, verifying: isVerifying ? next.machine.openChallenge : nil)
        let reply = try next.perform(command, &context, &draft)
        if draft.isChange {
            next.records.revision.number += 1
        }
        self = next
        return draft.finished(revision: revision, mode: modeState.mode, at: context.wallTime, reply: reply)
    }

    private mutating func perform(
        _ command: Command, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch command {
        case .toggle(let presentsItself):
            return try toggle(presentsItself: presentsItself, &context, &draft)
        case .cancel:
            return cancel(context, &draft)
        case .lock:
            return lock(context, &draft)
        case .extend(let duration, let presentsItself):
            return try extend(for: duration, presentsItself: presentsItself, &context, &draft)
        case .override(let mode, let duration, let reason):
            return try override(to: mode, for: duration, because: reason, context, &draft)
        case .complete(_, let answer):
            return try complete(answer, context, &draft)
        case .dismiss:
            return try dismiss(context, &draft)
        case .recover:
            return try recover(context, &draft)
        case .start:
            machine.restarted()
            draft.journal(.started, by: context.peer)
            return .done
        case .closeForDamage(let file):
            machine.restarted()
            record(.damageSet(setAside: file), &draft)
            draft.journal(.storeDamaged, by: context.peer, file)
            return .done
        case .deadlineReached:
            settleDeadlines(&draft, at: context.now)
            return .done
        case .peerDisconnected:
            loseRequester(context, &draft)
            return .done
        case .configure(let configuration, let detail):
            self.configuration = configuration
            draft.journal(.reloaded, by: context.peer, detail)
            return .done
        }
    }

    private mutating func recover(_ context: Context, _ draft: inout TransitionDraft) throws(GateError) -> Reply {
        guard let file = setAside else { throw .notDamaged }
        record(.damageSet(setAside: nil), &draft)
        draft.journal(.recovered, by: context.peer, file)
        return .recovered(setAside: file)
    }

    /// The one way to change what is durable, so that replaying the transitions gives the same records.
    mutating func record(_ change: RecordChange, _ draft: inout TransitionDraft) {
        records.apply(change)
        draft.record(change)
    }
}

extension Command {
    /// Whether deadlines that are due are settled before it. What the daemon itself reports is taken as it comes.
    fileprivate var settlesDeadlines: Bool {
        switch self {
        case .toggle, .cancel, .lock, .extend, .override, .complete, .dismiss, .recover: true
        case .start, .closeForDamage, .deadlineReached, .peerDisconnected, .configure: false
        }
    }
}
