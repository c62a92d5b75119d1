package import GateModel

/// Commands about gated actions. None of them changes the mode.
package enum AuthorizationCommand: Hashable, Sendable {
    case authorize(AuthorizationRequest, presenting: Presenting)
    case redeem(Grant.Proof, gatedAction: String, details: String)
    /// Ends grants that the policy keeps. `uid` `nil`: of the acting peer's user; `gatedAction` `nil`: for all actions.
    case revoke(uid: UInt32?, gatedAction: String?)
    /// Removes the lockouts of one user, or of all owners if `uid` is `nil`; at one gate, or at all gates if `gate` is
    /// `nil`.
    case clearLockouts(uid: UInt32?, gate: String?)
    /// A grown-up says yes or no to the ask of this number.
    case answerAsk(UInt64, AskAnswer)
    case withdrawAsk(UInt64)
    /// The person whose user this peer is asks a grown-up for more time. `wish` is how much they would like.
    case askMoreTime(gatedAction: String, wish: AskChoice?)

    var rules: CommandRules {
        switch self {
        case .authorize: CommandRules(.everyone, usesSession: true)
        // The ledger checks that this peer may take the grant.
        case .redeem: CommandRules(.everyone)
        case .revoke(let uid, _): CommandRules(uid.map { .userOrAdministrator($0) } ?? .everyone)
        case .clearLockouts: CommandRules(.administrator)
        // The same right as to say yes or no on a screen.
        case .answerAsk: CommandRules(.grownUpPresenter)
        // `withdrawAsk` checks whose ask it is.
        case .withdrawAsk: CommandRules(.everyone)
        case .askMoreTime: CommandRules(.everyone)
        }
    }
}

extension GateState {
    mutating func perform(
        _ command: AuthorizationCommand, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch command {
        case .authorize(let request, let presenting):
            return try ask(presenting, &context, &draft) { state, itself, context, draft throws(GateError) in
                try state.authorize(request, presentsItself: itself, &context, &draft)
            }
        case .redeem(let proof, let gatedAction, let details):
            return try redeem(proof, gatedAction: gatedAction, details: details, context, &draft)
        case .revoke(let uid, let gatedAction):
            return revoke(of: uid ?? context.peer.uid, gatedAction, context, &draft)
        case .clearLockouts(let uid, let gate): return clearLockouts(of: uid, at: gate, context, &draft)
        case .answerAsk(let number, let answer): return try answerAsk(number, answer, &context, &draft)
        case .withdrawAsk(let number): return try withdrawAsk(number, context, &draft)
        case .askMoreTime(let gatedAction, let wish):
            return try askMoreTime(before: gatedAction, wish, &context, &draft)
        }
    }

    private mutating func authorize(
        _ request: AuthorizationRequest, presentsItself: Bool, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard let gatedAction = configuration.gatedActions.named(request.gatedAction) else { throw .denied }
        try checkDetails(request.details)
        // Only the requester may use a grant for `gate.change`. Otherwise one program could have the question asked,
        // and another one could use the yes for its own change.
        guard request.gatedAction != GatedAction.change || request.redeemer == nil else { throw .onlyForRequester }
        try checkUnusedGrants(of: context.peer, at: context.now)
        var request = request
        if request.mayWait { request.mayWait = asker(context.peer) != nil }
        let decision = decision(on: request, of: context.peer, answered: [], open: nil, at: context.now) {
            step, _ in
            !request.atOnce
                && canShow(step, gatedAction.style, for: context.peer, presentsItself: presentsItself)
                || request.mayWait && step.mayWait != nil
        }
        switch decision {
        case .granted:
            return .granted(grant(request, to: context.peer, answered: [], at: context.now, &context, &draft))
        case .refused(let error):
            throw request.atOnce && error.reason == .noPresenter ? .notAtOnce(error) : error
        case .present(let step, let ordinal):
            if presentsItself, case .challenge(let specification) = step {
                try checkGuess(at: specification, by: context.peer)
            }
            if let refusal = waits(
                for: step, request, of: context.peer, presentsItself: presentsItself, at: context.now,
                using: &context.random, &draft)
            {
                return .refused(refusal)
            }
            let first = FirstQuestion(step: step, ordinal: ordinal, requirement: gatedAction.requirement)
            return try open(
                .authorize(request), presentsItself: presentsItself, asking: first, &context, &draft
            ).1
        }
    }

