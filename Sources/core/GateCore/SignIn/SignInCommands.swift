package import GateModel

/// Commands about passwords and the session of the person who is signed in. New passwords reach the core only as
/// hashes. The daemon compares passwords, because hashing is slow.
package enum SignInCommand: Hashable, Sendable {
    case logIn(name: String, password: GateSecret)
    /// The outcome of an `Effect.checkPassword`.
    case passwordChecked(PasswordCheckID, PasswordOutcome)
    case logOut
    /// `passwordHash` is a crypt(3) hash.
    case register(GatePerson, passwordHash: String)
    /// Needs the present password.
    case changePassword(name: String, old: GateSecret, newHash: String)
    case setPassword(name: String, hash: String)
    /// An administrator vouches for the person as they were when the administrator read the list.
    case confirm(GatePerson, passwordHash: String)

    var rules: CommandRules {
        switch self {
        case .logIn, .logOut: CommandRules(.everyone)
        // Deadlines are settled first, because an attempt whose time is over must not succeed.
        case .passwordChecked: CommandRules(.daemon)
        case .changePassword: CommandRules(.everyone, usesSession: true)
        // In addition, only administrators may change grown-ups: see `person(_:changedBy:)`.
        case .register, .setPassword: CommandRules(.grownUpInCharge)
        case .confirm: CommandRules(.administrator)
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
        case .register(let person, let hash):
            try registerPerson(person, passwordHash: hash, context, &draft)
        case .changePassword(let name, let old, let newHash):
            try changePassword(of: name, from: old, to: newHash, context, &draft)
        case .setPassword(let name, let hash): try setPassword(of: name, to: hash, context, &draft)
        case .confirm(let person, let hash):
            try confirmPerson(person, passwordHash: hash, context, &draft)
        }
    }

    // MARK: - Logging in and out

    private mutating func logIn(
        name: String, password: GateSecret, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard !name.isEmpty else { throw .empty("name") }
        guard password.byteCount > 0 else { throw .empty("password") }
        guard name.isPersonName else { throw .noPersonName("name") }
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

    // MARK: - Passwords

    /// Registers a person with a password. Administrators may, and anybody in parent mode; but in the latter case the
    /// person's age does not count until an administrator has confirmed the person.
    private mutating func registerPerson(
        _ person: GatePerson, passwordHash: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        try checkNew(person, "account", replacing: nil, context)
        guard records.people[person.name] == nil else { throw .personExists(person.name) }
        let unconfirmed = records.people.values.count { !$0.person.isConfirmed }
        guard context.peer.isAdministrator || unconfirmed < Limits.unconfirmedPeople else {
            throw .tooManyUnconfirmedPeople
        }
        var person = person
        person.user = nil
        person.isConfirmed = context.peer.isAdministrator
        record(.personSet(person, passwordHash: passwordHash), &draft)
        draft.journal(.registered, by: context.peer, person.name)
        return .done
    }

    private mutating func changePassword(
        of name: String, from old: GateSecret, to newHash: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard !name.isEmpty else { throw .empty("name") }
        guard old.byteCount > 0 else { throw .empty("old_password") }
        guard name.isPersonName else { throw .noPersonName("name") }
        let key = signInKey(of: context.peer.owner, name)
        try checkGuess(by: context.peer, countedAt: key, at: context.now)
        return beginCheck(.changePassword(newHash: newHash), name: name, old, countedAt: key, context, &draft)
    }

    /// Sets a password without the old one, also a first one. If somebody other than an administrator does that, the
    /// person has to be confirmed again, since the new password may be known to anybody.
    private mutating func setPassword(
        of name: String, to hash: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        var person = try person(name, changedBy: context.peer)
        guard person.kind != .shared else { throw .sharedHasNoPassword }
        if !context.peer.isAdministrator { person.isConfirmed = false }
        replacePassword(of: person, with: hash, .passwordChanged, context, &draft)
        return .done
    }

    /// Confirms a person, so that the age counts. The person has to be equal to the one that the administrator read,
    /// because the name may have been removed and registered again since. They also get a new password, because the
    /// present one may be known to anybody.
    private mutating func confirmPerson(
        _ read: GatePerson, passwordHash hash: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        var person = try person(read.name, changedBy: context.peer)
        guard person.kind == read.kind, person.kind != .shared else { throw .personChanged(read.name) }
        person.isConfirmed = true
        replacePassword(of: person, with: hash, .accountConfirmed, context, &draft)
        return .done
    }

    /// Ends the person's session, too, because it began with the old password, which somebody else may have used.
    private mutating func replacePassword(
        of person: GatePerson, with hash: String, _ kind: AuditEntry.Kind, _ context: Context,
        _ draft: inout TransitionDraft
    ) {
        record(.personSet(person, passwordHash: hash), &draft)
        draft.journal(kind, by: context.peer, person.name)
        closeSession(of: person.name, context, &draft)
    }

    // MARK: - Guesses

    private func checkGuess(by peer: Peer, countedAt key: Lockout.Key, at now: BootTime) throws(GateError) {
        if let refusal = signInRefusal(at: key, at: now) ?? passwordChecks.refusal(for: peer, countedAt: key) {
            throw refusal
        }
    }

    func signInRefusal(at key: Lockout.Key, at now: BootTime) -> GateError? {
        records.lockouts[key]?.remaining(at: now).map { .tooManySignIns(for: $0) }
    }

    // MARK: - Calls that ended

    /// Forgets a call of this peer that has ended; `wait` `nil`: all its calls, since the peer has disconnected. The
    /// guesses still count.
    mutating func loseSignInCalls(
        of peer: Peer, waiting wait: WaitID? = nil, at moment: BootTime, _ draft: inout TransitionDraft
    ) {
        for id in passwordChecks.ids(of: peer, waiting: wait) { loseSignInCall(id, of: peer, at: moment, &draft) }
    }

    /// A log-in that is given up costs as much as a child's sign-in that takes the cover from others, whichever name
    /// was typed. Otherwise a program could begin log-ins in a loop and keep the device busy with passwords at no cost.
    private mutating func loseSignInCall(
        _ id: PasswordCheckID, of peer: Peer, at moment: BootTime, _ draft: inout TransitionDraft
    ) {
        _ = passwordChecks.callEnded(id)
        guard signInMachine.failed(id) else { return }
        draft.becameVisible()
        if isCoverOfOthers(than: peer) { coverTaken(by: peer, at: moment, &draft) }
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

    mutating func useSession(_ context: Context, _ draft: inout TransitionDraft) {
        guard context.peer.connection != 0 else { return }
        if signInMachine.used(by: context.peer.owner, at: context.now, configuration.signIn) { draft.becameVisible() }
    }

    /// The users whose session begins if this peer signs in: its own, and those whose request for a sign-in it shows.
    func users(ofSessionBy peer: Peer) -> Set<Owner> {
        let shown = queue.open.filter { $0.step == .signIn && $0.isHeld(by: peer.connection) }
        return Set(
            shown.compactMap { requests[$0.request] }.filter { !$0.isCover }.map(\.requester.owner) + [peer.owner])
    }

    /// The person who is signed in, with their present data, which may have changed since the session began.
    var signedInPerson: GatePerson? {
        signInMachine.person.flatMap { personRecord($0.name)?.person }
    }

    // MARK: - Counters of wrong passwords

    /// The counter for this user's wrong passwords at this account, whether the account exists or not. If a user tries
    /// very many names, those beyond `Limits.signInCounters` share one counter.
    private func signInKey(of owner: Owner, _ name: String) -> Lockout.Key {
        let key = Lockout.Key(owner: owner, gate: SignInGate.name(of: name))
        guard records.lockouts[key] == nil else { return key }
        let count = records.lockouts.keys.count { $0.owner == owner && SignInGate.isOne($0.gate) }
        return count < Limits.signInCounters ? key : Lockout.Key(owner: owner, gate: SignInGate.rest)
    }
}
