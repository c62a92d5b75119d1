import GateModel

/// The commands of the service `Mode`: they ask the machine, count what a failure costs, and keep the journal.
extension GateState {
    mutating func toggle(
        presentsItself: Bool, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch machine.toggled(by: context.peer) {
        case .challengeNeeded:
            try checkCanAsk(context.peer, presentsItself: presentsItself, at: context.now)
            let deadline = context.now.advanced(by: configuration.answerTime)
            let open = newChallenge(for: .enterParentMode, until: deadline, &context, &draft)
            machine.challengeOpened(open)
            return .presentation(open.presentation)
        case .shownAgain(let presentation):
            return .presentation(presentation)
        case .othersChallengeIsOpen:
            throw .othersChallengeIsOpen
        case .left(let withdrawn):
            withdraw(withdrawn, by: context.peer, at: context.now, &draft)
            draft.journal(.parentLeft, by: context.peer)
            return .done
        }
    }

    /// Verifying goes back to child; anywhere else nothing happens (F-03).
    mutating func cancel(_ context: Context, _ draft: inout TransitionDraft) -> Reply {
        switch machine.cancelled() {
        case .nothingToCancel:
            break
        case .closed(let open):
            draft.journal(.cancelled, by: context.peer, open.name)
            countWithdrawal(of: open, by: context.peer, at: context.now, &draft)
        }
        return .done
    }

    mutating func lock(_ context: Context, _ draft: inout TransitionDraft) -> Reply {
        switch machine.locked() {
        case .alreadyChild:
            break
        case .closed(let open):
            draft.journal(.locked, by: context.peer, open.name)
            countWithdrawal(of: open, by: context.peer, at: context.now, &draft)
        case .left(let withdrawn):
            withdraw(withdrawn, by: context.peer, at: context.now, &draft)
            draft.journal(.locked, by: context.peer)
        }
        return .done
    }

    mutating func extend(
        for asked: Duration?, presentsItself: Bool, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let duration = try checkedLease(asked)
        guard setAside == nil else { throw .storeDamaged }
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
            try checkCanAsk(context.peer, presentsItself: presentsItself, at: context.now)
            let deadline = min(leaseEnd, context.now.advanced(by: configuration.answerTime))
            let open = newChallenge(for: .extendParentMode, until: deadline, &context, &draft)
            machine.extensionOpened(open, for: duration)
            return .presentation(open.presentation)
        case .shownAgain(let presentation):
            return .presentation(presentation)
        case .otherDurationIsOpen:
            throw .otherDurationIsOpen
        case .othersChallengeIsOpen:
            throw .othersChallengeIsOpen
        case .notParent:
            throw .notParent
        }
    }

    /// An administrator sets the mode. It is journalled even where the mode stays what it was: a reason was given.
    mutating func override(
        to mode: Mode, for asked: Duration?, because reason: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let lease: Duration?
        switch mode {
        case .parent:
            lease = try checkedLease(asked)
        case .child:
            guard asked == nil else { throw .invalid("Child mode has no end. Leave the duration out.") }
            lease = nil
        case .verifying:
            throw .invalid("The mode can be set to child or parent. Verifying follows from a question.")
        }
        try checkReason(reason)
        guard setAside == nil else { throw .storeDamaged }

        // Whoever was being asked did nothing wrong: a withdrawn challenge costs nothing.
        if let open = machine.overridden(parentUntil: lease.map(context.now.advanced(by:))) {
            draft.journal(.withdrawn, by: context.peer, open.name)
        }
        let what = lease.map { "parent for \($0.shortText)" } ?? "child"
        draft.journal(.overridden, by: context.peer, "\(what): \(reason)")
        return .done
    }

    /// Whether a question may be opened for this peer at all. Lockout comes first: asking elsewhere would not help.
    private func checkCanAsk(_ peer: Peer, presentsItself: Bool, at now: BootTime) throws(GateError) {
        guard setAside == nil else { throw .storeDamaged }
        if let remaining = records.lockouts[.mode(of: peer)]?.remaining(at: now) {
            throw .lockedOut(for: remaining)
        }
        guard presentsItself else { throw .noPresenter }
    }

    private func checkedLease(_ asked: Duration?) throws(GateError) -> Duration {
        guard let asked else { return configuration.lease }
        guard asked > .zero, asked <= configuration.maximumLease else {
            throw .invalid("Parent mode lasts more than 0s, and at most \(configuration.maximumLease.shortText).")
        }
        return asked
    }

    /// A reason is for the journal, where a line break could pass for another entry.
    private func checkReason(_ reason: String) throws(GateError) {
        let isUnfit = { (scalar: Unicode.Scalar) in
            let properties = scalar.properties
            return [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
                || properties.isBidiControl
        }
        guard reason.utf8.count <= 200, !reason.unicodeScalars.contains(where: isUnfit),
            reason.contains(where: { !$0.isWhitespace })
        else {
            throw .invalid("Give a reason of at most 200 bytes, in one line.")
        }
    }
}