    /// Takes a grant, once, for the peer that is about to do what was granted.
    private mutating func redeem(
        _ proof: Grant.Proof, gatedAction: String, details: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let result = grants.redeemed(
            proof, gatedAction: gatedAction, details: details, by: context.peer, at: context.now)
        switch result {
        case .taken(let grant, let requester):
            draft.journal(.redeemed, by: context.peer, grant.name)
            return .redeemed(requesterUID: requester.uid, requesterPID: requester.pid, subject: requester.subject)
        case .noGrant:
            throw .noGrant
        case .notPermitted:
            throw .othersGrant
        }
    }

    /// Grants the request, or asks its next question, after a right answer to its open one. Returns the reply to the
    /// requester.
    mutating func goOn(
        with authorization: AuthorizationRequest, of id: RequestID, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) -> Reply {
        guard let request = requests[id] else { return .refused(.cookie(.closed)) }
        switch decision(on: request, open: nil, at: context.now) {
        case .granted:
            return .granted(fulfil(request, authorization, at: context.now, &context, &draft))
        case .present(let step, let ordinal):
            return askNext(step, ordinal: ordinal, of: request, at: context.now, &context, &draft)
        case .refused(let error):
            _ = close(id, at: context.now, answerHears: .cookie(.closed), &draft)
            draft.settle(request.wait, .refused(error))
            return .refused(error)
        }
    }

    /// Grants a request that needs no further step: closes it, and sends its requester the grant.
    @discardableResult
    mutating func fulfil(
        _ request: OpenRequest, _ authorization: AuthorizationRequest, at moment: BootTime, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) -> Grant {
        forgive(request.id, &draft)
        _ = close(request.id, at: moment, answerHears: .cookie(.closed), &draft)
        if !request.answered.isEmpty {
            keep(authorization, for: request.requester, at: moment, &draft)
        }
        let grant = grant(
            authorization, to: request.requester, answered: Set(request.answered.keys), at: moment, &context, &draft)
        draft.settle(request.wait, .granted(grant))
        return grant
    }

    /// - Parameter answered: the ordinals of the questions that were answered for it.
    private mutating func grant(
        _ request: AuthorizationRequest, to requester: Peer, answered: Set<Int>, at moment: BootTime,
        _ context: inout Context, _ draft: inout TransitionDraft
    ) -> Grant {
        useYes(to: request, of: requester, answered: answered, at: moment, &draft)
        let grant = grants.granted(request, to: requester, at: moment, using: &context.random)
        draft.journal(.granted, by: requester, grant.name)
        return grant
    }

    /// Limits how many unused grants a peer and its owner may hold. Open requests count too, since they may be granted.
    /// Each subject of a broker's connection has the same limit as a connection of its own.
    private func checkUnusedGrants(of peer: Peer, at now: BootTime) throws(GateError) {
        let pending = requests.open.filter { $0.requester.owner == peer.owner && $0.authorization != nil }
        guard grants.unusedCount(of: peer) + pending.count(where: { $0.isRequested(by: peer) }) < Limits.unusedGrants
        else {
            throw .tooManyGrants(
                retryAfter: grants.firstDeadline(of: peer).map(now.duration(to:)))
        }
        guard grants.unusedCount(of: peer.owner) + pending.count < Limits.unusedGrantsOfUser else {
            throw .tooManyGrantsOfUser(
                retryAfter: grants.firstDeadline(of: peer.owner).map(now.duration(to:)))
        }
    }

