package import GateModel

/// Accounts, and who is signed in. The core never sees a password while it is set, and compares none itself: hashing is slow, so the
/// daemon does it.
package enum SignInCommand: Hashable, Sendable {
    case logIn(name: String, password: GateSecret)
    case logOut
    /// A hash as crypt(3) makes it.
    case registerAccount(GateAccount, passwordHash: String)
    /// Proved by the password until now.
    case changePassword(name: String, old: GateSecret, newHash: String)
    /// Sets a password without the old one, by somebody who may.
    case setPassword(name: String, hash: String)
    case removeAccount(name: String)
    /// An administrator stands for this account, as it was read.
    case confirmAccount(GateAccount, passwordHash: String)

    var rules: CommandRules {
        switch self {
        case .logIn, .logOut: CommandRules(.everyone)
        case .changePassword: CommandRules(.everyone, usesSession: true)
        // A grown-up's account is for administrators alone: see `account(_:changedBy:)`.
        case .registerAccount, .setPassword, .removeAccount: CommandRules(.grownUpInCharge)
        case .confirmAccount: CommandRules(.administrator)
        }
    }
}

extension GateState {
    mutating func perform(
        _ command: SignInCommand, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch command {
        case .logIn(let name, let password): try logIn(name: name, password: password, context, &draft)
        case .logOut: try logOut(context, &draft)
        case .registerAccount(let account, let hash):
            try registerAccount(account, passwordHash: hash, context, &draft)
        case .changePassword(let name, let old, let newHash):
            try changePassword(of: name, from: old, to: newHash, context, &draft)
        case .setPassword(let name, let hash): try setPassword(of: name, to: hash, context, &draft)
        case .removeAccount(let name): try removeAccount(name, context, &draft)
        case .confirmAccount(let account, let hash):
            try confirmAccount(account, passwordHash: hash, context, &draft)
        }
    }

    // MARK: - In and out

    private mutating func logIn(
        name: String, password: GateSecret, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard !name.isEmpty else { throw .empty("name") }
        guard password.byteCount > 0 else { throw .empty("password") }
        guard name.isAccountName else { throw .noAccountName("name") }
        let key = signInKey(of: context.peer.owner, name)
        try checkGuess(by: context.peer, countedAt: key, at: context.now)
        let deadline = context.now.advanced(by: Limits.authenticatingTime)
        switch signInMachine.attempted(passwordChecks.next, by: context.peer.owner, until: deadline) {
        case .isAuthenticating: throw .authenticating
        case .isSignedIn(let other): throw .signedIn(other)
        case .begun: break
        }
        // Everybody sees that somebody is being checked (F-68).
        draft.becameVisible()
        return beginCheck(.logIn, name: name, password, countedAt: key, context, &draft)
    }

    private mutating func logOut(_ context: Context, _ draft: inout TransitionDraft) throws(GateError) -> Reply {
        try interrupt(signInMachine.users, context)
        if let account = signInMachine.loggedOut() {
            draft.journal(.signedOut, by: context.peer, account.name)
        }
        return .done
    }

    // MARK: - Accounts

    /// Registers an account, by an administrator, or in parent mode by anybody: but then its age counts for nothing
    /// until an administrator has confirmed it.
    private mutating func registerAccount(
        _ account: GateAccount, passwordHash: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard !account.name.isEmpty, account.name.isAccountName else { throw .noAccountName("account.name") }
        if case .child(let born) = account.kind {
            let today = CivilDate(context.wallTime)
            guard born <= today, born.completedYears(on: today) <= ChallengeRule.maximumAge else { throw .noBirthday }
        }
        guard records.accounts[account.name] == nil else { throw .accountExists(account.name) }
        guard records.accounts.count < Limits.accounts else { throw .tooManyAccounts }
        let unconfirmed = records.accounts.values.count { !$0.account.isConfirmed }
        guard context.peer.isAdministrator || unconfirmed < Limits.unconfirmedAccounts else {
            throw .tooManyUnconfirmedAccounts
        }
        var account = account
        account.isConfirmed = context.peer.isAdministrator
        record(.accountSet(account, passwordHash: passwordHash), &draft)
        draft.journal(.registered, by: context.peer, account.name)
        return .done
    }

    /// With the password until now, as its proof.
    private mutating func changePassword(
        of name: String, from old: GateSecret, to newHash: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard !name.isEmpty else { throw .empty("name") }
        guard old.byteCount > 0 else { throw .empty("old_password") }
        guard name.isAccountName else { throw .noAccountName("name") }
        let key = signInKey(of: context.peer.owner, name)
        try checkGuess(by: context.peer, countedAt: key, at: context.now)
        return beginCheck(.changePassword(newHash: newHash), name: name, old, countedAt: key, context, &draft)
    }

    /// Sets a password without the old one, by somebody who may. Who knows the password then is for an administrator to
    /// say.
    private mutating func setPassword(
        of name: String, to hash: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        var account = try account(name, changedBy: context.peer)
        if !context.peer.isAdministrator { account.isConfirmed = false }
        replacePassword(of: account, with: hash, .passwordChanged, context, &draft)
        return .done
    }

    /// Confirms an account: from now on its age counts. What is confirmed is what was read, for it may have been
    /// removed and made anew since; and with another password, for nobody knows who set the one it has.
    private mutating func confirmAccount(
        _ read: GateAccount, passwordHash hash: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        var account = try account(read.name, changedBy: context.peer)
        guard account.kind == read.kind else { throw .accountChanged(read.name) }
        account.isConfirmed = true
        replacePassword(of: account, with: hash, .accountConfirmed, context, &draft)
        return .done
    }

