package import GateModel

/// Commands about accounts and the session. New passwords reach the core only as hashes. It compares none itself:
/// hashing is slow, so the daemon does that.
package enum SignInCommand: Hashable, Sendable {
    case logIn(name: String, password: GateSecret)
    /// The outcome of an `Effect.checkPassword`.
    case passwordChecked(PasswordCheckID, PasswordOutcome)
    case logOut
    /// `passwordHash` is a crypt(3) hash.
    case registerAccount(GateAccount, passwordHash: String)
    /// Needs the present password.
    case changePassword(name: String, old: GateSecret, newHash: String)
    /// Sets a password without the old one.
    case setPassword(name: String, hash: String)
    case removeAccount(name: String)
    /// An administrator vouches for the account as it was when they read it.
    case confirmAccount(GateAccount, passwordHash: String)

    var rules: CommandRules {
        switch self {
        case .logIn, .logOut: CommandRules(.everyone)
        // Deadlines are settled first, because an attempt whose time is over must not succeed.
        case .passwordChecked: CommandRules(.daemon)
        case .changePassword: CommandRules(.everyone, usesSession: true)
        // In addition, only administrators may change a grown-up's account: see `account(_:changedBy:)`.
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
        case .passwordChecked(let id, let outcome): passwordChecked(id, outcome, context, &draft)
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

    // MARK: - Logging in and out

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
        // Every watcher can see that a password is being checked.
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

    /// Registers an account. Administrators may, and anybody in parent mode; but in the latter case the account's age
    /// does not count until an administrator has confirmed it.
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

    /// Begins a change of password, after checking the present one.
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

    /// Sets a password without the old one. If somebody other than an administrator does that, the account has to be
    /// confirmed again, since the new password may be known to anybody.
    private mutating func setPassword(
        of name: String, to hash: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        var account = try account(name, changedBy: context.peer)
        if !context.peer.isAdministrator { account.isConfirmed = false }
        replacePassword(of: account, with: hash, .passwordChanged, context, &draft)
        return .done
    }

    /// Confirms an account, so that its age counts. The account has to be equal to the one that the administrator read,
    /// because it may have been removed and registered again since. It also gets a new password, because the present
    /// one may be known to anybody.
    private mutating func confirmAccount(
        _ read: GateAccount, passwordHash hash: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        var account = try account(read.name, changedBy: context.peer)
        guard account.kind == read.kind else { throw .accountChanged(read.name) }
        account.isConfirmed = true
        replacePassword(of: account, with: hash, .accountConfirmed, context, &draft)
        return .done
    }

    /// Ends the account's session, too: the person who is signed in used the old password and may be somebody else.
    private mutating func replacePassword(
        of account: GateAccount, with hash: String, _ kind: AuditEntry.Kind, _ context: Context,
        _ draft: inout TransitionDraft
    ) {
        record(.accountSet(account, passwordHash: hash), &draft)
        draft.journal(kind, by: context.peer, account.name)
        guard signInMachine.accountClosed(account.name) else { return }
        draft.journal(.signedOut, by: context.peer, account.name)
    }

    /// Removes the account's claims and forms, too, because the next person who registers this name is somebody else.
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

    /// The account to change. Only administrators may change a grown-up's account, since parent mode may have been
    /// entered by somebody else.
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

    /// The account whose name is equal in every byte. Swift compares strings by canonical equivalence, but a name in
    /// another spelling would have a counter of its own for wrong passwords.
    func accountRecord(_ name: String) -> AccountRecord? {
        records.accounts[name].flatMap { $0.account.name.utf8.elementsEqual(name.utf8) ? $0 : nil }
    }

    // MARK: - Calls that ended

    /// Forgets the calls of a peer that disconnected. Their guesses still count.
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

    /// Ends what is due: a check that took too long, or a session that was not used. Returns whether anything was due.
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

    /// Prolongs the session if the acting peer is one of its users.
    mutating func useSession(_ context: Context, _ draft: inout TransitionDraft) {
        guard context.peer.connection != 0 else { return }
        if signInMachine.used(by: context.peer.owner, at: context.now, configuration.signIn) { draft.becameVisible() }
    }

    /// The users whose session begins if this peer signs in: the peer's own user, and the users whose request for a
    /// sign-in it shows.
    func users(ofSessionBy peer: Peer) -> Set<Owner> {
        let shown = queue.open.filter { $0.step == .signIn && $0.isHeld(by: peer.connection) }
        return Set(
            shown.compactMap { requests[$0.request] }.filter { !$0.isCover }.map(\.requester.owner) + [peer.owner])
    }

    /// The age in completed years of the child who is signed in. `nil` if nobody is signed in, a grown-up is, or the
    /// account is not confirmed: then the sturdiest challenge is asked.
    func age(at moment: BootTime) -> Int? {
        guard let account = signedInAccount, account.isConfirmed else { return nil }
        return account.age(on: CivilDate(wallTime(at: moment)))
    }

    /// The account that is signed in, with its present data, which may have changed since the session began.
    var signedInAccount: GateAccount? {
        signInMachine.account.flatMap { accountRecord($0.name)?.account }
    }

    // MARK: - Counters of wrong passwords

    /// The counter for this user's wrong passwords at this account, whether the account exists or not. If a user tries
    /// very many names, the rest of them share one counter.
    private func signInKey(of owner: Owner, _ name: String) -> Lockout.Key {
        let key = Lockout.Key(owner: owner, gate: SignInGate.name(of: name))
        guard records.lockouts[key] == nil else { return key }
        let count = records.lockouts.keys.count { $0.owner == owner && SignInGate.isOne($0.gate) }
        return count < Limits.signInCounters ? key : Lockout.Key(owner: owner, gate: SignInGate.rest)
    }
}

extension String {
    /// Whether it can name an account: one line, and no spaces at the ends, where nobody would see the difference
    /// between two names.
    fileprivate var isAccountName: Bool {
        utf8.count <= GateAccount.maximumNameByteCount && isSingleLine
            && !(first?.isWhitespace ?? false) && !(last?.isWhitespace ?? false)
    }
}
