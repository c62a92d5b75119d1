import GateModel

/// The sign-in cover. It is open exactly while the policy requires a sign-in and nobody is signed in. Gate raises and
/// withdraws it by itself; nobody else can close it, but an administrator may put it away.
///
/// The cover stands behind whatever else is shown, so it traps nobody: a person who has to register an account first
/// can be asked for parent mode in front of it.
///
/// A child's sign-in takes the cover from screens where somebody else may be typing. Each owner has a few such sign-ins
/// free; each further one counts as a question that was left unanswered on others' screens. So does a log-in that is
/// given up before its outcome.
extension GateState {
    var needsAuthentication: Bool {
        configuration.signIn.isRequired && !signInMachine.isSignedIn && !isCoverPutAway && quarantinedFile == nil
    }

    mutating func raiseOrWithdrawCover(
        at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        let hasAccounts = records.people.values.contains { $0.person.hasPassword }
        switch (needsAuthentication, requests.open.first(where: \.isCover)) {
        case (true, nil):
            raiseCover(hasAccounts: hasAccounts, at: moment, &context, &draft)
        case (false, let cover?):
            _ = close(cover.id, at: moment, answerHears: .cookie(.closed), &draft)
        case (true, let cover?) where cover.kind != .signIn(hasAccounts: hasAccounts):
            // The cover says whether anybody has a password, and that has changed.
            _ = close(cover.id, at: moment, answerHears: .cookie(.closed), &draft)
            raiseCover(hasAccounts: hasAccounts, at: moment, &context, &draft)
        case (true, .some), (false, nil):
            break
        }
    }

    private mutating func raiseCover(
        hasAccounts: Bool, at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        let request = requests.coverRaised(hasAccounts: hasAccounts)
        let open = newPresentation(of: request, asking: .signIn, ordinal: 0, before: nil, at: moment, &context, &draft)
        queue.opened(open, at: moment)
    }

    /// Whether this sign-in would take the cover from a screen of others, where a person may be typing into it. A
    /// sign-in on the screen that shows the cover takes it from nobody, and a grown-up's is what the cover is for.
    func takesCover(_ person: GatePerson, signedInBy peer: Peer) -> Bool {
        person.signsInAsChild && isCoverOfOthers(than: peer)
    }

    /// Whether the cover is open, is on no screen of this peer's owner, and a screen of another owner could show it.
    /// Always false for administrators.
    func isCoverOfOthers(than peer: Peer) -> Bool {
        guard !peer.isAdministrator,
            let cover = queue.open.first(where: \.isCover), cover.holder?.peer.owner != peer.owner
        else { return false }
        return queue.presenters.values.contains { $0.peer.owner != peer.owner && $0.canShow(cover) }
    }

    /// Counts that a child's sign-in took the cover from a screen of others. Signing out raises it there again. So a
    /// program that does both in a loop soon pays for it as for everything else that takes a screen.
    mutating func coverTaken(by peer: Peer, at moment: BootTime, _ draft: inout TransitionDraft) {
        switch takenCovers.used(by: peer.owner, at: moment) {
        case .allowed: break
        case .refused:
            let key = Lockout.Key(otherScreensOf: peer.owner)
            _ = count(.unanswered, against: peer, at: key, at: moment, &draft)
        }
    }

    /// Offers the cover again, because its presenter has had it for its whole time while others could show it.
    mutating func coverTimeIsOver(_ open: QueuedPresentation, _ draft: inout TransitionDraft) {
        queue.update(open.id) { $0.handedBack() }
        draft.journal(.presenterLost, by: open.holder?.peer, open.name)
    }
}

extension RateLimit<Owner> {
    static let ofTakenCovers = RateLimit(
        Limits.takenCovers, regainedAfter: Limits.takenCoverTime, keys: Limits.coverTakingOwners)
}