    /// Details must be one line, because the person who is asked reads and believes them.
    func checkDetails(_ details: String) throws(GateError) {
        guard details.utf8.count <= Limits.detailsByteCount, details.isSingleLine else {
            throw .invalid(
                "details",
                "Details are at most \(Limits.detailsByteCount) bytes, in one line, without control characters, "
                    + "invisible or unassigned ones, or more than four marks on one letter.")
        }
    }

    // MARK: - Not asked again for a while

    /// Keeps a grant only if a person answered a question: a grant that parent mode allowed ends with parent mode. If a
    /// schedule of the gated action closes earlier, the kept grant ends then, even if the schedule opens again.
    /// Nothing is kept for a user that is billed to another, since one person may have 65,536 of those.
    private mutating func keep(
        _ request: AuthorizationRequest, for requester: Peer, at moment: BootTime, _ draft: inout TransitionDraft
    ) {
        guard let action = configuration.gatedActions.named(request.gatedAction), let duration = action.keep,
            requester.owner == .user(requester.uid)
        else { return }
        let key = KeptGrant.Key(uid: requester.uid, gatedAction: request.gatedAction)
        var closing = firstClosing(of: action.requirement.schedules, at: moment) ?? .never
        // Outside its schedules a grant is kept only because a grown-up has allowed more time, so it ends with that.
        if let more = moreTime(of: requester, before: request.gatedAction, at: moment) { closing = max(closing, more) }
        record(.keptGrantSet(key, KeptGrant(deadline: min(moment.advanced(by: duration), closing))), &draft)
    }

    /// Ends grants that the policy keeps. What grown-ups have allowed in answer to asks stays: it is listed with the
    /// asks, and taken back there. `gatedAction` `nil`: those for all gated actions.
    private mutating func revoke(
        of uid: UInt32, _ gatedAction: String?, _ context: Context, _ draft: inout TransitionDraft
    ) -> Reply {
        let revoked = keptGrants(of: uid).map(\.key).filter {
            $0.ask == nil && (gatedAction == nil || $0.gatedAction == gatedAction)
        }
        for key in revoked {
            record(.keptGrantRemoved(key), &draft)
            draft.journal(.revoked, by: context.peer, key.name(for: context.peer))
        }
        return .count(revoked.count)
    }

    var nextKeptGrantEnd: BootTime? { records.keptGrants.nextEnd }

    mutating func endKeptGrants(_ draft: inout TransitionDraft, at now: BootTime) {
        for (key, grant) in keptGrants(of: nil) where grant.deadline <= now || grant.isOver(at: wallTime(at: now)) {
            // The end of more time may have ended what the policy keeps.
            guard records.keptGrants[key] != nil else { continue }
            endGrant(key, at: wallTime(at: now), &draft)
            draft.journal(.grantExpired, by: nil, key.name(for: nil))
        }
    }
}

extension Grant {
    /// The grant for the journal: the gated action and the beginning of the details, never the proof.
    fileprivate var name: String {
        details.isEmpty
            ? gatedAction : "\(gatedAction): \(details.cut(toByteCount: Limits.journalledDetailsByteCount))"
    }
}

extension KeptGrant {
    /// Whether it is over by the wall clock, which counts for a grown-up's yes alone.
    fileprivate func isOver(at time: WallTime) -> Bool { yes.map { $0.until <= time } ?? false }
}

extension KeptGrant.Key {
    /// The key for the journal. The user is named only if it is not the peer that the entry names anyway.
    func name(for peer: Peer?) -> String {
        peer?.uid == uid ? gatedAction : "\(gatedAction), user \(uid)"
    }
}

extension GateError {
    fileprivate static let onlyForRequester = invalid(
        "redeemer",
        "A grant for '\(GatedAction.change)' is only for the program that asks. Leave 'redeemer' out.")
}
