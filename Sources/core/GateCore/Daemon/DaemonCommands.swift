package import GateModel

/// Things that the daemon finds out. It reports them in its own name (`Peer.connection` 0), or in that of the peer whose connection or call
/// has ended, or that had the configuration read again.
package enum DaemonCommand: Hashable, Sendable {
    /// The first command after a start: parent mode and presentations of before are gone.
    case start
    /// The store was damaged and set aside to the file named; closed until `recover`.
    case closeForDamage(quarantinedFile: String)
    /// Some deadline is due.
    case deadlineReached
    /// The connection of the acting peer has ended.
    case peerDisconnected
    /// The call of the acting peer that waited for this has ended before its answer: cancelled, or past its time.
    case callEnded(WaitID)
    /// The outcome of an `Effect.checkSecret`.
    case secretChecked(presentation: UInt64, SecretOutcome)
    /// The outcome of an `Effect.checkPassword`.
    case passwordChecked(PasswordCheckID, PasswordOutcome)
    /// The configuration was read again; `detail` describes it for the journal.
    case configure(Configuration, detail: String)

    /// The daemon's reports are taken as they come, without settling deadlines first. The outcome of an answer is the exception: a question
    /// whose time is over is over.
    var rules: CommandRules {
        switch self {
        case .start, .closeForDamage, .deadlineReached: CommandRules(.daemon, settlesDeadlines: false)
        // In the name of the peer that is gone, or whose call is.
        case .peerDisconnected, .callEnded: CommandRules(.everyone, settlesDeadlines: false)
        case .secretChecked, .passwordChecked: CommandRules(.daemon)
        // For an administrator, or for SIGHUP.
        case .configure: CommandRules(.administrator, settlesDeadlines: false)
        }
    }

    /// The command for the same fact after its commit was lost. Whether a secret was right must not be found out by filling the disk, so then
    /// the check has failed, whatever its outcome was.
    package var afterLostCommit: DaemonCommand {
        switch self {
        case .secretChecked(let presentation, _): .secretChecked(presentation: presentation, .failed)
        case .passwordChecked(let id, _): .passwordChecked(id, .failed)
        case .start, .closeForDamage, .deadlineReached, .peerDisconnected, .callEnded, .configure: self
        }
    }
}

extension GateState {
    mutating func perform(
        _ command: DaemonCommand, _ context: inout Context, _ draft: inout TransitionDraft
    ) -> Reply {
        switch command {
        case .start:
            forgetWhatWasOpen()
            settleRestoredDrafts(&draft)
            // The same entitlements as before the stop are no news.
            var silence = TransitionDraft()
            resolveEntitlements(at: context.now, &silence)
            draft.journal(.started, by: context.peer)
        case .closeForDamage(let file):
            forgetWhatWasOpen()
            record(.damageSet(quarantinedFile: file), &draft)
            draft.journal(.storeDamaged, by: context.peer, file)
        case .deadlineReached: settleDeadlines(&context, &draft)
        case .peerDisconnected: losePeer(context, &draft)
        case .callEnded(let wait): loseCall(wait, context, &draft)
        case .secretChecked(let id, let outcome): secretChecked(id, outcome, &context, &draft)
        case .passwordChecked(let id, let outcome): passwordChecked(id, outcome, context, &draft)
        case .configure(let configuration, let detail): configure(configuration, detail, context, &draft)
        }
        return .done
    }

    /// The author of whatever follows from a command: of a secret or a password that was checked, the one who
    /// typed it. `nil`: of Gate itself, by its clock or by a reload.
    func author(of command: Command, _ acting: Peer) -> Peer? {
        let author: Peer? =
            if case .daemon(.secretChecked(let id, _)) = command {
                queue.check(of: id)?.answerer
            } else if case .daemon(.passwordChecked(let id, _)) = command {
                passwordChecks[id]?.peer
            } else {
                acting
            }
        return author.flatMap { $0.connection == 0 ? nil : $0 }
    }

    /// Nobody is connected yet, so there is nobody to be told.
    private mutating func forgetWhatWasOpen() {
        machine.restarted()
        requests = RequestBook()
        queue = PresentationQueue()
        grants = GrantLedger()
        householdBook = HouseholdBook()
        signInMachine.restarted()
        passwordChecks = PasswordChecks()
        forms.forgetPending()
    }

    /// Another policy is in force. Kept grants stay only if it says the same of their gated action as the one before.
    mutating func configure(
        _ new: Configuration, _ detail: String, _ context: Context, _ draft: inout TransitionDraft
    ) {
        let old = configuration
        configuration = new
        offers.configured(new.entitlements.keys)
        reformDrafts(&draft)
        isCoverPutAway = false
        draft.journal(.reloaded, by: context.peer, detail)
        for key in keptGrants(of: nil).map(\.key) {
            let before = old.gatedActions[key.gatedAction]
            if let now = new.gatedActions[key.gatedAction], now.requirement == before?.requirement,
                now.keep == before?.keep
            {
                continue
            }
            record(.keptGrantRemoved(key), &draft)
            draft.journal(.revoked, by: nil, key.name(for: nil))
        }
    }

    /// The acting peer's connection has ended: what it asked for, what it showed, and what it was granted.
    private mutating func losePeer(_ context: Context, _ draft: inout TransitionDraft) {
        for request in requests.requests(of: context.peer) {
            end(request.id, .requesterLost, by: context.peer, at: context.now, &draft)
        }
        for open in queue.open where open.check?.answerer.connection == context.peer.connection {
            queue.update(open.id) { $0.checkingCallLost() }
        }
        loseSignInCalls(of: context.peer, &draft)
        losePresenter(context, &draft)
        grants.requesterLost(context.peer)
        householdBook.connectionLost(context.peer.connection)
        settlePending(&draft) { $0.connectionLost(context.peer.connection) }
    }

    /// A call of the acting peer that waits has ended before its answer.
    private mutating func loseCall(_ wait: WaitID, _ context: Context, _ draft: inout TransitionDraft) {
        if let request = requests.requests(of: context.peer).first(where: { $0.wait == wait }) {
            // Anyone who shows it itself has it on its screen still, and may wait again.
            if request.presentsItself {
                requests.callLost(wait)
            } else {
                end(request.id, .callEnded, by: context.peer, at: context.now, &draft)
            }
        }
        loseSignInCall(wait, of: context.peer, &draft)
        for open in queue.open
        where open.check?.wait == wait && open.check?.answerer.connection == context.peer.connection {
            queue.update(open.id) { $0.checkingCallLost() }
        }
    }
}
