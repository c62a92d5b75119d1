package import GateModel

package enum ModeCommand: Hashable, Sendable {
    case toggle(presenting: Presenting)
    /// Takes open requests for parent mode back.
    case cancel
    case lock
    /// `nil`: the configured length of a lease.
    case extend(Duration?, presenting: Presenting)
    case override(Mode, Duration?, reason: String)

    var rules: CommandRules {
        switch self {
        case .toggle: CommandRules(.everyone, usesSession: true)
        case .cancel: CommandRules(.requesterOrAdministrator)
        case .lock: CommandRules(.everyone)
        case .extend: CommandRules(.everyone, usesSession: true)
        case .override: CommandRules(.administrator)
        }
    }
}

extension GateState {
    mutating func perform(
        _ command: ModeCommand, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch command {
        case .toggle(let presenting):
            return try ask(presenting, &context, &draft) { state, itself, context, draft throws(GateError) in
                try state.toggle(presentsItself: itself, &context, &draft)
            }
        case .cancel: return cancel(context, &draft)
        case .lock: return try lock(context, &draft)
        case .extend(let duration, let presenting):
            return try ask(presenting, &context, &draft) { state, itself, context, draft throws(GateError) in
                try state.extend(for: duration, presentsItself: itself, &context, &draft)
            }
        case .override(let mode, let duration, let reason):
            return try override(to: mode, for: duration, because: reason, context, &draft)
        }
    }

    private mutating func toggle(
        presentsItself: Bool, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        try interrupt(machine.enteredBy, context)
        switch machine.toggled(by: context.peer) {
        case .challengeNeeded:
            guard quarantinedFile == nil else { throw .storeDamaged }
            guard let specification = modeSpecification(for: context.peer, at: context.now) else {
                return try enterUnasked(context, &draft)
            }
            try checkCanAsk(specification, presentsItself: presentsItself, context)
            let (id, reply) = try open(
                .enterParentMode, presentsItself: presentsItself,
                asking: FirstQuestion(step: .challenge(specification)),
                &context, &draft)
            machine.requestOpened(ModeStateMachine.Request(id, by: context.peer))
            return reply
        case .askedAlready(let id):
            return try shownAgain(id)
        case .ownersRequestIsOpen:
            throw .ownersRequestIsOpen
        case .left(let withdrawn):
            end(withdrawn, .modeLeft, context, &draft)
            draft.journal(.parentLeft, by: context.peer)
            return .done
        }
    }

    /// In child and parent mode nothing happens.
    private mutating func cancel(_ context: Context, _ draft: inout TransitionDraft) -> Reply {
        switch machine.cancelled(by: context.peer) {
        case .nothingToCancel:
            break
        case .closed(let ids):
            end(ids, .cancelled, context, &draft)
        }
        return .done
    }

    mutating func lock(_ context: Context, _ draft: inout TransitionDraft) throws(GateError) -> Reply {
        try interrupt(machine.enteredBy, context)
        switch machine.locked(by: context.peer) {
        case .alreadyChild:
            break
        case .othersAreAsked:
            throw .othersAreAsked
        case .closed(let ids):
            end(ids, .locked, context, &draft)
        case .left(let withdrawn):
            end(withdrawn, .modeLeft, context, &draft)
            draft.journal(.locked, by: context.peer)
        }
        return .done
    }

    private mutating func end(
        _ ids: [RequestID], _ ending: RequestEnding, _ context: Context, _ draft: inout TransitionDraft
    ) {
        for id in ids { end(id, ending, by: context.peer, at: context.now, &draft) }
    }

    mutating func extend(
        for asked: Duration?, presentsItself: Bool, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let duration = try checkedLease(asked)
        guard quarantinedFile == nil else { throw .storeDamaged }
        if context.peer.extendsWithoutChallenge {
            switch machine.leaseExtended(until: context.now.advanced(by: duration)) {
            case .notParent:
                throw .notParent
            case .extended:
                draft.journal(.extended, by: context.peer, "for \(duration.shortText)")
                return .done
            }
        }
        switch machine.extensionAsked(by: context.peer, for: duration) {
        case .challengeNeeded(let leaseEnd):
            guard let specification = modeSpecification(for: context.peer, at: context.now) else { throw .nothingSetUp }
            try checkCanAsk(specification, presentsItself: presentsItself, context)
            let (id, reply) = try open(
                .extendParentMode(duration), presentsItself: presentsItself,
                asking: FirstQuestion(step: .challenge(specification), latestDeadline: leaseEnd), &context, &draft)
            machine.extensionOpened(ModeStateMachine.Request(id, by: context.peer), for: duration)
            return reply
        case .askedAlready(let id):
            return try shownAgain(id)
        case .otherDurationIsOpen:
            throw .otherDurationIsOpen
        case .ownersRequestIsOpen:
            throw .ownersRequestIsOpen
        case .notParent:
            throw .notParent
        }
    }

