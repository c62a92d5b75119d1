package import GateModel

/// All of Gate's state, and the one way to change it: `apply`.
///
/// It composes the machines; each rule is in a file of its own: the mode in `ModeStateMachine.swift`, who may do what
/// in `Permissions.swift`, what a gated action takes in `RequirementRules.swift`, who shows what in
/// `PresentationQueue.swift`, what ends a request and what that costs in `RequestEnding.swift` and
/// `LockoutRules.swift`, grants in `GrantLedger.swift`, questions in `Challenges/`, who is signed in in
/// `SignInStateMachine.swift` and the cover in `Cover.swift`, what claims come to in `EntitlementRules.swift`, forms in
/// `FormCommands.swift` and `Forms/`, what guardians of the household may do in `HouseholdCommands.swift`, what is new in `ReleaseNotesRules.swift`, what is kept
/// in `DurableRecords.swift`, limits in `Limits.swift`.
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
        if command.settlesDeadlines {
            try checkCookie(of: command, context)
            next.settleDeadlines(&nextContext, &draft)
        }
        try context.peer.check(
            command.permission, verifying: next.machine.verifying, isParentMode: next.machine.isParent)
        if command.isUseOfSession { next.useSession(context, &draft) }
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
        case .toggle(let presenting):
            return try ask(presenting, &context, &draft) { state, itself, context, draft throws(GateError) in
                try state.toggle(presentsItself: itself, &context, &draft)
            }
        case .cancel:
            return cancel(context, &draft)
        case .lock:
            return try lock(context, &draft)
        case .extend(let duration, let presenting):
            return try ask(presenting, &context, &draft) { state, itself, context, draft throws(GateError) in
                try state.extend(for: duration, presentsItself: itself, &context, &draft)
            }
        case .override(let mode, let duration, let reason):
            return try override(to: mode, for: duration, because: reason, context, &draft)
        case .authorize(let request, let presenting):
            return try ask(presenting, &context, &draft) { state, itself, context, draft throws(GateError) in
                try state.authorize(request, presentsItself: itself, &context, &draft)
            }
        case .redeem(let proof, let gatedAction, let details):
            return try redeem(proof, gatedAction: gatedAction, details: details, context, &draft)
        case .revoke(let uid, let gatedAction):
            return revoke(of: uid ?? context.peer.uid, gatedAction, context, &draft)
        case .clearLockouts(let uid, let gate):
            return clearLockouts(of: uid, at: gate, context, &draft)
        case .setPasscode(let hash):
            return try setSecret(.passcode, .passcodeSet(hash: hash), context, &draft)
        case .setTOTP(let key, let usedStep):
            return try setSecret(.totp, .totpSet(TOTPEnrolment(key: key, usedStep: usedStep)), context, &draft)
        case .removeSecret(let kind):
            return try removeSecret(kind, context, &draft)
        case .logIn(let name, let password):
            return try logIn(name: name, password: password, context, &draft)
        case .logOut:
            return try logOut(context, &draft)
        case .registerAccount(let account, let hash):
            return try register(account, passwordHash: hash, context, &draft)
        case .changePassword(let name, let old, let newHash):
            return try changePassword(of: name, from: old, to: newHash, context, &draft)
        case .setPassword(let name, let hash):
            return try setPassword(of: name, to: hash, context, &draft)
        case .removeAccount(let name):
            return try removeAccount(name, context, &draft)
        case .confirmAccount(let account, let hash):
            return try confirmAccount(account, passwordHash: hash, context, &draft)
        case .addClaim(let entitlement, let holder, let end):
            return try addClaim(entitlement, holder, until: end, context, &draft)
        case .revokeClaim(let id):
            return try revokeClaim(id, context, &draft)
        case .submit(let statement, let holder, let source):
            return try submit(statement, for: holder, from: source, context, &draft)
        case .reportProvider(let provider, let isReachable, let detail):
            return try report(provider, isReachable: isReachable, detail, context, &draft)
        case .reportOffers(let provider, let entitlement, let offers):
            return try report(offers, of: provider, for: entitlement, context, &draft)
        case .requestPaywall(let request, let presenting):
            return try ask(presenting, &context, &draft) { state, itself, context, draft throws(GateError) in
                try state.requestPaywall(request, presentsItself: itself, &context, &draft)
            }
        case .openForm(let target, let beginsAnother, let label, let own):
            return try openForm(target, beginsAnother: beginsAnother, label: label, own: own, context, &draft)
        case .labelDraft(let target, let label):
            return try labelDraft(target, label, context, &draft)
        case .announceSuggestion(let target, let revision, let path, let duration):
            return try announceSuggestion(target, at: revision, path, for: duration, context, &draft)
        case .editForm(let target, let revision, let edit):
            return try editForm(target, at: revision, edit, context, &draft)
        case .saveForm(let target):
            return try saveForm(target, context, &draft)
        case .loadForm(let target, let revision, let id):
            return try loadForm(target, at: revision, response: id, context, &draft)
        case .completeForm(let target, let revision):
            return try completeForm(target, at: revision, context, &draft)
        case .discardForm(let target, let holder):
            return try discardForm(target, of: holder, context, &draft)
        case .withdrawResponse(let id):
            return try withdrawResponse(id, context, &draft)
        case .savePart(let target, let path, let over, let label):
            return try savePart(target, path, over: over, label: label, context, &draft)
        case .labelPart(let id, let label):
            return try labelPart(id, label, context, &draft)
        case .removePart(let id):
            return try removePart(id, context, &draft)
        case .requestForm(let name, let own):
            return try requestForm(name, own: own, &context, &draft)
        case .showWhatsNew(let app, let version, let own, let presenting):
            return try ask(presenting, &context, &draft) { state, itself, context, draft throws(GateError) in
                try state.showWhatsNew(app, version, own: own, presentsItself: itself, &context, &draft)
            }
        case .acknowledgeWhatsNew(let app, let version, let own):
            return try acknowledgeWhatsNew(app, version, own: own, context, &draft)
        case .resetWhatsNew(let app):
            return try resetWhatsNew(app, context, &draft)
        case .register(let abilities):
            return try register(abilities, context, &draft)
        case .unregister:
            return unregister(context, &draft)
        case .claim(let id):
            return try claim(id, &context, &draft)
        case .report(let cookie, let input):
            return try report(input, with: cookie, context, &draft)
        case .complete(let cookie, let answer):
            return try complete(answer, with: cookie, &context, &draft)
        case .dismiss(let cookie):
            return try dismiss(with: cookie, context, &draft)
        case .awaitClosing(let cookie):
            return try awaitClosing(cookie, &context, &draft)
        case .withdraw(let id):
            return try withdraw(id, context, &draft)
        case .openHousehold:
            return try openHousehold(&context)
        case .applyList(let list):
            return try applyList(list, context, &draft)
        case .takeHouseholdPolicy(let policy, let configuration, let detail):
            return try takeHouseholdPolicy(policy, configuration, detail, context, &draft)
        case .takeDeviceKey(let key, let replaces):
            return try takeDeviceKey(key, replaces: replaces, context, &draft)
        case .execute(let command):
            return try execute(command, &context, &draft)
        case .sendCommand(let order, let devices, let grant):
            return try sendCommand(order, to: devices, grant: grant, &context, &draft)
        case .obeyHomeAssistant(let order):
            return try obeyHomeAssistant(order, &context, &draft)
        case .reachBroker(let isThere):
            return reachBroker(isThere, context)
        case .receiveRequests(let news):
            return try receiveRequests(news, context, &draft)
        case .answerRequest(let number, let isApproved, let grant):
            return try answerRequest(number, isApproved: isApproved, grant: grant, context, &draft)
        case .recover:
            return try recover(context, &draft)
        case .backUp:
            draft.journal(.backedUp, by: context.peer)
            return .done
        case .restore(let backup, let detail):
            return restore(backup, detail, context, &draft)
        case .start:
            forgetWhatWasOpen()
            settleRestoredDrafts(&draft)
            // What is paid for is what it was before: no news.
            var silence = TransitionDraft()
            resolveEntitlements(at: context.now, &silence)
            draft.journal(.started, by: context.peer)
            return .done
        case .closeForDamage(let file):
            forgetWhatWasOpen()
            record(.damageSet(quarantinedFile: file), &draft)
            draft.journal(.storeDamaged, by: context.peer, file)
            return .done
        case .deadlineReached:
            settleDeadlines(&context, &draft)
            return .done
        case .peerDisconnected:
            losePeer(context, &draft)
            return .done
        case .callEnded(let wait):
            loseCall(wait, context, &draft)
            return .done
        case .secretChecked(let id, let outcome):
            secretChecked(id, outcome, &context, &draft)
            return .done
        case .passwordChecked(let id, let outcome):
            passwordChecked(id, outcome, context, &draft)
            return .done
        case .configure(let configuration, let detail):
            return configure(configuration, detail, context, &draft)
        }
    }

    private mutating func recover(_ context: Context, _ draft: inout TransitionDraft) throws(GateError) -> Reply {
        guard let file = quarantinedFile else { throw .notDamaged }
        record(.damageSet(quarantinedFile: nil), &draft)
        draft.journal(.recovered, by: context.peer, file)
        return .recovered(quarantinedFile: file)
    }

    /// Nobody is connected yet, so there is nobody to be told.
    private mutating func forgetWhatWasOpen() {
        machine.restarted()
        requests = RequestBook()
        queue = PresentationQueue()
        grants = GrantLedger()
        householdDesk = HouseholdDesk()
        signInMachine.restarted()
        passwordChecks = PasswordChecks()
        forms.forgetPending()
    }

    /// The author of whatever follows from a command: of a secret or a password that was checked, the one who
    /// typed it. `nil`: of Gate itself, by its clock or by a reload.
    private func author(of command: Command, _ acting: Peer) -> Peer? {
        let author: Peer? =
            if case .secretChecked(let id, _) = command {
                queue.check(of: id)?.answerer
            } else if case .passwordChecked(let id, _) = command {
                passwordChecks[id]?.peer
            } else {
                acting
            }
        return author.flatMap { $0.connection == 0 ? nil : $0 }
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

extension Command {
    /// Whether deadlines that are due are settled before it. What the daemon itself reports is taken as it comes,
    /// except for the outcome of an answer: a question whose time is over is over.
    fileprivate var settlesDeadlines: Bool {
        switch self {
        case .toggle, .cancel, .lock, .extend, .override, .authorize, .redeem, .revoke, .clearLockouts, .setPasscode,
            .setTOTP, .removeSecret, .logIn, .logOut, .registerAccount, .changePassword, .setPassword, .removeAccount,
            .confirmAccount, .addClaim, .revokeClaim, .submit, .reportProvider, .reportOffers, .requestPaywall,
            .openForm, .labelDraft, .announceSuggestion, .editForm,
            .saveForm, .loadForm, .completeForm, .discardForm, .withdrawResponse, .savePart, .labelPart, .removePart,
            .requestForm, .showWhatsNew,
            .acknowledgeWhatsNew,
            .resetWhatsNew, .register, .unregister, .claim, .report, .complete, .dismiss, .awaitClosing, .withdraw,
            .recover, .backUp, .restore, .secretChecked, .passwordChecked, .openHousehold, .applyList,
            .takeHouseholdPolicy, .takeDeviceKey,
            .execute, .sendCommand, .obeyHomeAssistant, .reachBroker, .receiveRequests, .answerRequest:
            true
        case .start, .closeForDamage, .deadlineReached, .peerDisconnected, .callEnded, .configure: false
        }
    }
}

extension Command {
    /// Whether somebody does something by it, so that a session goes on.
    fileprivate var isUseOfSession: Bool {
        switch self {
        case .toggle, .extend, .authorize, .changePassword, .requestPaywall, .openForm, .labelDraft, .editForm,
            .saveForm,
            .loadForm, .completeForm, .discardForm, .withdrawResponse, .savePart, .labelPart, .removePart, .requestForm,
            .showWhatsNew,
            .acknowledgeWhatsNew,
            .resetWhatsNew, .claim, .complete, .awaitClosing:
            true
        case .cancel, .lock, .override, .redeem, .revoke, .clearLockouts, .setPasscode, .setTOTP, .removeSecret, .logIn,
            .announceSuggestion, .logOut, .registerAccount, .setPassword, .removeAccount, .confirmAccount, .addClaim,
            .revokeClaim, .submit,
            .reportProvider, .reportOffers, .register, .unregister, .report, .dismiss, .withdraw, .recover, .backUp,
            .restore, .start,
            .closeForDamage,
            .deadlineReached,
            .peerDisconnected, .callEnded, .secretChecked, .passwordChecked, .configure, .openHousehold, .applyList,
            .takeHouseholdPolicy,
            .takeDeviceKey, .execute, .sendCommand, .obeyHomeAssistant, .reachBroker, .receiveRequests, .answerRequest:
            false
        }
    }
}
