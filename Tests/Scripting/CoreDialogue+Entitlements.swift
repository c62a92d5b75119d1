import CommandSupport
import GateCore
public import GateModel

// People, and what is paid for.

extension CoreDialogue {
    public mutating func logIn(_ name: String, password: String, as person: Person) -> Outcome {
        signInOutcome(of: .logIn(name: name, password: GateSecret(password.utf8)), as: newPeer(person))
    }

    public mutating func logOut(as person: Person) -> Outcome {
        signInOutcome(of: .logOut, as: newPeer(person))
    }

    public mutating func register(_ listed: GatePerson, password: String, as person: Person) throws -> Outcome {
        let hash = try ScriptedSecrets.hash(of: password)
        return said("registered", after: .register(listed, passwordHash: hash), as: person)
    }

    public mutating func changePassword(
        of name: String, from old: String, to new: String, as person: Person
    ) throws -> Outcome {
        let hash = try ScriptedSecrets.hash(of: new)
        let command = Command.changePassword(name: name, old: GateSecret(old.utf8), newHash: hash)
        return said("password changed", after: command, as: person)
    }

    public mutating func setPassword(of name: String, to new: String, as person: Person) throws -> Outcome {
        let hash = try ScriptedSecrets.hash(of: new)
        return said("password changed", after: .setPassword(name: name, hash: hash), as: person)
    }

    public mutating func set(_ listed: GatePerson, as person: Person) -> Outcome {
        let outcome = said("set", after: .setPerson(listed), as: person)
        recognizeUsers()
        return outcome
    }

    /// Tells the core that the user database knows all users on the list. In a script, it names each uid "user" and the
    /// number.
    mutating func recognizeUsers() {
        let users = Set(state.people.compactMap(\.user?.uid))
        if users != state.recognizedUsers { applyAsDaemon(.usersChecked(recognized: users)) }
    }

    public mutating func people(as person: Person) -> Outcome {
        guard state.mayReadPeople(newPeer(person), isParentMode: state.modeState.mode == .parent) else {
            return .refused("Only an administrator may do that, or anybody in parent mode: `gatectl toggle`.")
        }
        return .people(state.people)
    }

    /// Types into a sign-in that is shown: a name and a password, with a space between them.
    mutating func signIn(_ question: AskedChallenge, with text: String, by peer: Peer) throws -> Outcome {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        let outcome = signInOutcome(
            of: .logIn(name: words.first ?? "", password: GateSecret((words.dropFirst().first ?? "").utf8)), as: peer)
        guard case .signIn = outcome, !question.isOnScreen else { return outcome }
        // The program that showed it goes on by itself.
        return try result(of: question.person)
    }

    public mutating func removePerson(_ name: String, as person: Person) -> Outcome {
        said("removed", after: .removePerson(name: name), as: person)
    }

    /// Confirms a person as `gatectl people confirm` does: it confirms what it has read.
    public mutating func confirm(_ name: String, password: String, as person: Person) throws -> Outcome {
        guard case .people(let people) = people(as: person) else { return people(as: person) }
        guard let listed = people.first(where: { $0.name == name }) else {
            return .refused("There is no person '\(name)'. See them with `gatectl people`.")
        }
        let hash = try ScriptedSecrets.hash(of: password)
        return said("confirmed", after: .confirm(listed, passwordHash: hash), as: person)
    }

    public mutating func who() -> Outcome { .signIn(shownSignIn) }

    public mutating func entitlements() -> Outcome { .entitlements(shownEntitlements) }

    public mutating func give(_ gift: ScriptGift, as person: Person) -> Outcome {
        let end = gift.duration.map { wallTime.advanced(by: $0) }
        switch apply(.addClaim(entitlement: gift.entitlement, gift.holder, until: end), as: newPeer(person)) {
        case .success(.claimed(let id)): return .said("given, as \(id.provider.rawValue) \(id.name)")
        case .success: return .said("given")
        case .failure(let error): return .refused(error.message)
        }
    }