    /// An administrator sets the mode. That is journalled even if the mode stays, because of the reason given.
    mutating func override(
        to mode: Mode, for asked: Duration?, because reason: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let lease: Duration?
        switch mode {
        case .parent:
            lease = try checkedLease(asked)
        case .child:
            guard asked == nil else {
                throw .invalid("duration_milliseconds", "Child mode has no end. Leave the duration out.")
            }
            lease = nil
        case .verifying:
            throw .invalid(
                "mode", "The mode can be set to child or parent. It is verifying only while a question is open.")
        }
        try checkReason(reason)
        guard quarantinedFile == nil else { throw .storeDamaged }

        // Being asked is no mistake, so the withdrawn questions don't count against anybody.
        let withdrawn = machine.overridden(by: context.peer, parentUntil: lease.map(context.now.advanced(by:)))
        end(withdrawn, .overridden, context, &draft)
        let what = lease.map { "parent for \($0.shortText)" } ?? "child"
        draft.journal(.overridden, by: context.peer, "\(what): \(reason)")
        return .done
    }

    /// Returns the reply to the requester.
    mutating func fulfilMode(
        _ request: OpenRequest, answeredBy answerer: Peer, _ context: Context, _ draft: inout TransitionDraft
    ) -> Reply {
        forgive(request.id, &draft)
        _ = close(request.id, at: context.now, answerHears: .cookie(.closed), &draft)
        switch machine.answeredRight(request.id, by: answerer, at: context.now, lease: configuration.lease) {
        case .entered(_, let withdrawn):
            // As with an override, this does not count against anybody.
            for id in withdrawn { end(id, .overridden, by: nil, at: context.now, &draft) }
            draft.journal(.parentEntered, by: request.requester, "for \(configuration.lease.shortText)")
        case .extended(_, let duration):
            draft.journal(.extended, by: request.requester, "for \(duration.shortText)")
        case .nothingOpen:
            preconditionFailure("requests about the mode are open in the machine as long as in the book")
        }
        draft.settle(request.wait, .done)
        return .done
    }

    // MARK: - The challenge for parent mode

    /// `nil` if the configured challenge needs a secret and none is set up.
    private func modeSpecification(for peer: Peer, at now: BootTime) -> ChallengeSpecification? {
        setUpRules.forMode(configuration.modeChallenge.specification(forAge: age(of: peer.owner, at: now)))
    }

    private mutating func enterUnasked(
        _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard context.peer.entersWhileNothingIsSetUp else { throw .nothingSetUp }
        let withdrawn = machine.enteredUnasked(
            by: context.peer, until: context.now.advanced(by: configuration.lease))
        end(withdrawn, .overridden, context, &draft)
        draft.journal(.parentEntered, by: context.peer, "for \(configuration.lease.shortText)")
        return .done
    }

    /// The lockout is checked first, because a locked-out peer gains nothing by asking on another screen.
    private func checkCanAsk(
        _ specification: ChallengeSpecification, presentsItself: Bool, _ context: Context
    ) throws(GateError) {
        let key = Lockout.Key(of: context.peer.owner, before: nil, kind: specification.kind)
        if let refusal = lockoutRefusal(at: key, at: context.now) { throw refusal }
        if presentsItself { try checkGuess(at: specification, by: context.peer) }
        guard canShow(.challenge(specification), .sheet, for: context.peer, presentsItself: presentsItself) else {
            throw .nobodyShows(.challenge(specification))
        }
    }

    /// - Throws: `askedElsewhere` if the open request is not on the requester's own screen.
    private func shownAgain(_ id: RequestID) throws(GateError) -> Reply {
        guard let request = requests[id], request.presentsItself,
            let presentation = queue.presentation(of: id)?.presentation
        else { throw .askedElsewhere }
        return .presentation(presentation)
    }

    // MARK: - Checks of arguments

    private func checkedLease(_ asked: Duration?) throws(GateError) -> Duration {
        guard let asked else { return configuration.lease }
        guard asked > .zero, asked <= configuration.maximumLease else {
            throw .invalid(
                "duration_milliseconds",
                "Parent mode lasts more than 0s, and at most \(configuration.maximumLease.shortText).",
                ["maximum": "\(configuration.maximumLease.millisecondsRoundedUp)"])
        }
        return asked
    }

    /// A reason is written to the journal, where a line break could be mistaken for the start of another entry.
    func checkReason(_ reason: String) throws(GateError) {
        guard reason.utf8.count <= Limits.reasonByteCount, reason.isSingleLine,
            reason.contains(where: { !$0.isWhitespace })
        else {
            throw .invalid(
                "reason",
                "Give a reason of at most \(Limits.reasonByteCount) bytes, in one line, without control characters, "
                    + "invisible or unassigned ones, or more than four marks on one letter.")
        }
    }
}