    /// Signed in with the old one may be somebody else: that session ends.
    private mutating func replacePassword(
        of account: GateAccount, with hash: String, _ kind: AuditEntry.Kind, _ context: Context,
        _ draft: inout TransitionDraft
    ) {
        record(.accountSet(account, passwordHash: hash), &draft)
        draft.journal(kind, by: context.peer, account.name)
        guard signInMachine.accountClosed(account.name) else { return }
        draft.journal(.signedOut, by: context.peer, account.name)
    }

    /// With its claims and its forms: anyone who registers that name next is somebody else.
    private mutating func removeAccount(
        _ name: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let account = try account(name, changedBy: context.peer)
        for claim in records.claims.values.sorted(by: { $0.id < $1.id }) where claim.holder == .account(account.name) {
            record(.claimRemoved(claim.id), &draft)
        }
        forgetForms(of: .account(account.name), at: context.now, &draft)
        record(.accountRemoved(name: account.name), &draft)
        draft.journal(.accountRemoved, by: context.peer, account.name)
        if signInMachine.accountClosed(account.name) {
            draft.journal(.signedOut, by: context.peer, account.name)
        }
        return .done
    }

    /// Grown-ups' accounts are for administrators: parent mode may be somebody else's.
    private func account(_ name: String, changedBy peer: Peer) throws(GateError) -> GateAccount {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard let account = accountRecord(name)?.account else { throw .noAccount(name) }
        switch account.kind {
        case .child: return account
        case .grownUp where peer.isAdministrator: return account
        case .grownUp: throw .grownUpsAccount
        }
    }

    // MARK: - Accounts and guesses

    private func checkGuess(by peer: Peer, countedAt key: Lockout.Key, at now: BootTime) throws(GateError) {
        if let refusal = lockoutRefusal(at: key, at: now) ?? passwordChecks.refusal(for: peer, countedAt: key) {
            throw refusal
        }
    }

    /// As typed, to the byte: what Swift takes for the same name, spelled otherwise, would have a counter of its own.
    func accountRecord(_ name: String) -> AccountRecord? {
        records.accounts[name].flatMap { $0.account.name.utf8.elementsEqual(name.utf8) ? $0 : nil }
    }

    // MARK: - Calls that end

    /// Their answers are missed by nobody; what was guessed counts all the same (F-70).
    mutating func loseSignInCalls(of peer: Peer, _ draft: inout TransitionDraft) {
        for id in passwordChecks.ids(of: peer, waiting: nil) { loseSignInCall(id, &draft) }
    }

    mutating func loseSignInCall(_ wait: WaitID, of peer: Peer, _ draft: inout TransitionDraft) {
        for id in passwordChecks.ids(of: peer, waiting: wait) { loseSignInCall(id, &draft) }
    }

    private mutating func loseSignInCall(_ id: PasswordCheckID, _ draft: inout TransitionDraft) {
        _ = passwordChecks.callEnded(id)
        if signInMachine.failed(id) { draft.becameVisible() }
    }

    // MARK: - Time

    /// Ends what is due: a check that took too long, a session that nobody used. Returns whether anything did.
    mutating func endSignIn(at moment: BootTime, _ draft: inout TransitionDraft) -> Bool {
        switch signInMachine.deadlineReached(moment) {
        case .nothingDue:
            return false
        case .attemptEnded(let id):
            draft.becameVisible()
            draft.settle(passwordChecks.callEnded(id), .refused(.authenticatingTookTooLong))
        case .sessionEnded(let account):
            draft.journal(.sessionExpired, by: nil, account.name)
        }
        return true
    }

    /// The acting peer does something while somebody is signed in.
    mutating func useSession(_ context: Context, _ draft: inout TransitionDraft) {
        guard context.peer.connection != 0 else { return }
        if signInMachine.used(by: context.peer.owner, at: context.now, configuration.signIn) { draft.becameVisible() }
    }

    /// The users whose session it is if this peer signs in: its own, and where it shows a sign-in that somebody asked
    /// for, theirs.
    func users(ofSessionBy peer: Peer) -> Set<Owner> {
        let shown = queue.open.filter { $0.step == .signIn && $0.isHeld(by: peer.connection) }
        return Set(
            shown.compactMap { requests[$0.request] }.filter { !$0.isCover }.map(\.requester.owner) + [peer.owner])
    }

    /// In completed years, of the child that is signed in; `nil`: unknown, and the sturdiest challenge is asked (F-26). What
    /// no administrator has confirmed is not known.
    func age(at moment: BootTime) -> Int? {
        guard let account = signedInAccount, account.isConfirmed else { return nil }
        return account.age(on: CivilDate(wallTime(at: moment)))
    }

    /// As it is now; the session began with it as it was then.
    var signedInAccount: GateAccount? {
        signInMachine.account.flatMap { accountRecord($0.name)?.account }
    }

    // MARK: - Where wrong passwords count

    /// The lockout of this user at this account, whether there is one with that name or not. A user who tries very
    /// many names has one counter for all the rest.
    private func signInKey(of owner: Owner, _ name: String) -> Lockout.Key {
        let key = Lockout.Key(owner: owner, gate: SignInGate.name(of: name))
        guard records.lockouts[key] == nil else { return key }
        let count = records.lockouts.keys.count { $0.owner == owner && SignInGate.isOne($0.gate) }
        return count < Limits.signInCounters ? key : Lockout.Key(owner: owner, gate: SignInGate.rest)
    }
}

extension String {
    /// As typed, and on one line; where nobody sees them, spaces at the ends would make two names of one.
    fileprivate var isAccountName: Bool {
        utf8.count <= GateAccount.maximumNameByteCount && isSingleLine
            && !(first?.isWhitespace ?? false) && !(last?.isWhitespace ?? false)
    }
}
