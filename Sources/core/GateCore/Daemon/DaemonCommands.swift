package import GateModel

/// Events that the daemon reports. The acting peer is the daemon itself (`Peer.connection` 0), or the peer whose
/// connection or call ended, or that asked for the reload of the configuration.
package enum DaemonCommand: Hashable, Sendable {
    /// The daemon has started, without earlier parent mode and presentations. Only `closeForDamage` may come before.
    /// `lastEntry` is the time of the newest entry that the journal had before; `nil` if it had none.
    case start(lastEntry: WallTime?)
    /// The store was damaged and moved to this file. Gate is closed until `recover`.
    case closeForDamage(quarantinedFile: String)
    case deadlineReached
    /// The connection of the acting peer ended.
    case peerDisconnected
    /// The acting peer's waiting call ended before its answer: it was cancelled, or its deadline passed.
    case callEnded(WaitID)
    /// The configuration was read again. `detail` describes it for the journal.
    case configure(Configuration, detail: String)

    var rules: CommandRules {
        switch self {
        case .start, .closeForDamage, .deadlineReached: CommandRules(.daemon, settlesDeadlines: false)
        case .peerDisconnected, .callEnded: CommandRules(.everyone, settlesDeadlines: false)
        // For an administrator's command, or for SIGHUP.
        case .configure: CommandRules(.administrator, settlesDeadlines: false)
        }
    }
}

extension GateState {
    mutating func perform(
        _ command: DaemonCommand, _ context: inout Context, _ draft: inout TransitionDraft
    ) -> Reply {
        switch command {
        case .start(let lastEntry):
            forgetWhatWasOpen()
            settleRestoredDrafts(&draft)
            endAsksOfOtherPolicy(at: context.wallTime, &draft)
            // What was active before the stop is not stored, so every entitlement would look new. They are concluded
            // as of the newest entry, because everything that ended before has an entry of its own. What has ended
            // since then is journalled as a consequence of this command.
            var silence = TransitionDraft()
            let before = lastEntry.map(bootTime(at:)) ?? context.now
            resolveEntitlements(at: min(before, context.now), &silence)
            draft.journal(.started, by: context.peer)
        case .closeForDamage(let file):
            forgetWhatWasOpen()
            record(.damageSet(quarantinedFile: file), &draft)
            draft.journal(.storeDamaged, by: context.peer, file)
        case .deadlineReached: settleDeadlines(&context, &draft)
        case .peerDisconnected: losePeer(context, &draft)
        case .callEnded(let wait): loseCall(wait, context, &draft)
        case .configure(let configuration, let detail): configure(configuration, detail, context, &draft)
        }
        return .done
    }

    /// Forgets everything that was open. No peer has to be told, since none is connected yet.
    private mutating func forgetWhatWasOpen() {
        machine.restarted()
        requests = RequestBook()
        queue = PresentationQueue()
        grants = GrantLedger()
        householdBook = HouseholdBook()
        signInMachine.restarted()
        passwordChecks = PasswordChecks()
        uses = UseBook()
        recognizedUsers = []
        forms.forgetPending()
    }

    /// A kept grant stays only if the requirement and `keep` of its action stay; an ask and the yes to it stay only if
    /// nothing of its action changes.
    mutating func configure(
        _ new: Configuration, _ detail: String, as kind: AuditEntry.Kind = .reloaded, _ context: Context,
        _ draft: inout TransitionDraft
    ) {
        let old = configuration
        configuration = new
        offers.configured(new.entitlements.keys)
        reformDrafts(&draft)
        isCoverPutAway = false
        draft.journal(kind, by: context.peer, detail)
        endAsksOfOtherPolicy(at: context.wallTime, &draft)
        for key in keptGrants(of: nil).map(\.key) where key.ask == nil {
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

    private mutating func losePeer(_ context: Context, _ draft: inout TransitionDraft) {
        for request in requests.requests(of: context.peer) {
            end(request.id, .requesterLost, by: context.peer, at: context.now, &draft)
        }
        for open in queue.open where open.check?.answerer.connection == context.peer.connection {
            queue.update(open.id) { $0.checkingCallLost() }
        }
        loseSignInCalls(of: context.peer, at: context.now, &draft)
        losePresenter(context, &draft)
        grants.requesterLost(context.peer)
        if householdBook.connectionLost(context.peer.connection) { draft.becameVisible() }
        endUses(of: context.peer, context, &draft)
        settlePending(&draft) { $0.connectionLost(context.peer.connection) }
    }

    private mutating func loseCall(_ wait: WaitID, _ context: Context, _ draft: inout TransitionDraft) {
        if let request = requests.requests(of: context.peer).first(where: { $0.wait == wait }) {
            // A requester that shows the question itself still has it on its screen, and may wait again.
            if request.presentsItself {
                requests.callLost(wait)
            } else {
                end(request.id, .callEnded, by: context.peer, at: context.now, &draft)
            }
        }
        loseSignInCalls(of: context.peer, waiting: wait, at: context.now, &draft)
        for open in queue.open
        where open.check?.wait == wait && open.check?.answerer.connection == context.peer.connection {
            queue.update(open.id) { $0.checkingCallLost() }
        }
    }
}
