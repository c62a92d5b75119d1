import GateModel

/// The sign-in cover (F-49, F-64, F-70): there exactly while the policy wants somebody to be signed in and nobody is. The
/// state raises it and the state withdraws it; nobody else closes it, but an administrator may put it away.
///
/// It stands behind whatever else is shown, so that it never traps anybody: anyone who has to register an account first can
/// be asked for parent mode in front of it.
extension GateState {
    /// The policy wants somebody to be signed in, nobody is, and nothing speaks against it: no administrator has put the cover
    /// away, and the store is open.
    var needsAuthentication: Bool {
        configuration.signIn.isRequired && signInMachine.account == nil && !isCoverPutAway && quarantinedFile == nil
    }

    /// Brings the cover to where the state wants it.
    mutating func raiseOrWithdrawCover(
        at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        let hasAccounts = !records.accounts.isEmpty
        switch (needsAuthentication, requests.open.first(where: \.isCover)) {
        case (true, nil):
            raiseCover(hasAccounts: hasAccounts, at: moment, &context, &draft)
        case (false, let cover?):
            _ = close(cover.id, at: moment, answerHears: .cookie(.closed), &draft)
        case (true, let cover?) where cover.kind != .signIn(hasAccounts: hasAccounts):
            // What it says of accounts is not true any more.
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

    /// The presenter that had it on a screen has had it long enough: somebody else may.
    mutating func coverTimeIsOver(_ open: QueuedPresentation, _ draft: inout TransitionDraft) {
        queue.update(open.id) { $0.handedBack() }
        draft.journal(.presenterLost, by: open.holder?.peer, open.name)
    }
}