    public mutating func takeBack(_ claim: Claim.ID, as person: Person) -> Outcome {
        said("taken back", after: .revokeClaim(claim), as: person)
    }

    public mutating func submit(_ statement: ScriptStatement, as person: Person) throws -> Outcome {
        let transaction: String
        var purchase: ClaimedPurchase?
        var renewal: SubscriptionRenewal?
        var holder: Claim.Holder?
        switch statement {
        case .bought(let id, let product, let duration, let whose):
            transaction = id
            holder = whose
            purchase = ClaimedPurchase(
                item: product, product: product, purchasedAt: wallTime,
                expiresAt: duration.map { wallTime.advanced(by: $0) }, saidAt: wallTime)
        case .refunded(let id):
            transaction = id
            guard let known = purchases[id] else { throw NothingAsked(name: "transaction \(id)") }
            purchase = known
            purchase?.revokedAt = wallTime
            purchase?.saidAt = wallTime
        case .unpaid(let id, let grace):
            transaction = id
            renewal = SubscriptionRenewal(
                isInBillingRetry: true, gracePeriodEndsAt: grace.map { wallTime.advanced(by: $0) }, saidAt: wallTime)
        }
        purchases[transaction] = purchase ?? purchases[transaction]
        let signed = ProviderStatement.storeKit(
            originalTransaction: transaction, purchase: purchase, renewal: renewal, notificationID: nil)
        return said("taken", after: .submit(signed, for: holder), as: person)
    }

    public mutating func offer(_ offers: [Offer], for entitlement: String, as person: Person) -> Outcome {
        said("offered", after: .reportOffers(.storeKit, entitlement: entitlement, offers), as: person)
    }

    public mutating func withdraw(presentation id: UInt64, as person: Person) -> Outcome {
        said("put away", after: .withdraw(presentation: id), as: person)
    }

    public mutating func watchSignIn(as person: Person) -> Outcome {
        let now = shownSignIn
        return .seenSignIn(signInWatchers[person, default: Watcher(now)].read())
    }

    public mutating func watchEntitlements(as person: Person) -> Outcome {
        let now = shownEntitlements
        return .seenEntitlements(entitlementWatchers[person, default: Watcher(now)].read())
    }

    // MARK: - What is shown

    private mutating func signInOutcome(of command: Command, as peer: Peer) -> Outcome {
        // This takes two steps, so that `settled` sees the outcome.
        let applied = apply(command, as: peer)
        switch settled(applied) {
        case .success(.refused(let error)), .failure(let error): return .refused(error.message)
        case .success: return .signIn(shownSignIn)
        }
    }

    mutating func said(_ text: String, after command: Command, as person: Person) -> Outcome {
        let applied = apply(command, as: newPeer(person))
        switch settled(applied) {
        case .success(.refused(let error)), .failure(let error): return .refused(error.message)
        case .success: return .said(text)
        }
    }

    var shownSignIn: ShownSignIn {
        let signIn = state.signIn
        return ShownSignIn(
            name: signIn.session?.name, until: signIn.session.map { elapsed + now.duration(to: $0.deadline) },
            needsAuthentication: signIn.needsAuthentication)
    }

    var shownEntitlements: ShownEntitlements {
        let entitlements = state.entitlements
        return ShownEntitlements(
            lines: entitlements.entitlements.map { entitlement in
                ShownEntitlements.Line(
                    name: entitlement.id, status: entitlement.source?.status, provider: entitlement.source?.provider,
                    product: entitlement.source?.product ?? "",
                    until: entitlement.source?.until.map { elapsed + wallTime.duration(to: $0) })
            }, isSubscriptionActive: entitlements.isSubscriptionActive)
    }
}

extension WallTime {
    func duration(to other: WallTime) -> Duration {
        .milliseconds(other.unixMilliseconds - unixMilliseconds)
    }
}
