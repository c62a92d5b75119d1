package import GateModel

/// Commands about the list of people: who is a grown-up, who is a child, and which Unix user is whose.
///
/// Passwords and sessions, which people without a Unix user need, are in `SignInCommands.swift`.
package enum PeopleCommand: Hashable, Sendable {
    /// Puts a person on the list, or replaces everything about the person of this name but the password. The password
    /// of a person who was not confirmed is removed.
    case set(GatePerson, grant: Grant.Proof?)
    case remove(name: String, grant: Grant.Proof?)
    /// The daemon has compared the list's Unix users with the user database: these uids have the names that the list
    /// gives them. Only the daemon says this.
    case usersChecked(recognized: Set<UInt32>)

    var rules: CommandRules {
        switch self {
        // `set` and `remove` check the rights of their peer themselves: see `checkChange` and `person(_:changedBy:)`.
        case .set, .remove: CommandRules(.everyone)
        case .usersChecked: CommandRules(.daemon)
        }
    }
}

extension GateState {
    mutating func perform(
        _ command: PeopleCommand, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch command {
        case .set(let person, let grant): try setPerson(person, grant, context, &draft)
        case .remove(let name, let grant): try removePerson(name, grant, context, &draft)
        case .usersChecked(let recognized):
            recognizedUsers = recognized
            draft.becameVisible()
        }
        return .done
    }

    // MARK: - Who is who

    /// The person whose Unix user this owner is; `nil` if it is nobody's, or the user database does not confirm it.
    /// Uids in a user's range belong to the same person.
    func person(of owner: Owner) -> GatePerson? {
        guard let uid = owner.uid, recognizedUsers.contains(uid) else { return nil }
        return listedPerson(of: owner)
    }

    /// Whether this peer is the own Unix user of one person on the list, who can ask (`asker`).
    func isAsker(_ peer: Peer) -> Bool { peer.owner == .user(peer.uid) && hasTime(peer.uid) }

    /// Whether this is the own Unix user of one person on the list, whose time counts. Uids in its range use the same time.
    /// Each check of a gate with an allowance wants to know, and copying the person would cost it hundreds of instructions.
    func hasTime(_ uid: UInt32) -> Bool {
        guard recognizedUsers.contains(uid) else { return false }
        for record in records.people.values where record.person.user?.uid == uid && record.person.isConfirmed {
            return record.person.kind != .shared
        }
        return false
    }

    /// Whether both lists of people are equal. Other modules would copy all records to compare them.
    package func hasSamePeople(as other: GateState) -> Bool { records.people == other.records.people }

    /// The person to whom the list gives this owner's user, whether or not the user database confirms it.
    private func listedPerson(of owner: Owner) -> GatePerson? {
        guard let uid = owner.uid else { return nil }
        return records.people.values.first { $0.person.user?.uid == uid && $0.person.isConfirmed }?.person
    }

    /// Whether the list gives this owner's user to one person alone, so that it does not matter who is signed in. This
    /// is also true while that person is not recognized, or else the user would count as nobody's in the meantime.
    func isPersonsOwn(_ owner: Owner) -> Bool {
        listedPerson(of: owner).map { $0.kind != .shared } ?? false
    }

    /// The kind of person whose own user this is; `nil` if it is nobody's, or not recognized. The kind decides about
    /// roles, so a uid that only lies in a person's range of uids has none.
    package func kind(ofUser uid: UInt32) -> GatePerson.Kind? { person(of: .user(uid))?.kind }

    /// The age in completed years by which questions for this owner are chosen. It is that of the owner's person. For a
    /// user that is nobody's own, it is that of the child who is signed in. `nil`: the sturdiest challenge is asked,
    /// since there is no such child, the date of birth is unknown, or the person is not confirmed or not recognized.
    func age(of owner: Owner, at moment: BootTime) -> Int? {
        let today = CivilDate(wallTime(at: moment))
        guard !isPersonsOwn(owner) else { return person(of: owner)?.age(on: today) }
        guard let person = signedInPerson, person.isConfirmed else { return nil }
        return person.age(on: today)
    }

    /// The person whose name is equal in every byte. Swift compares strings by canonical equivalence, but a name in
    /// another spelling would have a counter of its own for wrong passwords.
    func personRecord(_ name: String) -> PersonRecord? {
        records.people[name].flatMap { $0.person.name.hasBytes(of: name) ? $0 : nil }
    }

    // MARK: - Changing the list

    private mutating func setPerson(
        _ person: GatePerson, _ grant: Grant.Proof?, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) {
        // Peers that may not change the list are refused first, so that no other error tells them about it.
        guard context.peer.isAdministrator || kind(ofUser: context.peer.uid) == .grownUp else {
            throw .onlyGrownUpsChange
        }
        let before = records.people[person.name]
        try checkNew(person, "person", replacing: before, context)
        if let before, !before.person.name.hasBytes(of: person.name) {
            throw .personExists(before.person.name)
        }
        if let user = person.user, !user.canBePersons { throw .noPersonsUser(user.name) }
        let holder = otherHolder(ofUserOf: person)
        if let user = person.user, let holder, holder.isConfirmed { throw .userTaken(user.name, by: holder.name) }
        // Nobody can say who chose the password of somebody who is not confirmed, or who knows it.
        let wasConfirmed = before?.person.isConfirmed ?? false
        let passwordHash = wasConfirmed ? before?.passwordHash : nil
        guard person.kind != .shared || person.user != nil && passwordHash == nil else { throw .sharedNeedsUser }
        // This check comes last, so that a grown-up does not type the passcode for a change that is refused anyway.
        try checkChange("set \(person.words)", grant, context)
        var person = person
        person.isConfirmed = true
        let record = PersonRecord(person, passwordHash: passwordHash)
        guard record != before else { return }
        if let holder { takeUser(from: holder, context, &draft) }
        self.record(.personSet(person, passwordHash: passwordHash), &draft)
        if person.kind == .shared { forgetAgeChoices(of: person.name, &draft) }
        draft.journal(.personSet, by: context.peer, person.text)
        // A session keeps the kind that the person had when it began, and somebody may have signed in with a password
        // that is removed now. So the session ends if the kind changes, or if the person was not confirmed.
        if let before, before.person.kind != person.kind || !wasConfirmed {
            closeSession(of: person.name, context, &draft)
        }
        if before?.person.user != person.user {
            recognizedUsers.remove(person.user?.uid ?? 0)
            endAsks(of: person.name, context, &draft)
        }
    }

    private func otherHolder(ofUserOf person: GatePerson) -> GatePerson? {
        guard let user = person.user else { return nil }
        return records.people.values.first { $0.person.user?.uid == user.uid && $0.person.name != person.name }?.person
    }

    /// Takes the Unix user from a person who is not confirmed: nobody has vouched that the user is theirs. The entry of
    /// a shared user is removed from the list.
    private mutating func takeUser(from holder: GatePerson, _ context: Context, _ draft: inout TransitionDraft) {
        endAsks(of: holder.name, context, &draft)
        guard holder.kind != .shared else {
            record(.personRemoved(name: holder.name), &draft)
            return draft.journal(.accountRemoved, by: context.peer, holder.name)
        }
        var holder = holder
        holder.user = nil
        record(.personSet(holder, passwordHash: records.people[holder.name]?.passwordHash), &draft)
        draft.journal(.personSet, by: context.peer, holder.text)
    }

    /// Removes the person's claims and forms, too, because the next person of this name is somebody else.
    private mutating func removePerson(
        _ name: String, _ grant: Grant.Proof?, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) {
        let person = try person(name, changedBy: context.peer, grant, context)
        for claim in records.claims.values.sorted(by: { $0.id < $1.id }) where claim.holder == .account(person.name) {
            record(.claimRemoved(claim.id), &draft)
        }
        forgetForms(of: .account(person.name), at: context.now, &draft)
        endAsks(of: person.name, context, &draft)
        forgetAgeChoices(of: person.name, &draft)
        record(.personRemoved(name: person.name), &draft)
        draft.journal(.accountRemoved, by: context.peer, person.name)
        closeSession(of: person.name, context, &draft)
    }

    mutating func closeSession(of name: String, _ context: Context, _ draft: inout TransitionDraft) {
        guard signInMachine.closed(name) else { return }
        draft.journal(.signedOut, by: context.peer, name)
    }

    /// The person to change. Parent mode may have been entered by somebody else, so only administrators may change
    /// grown-ups, and people whose Unix user chooses their questions.
    func person(_ name: String, changedBy peer: Peer) throws(GateError) -> GatePerson {
        guard quarantinedFile == nil else { throw .storeDamaged }
        try peer.check(.grownUpInCharge, verifying: [], isParentMode: machine.isParent)
        guard let person = personRecord(name)?.person else { throw .noPerson(name) }
        switch person.kind {
        case _ where peer.isAdministrator: return person
        case .child where person.user == nil: return person
        case .child, .grownUp, .shared: throw .onlyAdministratorsChange
        }
    }

    /// The person to remove: by a grown-up with a grant for that, or by those who may change the person anyway.
    private mutating func person(
        _ name: String, changedBy peer: Peer, _ grant: Grant.Proof?, _ context: Context
    ) throws(GateError) -> GatePerson {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard !peer.isAdministrator, kind(ofUser: peer.uid) == .grownUp, let person = personRecord(name)?.person else {
            return try person(name, changedBy: peer)
        }
        if machine.isParent, grant == nil, (try? self.person(name, changedBy: peer)) != nil { return person }
        try checkChange("remove \(person.words)", grant, context)
        return person
    }

    /// Checks that this peer may make a change of Gate: administrators may, and grown-ups in the session of their own
    /// user with a grant for the gated action `gate.change` and these words. The grant is used up.
    mutating func checkChange(_ words: String, _ grant: Grant.Proof?, _ context: Context) throws(GateError) {
        guard !context.peer.isAdministrator else { return }
        guard kind(ofUser: context.peer.uid) == .grownUp else { throw .onlyGrownUpsChange }
        guard let grant,
            case .taken = grants.redeemed(
                grant, gatedAction: GatedAction.change, details: words, by: context.peer, at: context.now)
        else { throw .changeNeedsGrant(for: words) }
    }

    func checkNew(
        _ person: GatePerson, _ field: String, replacing before: PersonRecord?, _ context: Context
    ) throws(GateError) {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard !person.name.isEmpty, person.name.isPersonName else { throw .noPersonName("\(field).name") }
        if case .child(_?) = person.kind, person.age(on: CivilDate(context.wallTime)) == nil {
            throw .noBirthday("\(field).child.born")
        }
        guard before != nil || records.people.count < Limits.people else { throw .tooManyPeople }
    }
}

extension String {
    /// Whether the text can name a person: it is not too long, is one line, and has no spaces at its ends, which nobody
    /// would see. The empty text passes, and is refused separately.
    var isPersonName: Bool {
        utf8.count <= GatePerson.maximumNameByteCount && isSingleLine
            && !(first?.isWhitespace ?? false) && !(last?.isWhitespace ?? false)
    }
}

extension GatePerson {
    /// The person as the journal shows them: "mia, child, user mia". The date of birth is left out.
    fileprivate var text: String { words(withBirth: false) }

    /// The person as a grown-up is shown them: "mia, child, born 2015-03-02, user mia (1001)".
    fileprivate var words: String { words(withBirth: true) }

    private func words(withBirth: Bool) -> String {
        var words = [name]
        switch kind {
        case .grownUp: words.append("grown-up")
        case .child(let born?) where withBirth: words += ["child", "born \(born)"]
        case .child: words.append("child")
        case .shared: words.append("shared")
        }
        if let user { words.append("user \(user.name)" + (withBirth ? " (\(user.uid))" : "")) }
        return words.joined(separator: ", ")
    }
}

extension GateError {
    package static let onlyGrownUpsChange = GateError(
        .permissionDenied, .notPermitted,
        "Only an administrator may do that, or a grown-up from the session of their own user: use `sudo`.",
        parameters: ["what": "administrator"])

    /// - Parameter words: the details of the grant that is needed.
    fileprivate static func changeNeedsGrant(for words: String) -> GateError {
        GateError(
            .permissionDenied, .notPermitted,
            "This takes a grant for the gated action '\(GatedAction.change)' with the details '\(words)'.",
            parameters: ["what": "change-grant", "details": words])
    }

    static let noPasscodeBeforeChange = GateError(
        .failedPrecondition, .notSetUp,
        "There is no passcode that could stand before this change. An administrator sets one: `sudo gatectl setup`.",
        parameters: ["what": "passcode"])
}
