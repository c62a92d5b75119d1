import GateModel

/// Merges a backup into the present records. It replaces them, except where an old file must not undo something:
///
/// | what                                          | taken from                                                   |
/// |-----------------------------------------------|--------------------------------------------------------------|
/// | secrets, responses, parts, seen release notes | the backup                                                   |
/// | people                                        | this device: role, date of birth and user; passwords: backup |
/// | choices of gates, allowances and schedules    | both, but of the backup's those alone that lower no gate     |
/// | receipts for the household                    | the backup                                                   |
/// | drafts                                        | the backup, each with a new revision                         |
/// | forms of apps                                 | the backup, which has those of its drafts                    |
/// | counters of ids and revisions                 | the larger one: no old cookie or revision fits something new |
/// | lockouts, guesses at secrets                  | both: the larger counter, the later end of a lock            |
/// | used codes of an authenticator                | both, and all until now: no code is accepted twice           |
/// | claims, providers' statements                 | both: the newest statement; claims revoked here stay revoked |
/// | household: list, device's key                 | this device: revocations stay, and no key is on two devices  |
/// | asks, which are over by a restore             | this device: what was asked today still counts               |
/// | time used                                     | both: of each day the larger one                             |
/// | time used on other devices                    | this device: a backup may be of another household            |
/// | age ranges                                    | this device, and those refusals of the backup that tell less |
/// | kept grants, damage                           | neither                                                      |
///
/// The revision and the journal are this device's and continue.
struct RestoreRules {
    let current: DurableRecords
    let now: WallTime
    /// What stands before the gated actions of this device now.
    var gates = Configuration.builtIn
    /// What grown-ups had chosen when the backup was made, by the names of the choices. A choice whose notation could
    /// not be read is left out.
    var choices: [String: ChosenRule] = [:]

    func merged(with backup: DurableRecords) -> DurableRecords {
        var merged = backup
        merged.revision = current.revision
        merged.quarantinedFile = nil
        merged.keptGrants = KeptGrants()
        merged.asks = current.asks
        merged.household = current.household
        merged.people = people(with: backup.people)
        merged.gateChoices = choices(with: backup.gateChoices)
        merged.usage = current.usage.joined(with: backup.usage)
        merged.usageElsewhere = current.usageElsewhere
        merged.ages = ages(with: backup.ages, of: merged.people)
        merged.nextPresentation = max(current.nextPresentation, backup.nextPresentation)
        merged.nextManualClaim = max(current.nextManualClaim, backup.nextManualClaim)
        merged.nextDraft = max(current.nextDraft, backup.nextDraft)
        merged.nextResponse = max(current.nextResponse, backup.nextResponse)
        merged.nextPart = max(current.nextPart, backup.nextPart)
        merged.lockouts = lockouts(with: backup.lockouts)
        merged.totp = backup.totp.map(totp)
        merged.claims = claims(with: backup.claims)
        merged.customers = Self.newest(
            current.customers.merging(backup.customers) { max($0, $1) }, of: Limits.restoredCustomers)
        merged.notifications = Self.newest(
            current.notifications.merging(backup.notifications) { max($0, $1) }, of: ClaimRules.maximumNotifications)
        merged.lastDraftRevision = max(current.lastDraftRevision, backup.lastDraftRevision)
        // In the order of their revisions, so that the draft that was changed last remains the last.
        for (key, _) in backup.drafts.sorted(by: { $0.value.revision < $1.value.revision }) {
            merged.lastDraftRevision += 1
            merged.drafts[key]?.revision = merged.lastDraftRevision
            merged.drafts[key]?.enteredRevision = merged.lastDraftRevision
        }
        let named = AttachmentLedger(restoring: merged)
        merged.attachments = backup.attachments.filter { named.isNamed($0.key) }
        return merged
    }

    /// An old or forged file lowers no gate. What was chosen here stays. Of what was chosen only in the backup, each
    /// choice counts that asks at least what stands before its action now; an action that is denied now stays denied.
    /// An allowance or a schedule comes back if no gate needs it, or if it gives no more time than the present one. A
    /// device on which nothing is set up, as after a new installation, takes all choices, since otherwise a choice for
    /// an action that no policy file names would never come back. No choice says what stands before `gate.change`.
    private func choices(with backup: [String: String]) -> [String: String] {
        let isNew =
            current.people.isEmpty && current.gateChoices.isEmpty && current.passcodeHash == nil
            && current.totp == nil
        let needed = gates.gatedActions.values.flatMap(\.requirement.conditions)
        let restored = backup.filter { name, _ in
            guard name != GatedAction.change, current.gateChoices[name] == nil else { return false }
            guard !isNew else { return true }
            switch choices[name] {
            case .gate(let chosen):
                return gates.gatedActions.named(name).map { GateComparison.asks(chosen, atLeast: $0) } ?? false
            case .allowance(let chosen):
                return needed.allSatisfy { condition in
                    guard case .allowance(let now) = condition, now.name == chosen.name else { return true }
                    return chosen.givesNoMore(than: now)
                }
            case .schedule(let chosen):
                return needed.allSatisfy { condition in
                    guard case .during(let now) = condition, now.name == chosen.name else { return true }
                    return chosen.givesNoMore(than: now)
                }
            case nil: return false
            }
        }
        let room = max(0, GateChange.maximumChoices - current.gateChoices.count)
        let kept = restored.sorted { $0.key < $1.key }.prefix(room).map { ($0.key, $0.value) }
        return current.gateChoices.merging(kept) { here, _ in here }
    }

    /// An old or forged file lets no app know more. Age ranges are on if they are on here and in the backup; the gates are
    /// this device's. Of the backup's choices the refusals come back, also in place of a yes that was given since. Its
    /// other apps wait for an answer, unless there is one here.
    private func ages(with backup: AgeBook, of people: [String: PersonRecord]) -> AgeBook {
        var ages = current.ages
        ages.settings.isOn = current.ages.settings.isOn && backup.settings.isOn
        for (key, restored) in backup.entries where key.app.isAppName {
            guard let person = people[key.person]?.person, person.name.hasBytes(of: key.person), person.kind != .shared
            else { continue }
            let present = ages[key]
            guard present != nil || ages.choices(of: key.person).count < Limits.ageAppsOfPerson else { continue }
            ages[key] = (present ?? .waiting).merged(with: restored)
        }
        return ages
    }

    private func lockouts(with backup: [Lockout.Key: Lockout]) -> [Lockout.Key: Lockout] {
        var lockouts = current.lockouts.merging(backup) { $0.joined(with: $1) }
        // See `SecretBudget`. If a lane is the owner's own here or in the backup, it is not a guest's lane afterwards.
        for (key, lockout) in current.lockouts where SecretBudget.limit(of: key) != nil {
            guard let old = backup[key] else { continue }
            lockouts[key]?.unanswered = min(lockout.unanswered, old.unanswered)
        }
        return lockouts
    }

    /// An old or forged file makes nobody a grown-up. People who are both on this device's list and in the backup stay
    /// as they are on the list, with the backup's password. People who are only on the list stay as they are: what they
    /// bought since the backup stays, too, and would otherwise go to the next person of their name. People who are only
    /// in the backup come back unconfirmed, and without a Unix user that is somebody's by now, until an administrator
    /// has looked at them. A device without people, as after a new installation, takes the backup's list.
    ///
    /// A backup brings nobody whom a request could not put on the list: people with an impossible name or beyond the
    /// limit stay out, and so do impossible Unix users. Dates of birth need no check: an impossible one counts as
    /// unknown (`GatePerson.age`).
    private func people(with backup: [String: PersonRecord]) -> [String: PersonRecord] {
        var people = current.people
        for (name, present) in current.people {
            if let restored = backup[name] { people[name] = Self.present(present, with: restored) }
        }
        let users = Set(current.people.values.compactMap(\.person.user?.uid))
        let onlyInBackup = backup.filter { current.people[$0.key] == nil }.values
        for restored in onlyInBackup.sorted(by: { $0.person.name < $1.person.name })
        where people.count < Limits.people {
            var person = restored.person
            guard person.name.isNameLine(atMost: GatePerson.maximumNameByteCount) else { continue }
            if !current.people.isEmpty { person.isConfirmed = false }
            if let user = person.user, !user.canBeListed || users.contains(user.uid) { person.user = nil }
            // A shared entry is nothing but its user.
            guard person.kind != .shared || person.user != nil else { continue }
            people[person.name] = PersonRecord(person, passwordHash: restored.passwordHash)
        }
        return people
    }

    /// - Parameter present: somebody who is on this device's list.
    private static func present(_ present: PersonRecord, with restored: PersonRecord) -> PersonRecord {
        guard present.person.kind != .shared else { return present }
        // Nobody can say who chose the backup's password if the person was not confirmed then.
        guard restored.person.isConfirmed || !present.person.isConfirmed else { return present }
        return PersonRecord(present.person, passwordHash: restored.passwordHash)
    }

    /// Codes that were used after the backup are not in it, and codes of the backup's key may have been used as well.
    /// So all codes until now count as used.
    private func totp(_ backup: TOTPEnrolment) -> TOTPEnrolment {
        let step = UInt64(max(0, now.unixMilliseconds)) / 30_000
        return TOTPEnrolment(key: backup.key, usedStep: max(backup.usedStep, current.totp?.usedStep ?? 0, step))
    }

    private func claims(with backup: [Claim.ID: Claim]) -> [Claim.ID: Claim] {
        var claims = backup
        for (id, claim) in current.claims {
            if let old = backup[id] { claims[id] = Self.newer(claim, than: old) }
        }
        // Purchases made since the backup stay, as far as there is room.
        let since = current.claims.values.filter { backup[$0.id] == nil }.sorted {
            $0.purchase.saidAt > $1.purchase.saidAt
        }
        for claim in since.prefix(max(0, ClaimRules.maximumClaims - claims.count)) { claims[claim.id] = claim }
        return claims
    }

    /// - Parameter claim: this device's present claim.
    private static func newer(_ claim: Claim, than old: Claim) -> Claim {
        // Each store numbers claims made by hand itself, so the two may be different claims with the same number.
        guard claim.id.provider != .manual || claim.purchase == old.purchase else { return old }
        var claim = claim
        if claim.purchase.isOlder(than: old.purchase) { claim.purchase = old.purchase }
        if let renewal = old.renewal, claim.renewal.map({ $0.saidAt < renewal.saidAt }) ?? true {
            claim.renewal = renewal
        }
        claim.revokedHere = claim.revokedHere ?? old.revokedHere
        return claim
    }

    private static func newest<Order: Comparable>(_ all: [String: Order], of limit: Int) -> [String: Order] {
        guard all.count > limit else { return all }
        let newest = all.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.prefix(limit)
        return Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }
}

extension GatePerson.UnixUser {
    /// Whether a Unix user from a backup can be on the list of people. The name is checked because it comes from a
    /// file: in a request to change the list, the user database has to know the name.
    fileprivate var canBeListed: Bool {
        canBePersons && name.isNameLine(atMost: GatePerson.maximumUserNameByteCount)
    }
}

extension AgeBook.Choice {
    /// This device's choice, or the backup's if that is a refusal and tells less.
    fileprivate func merged(with restored: Self) -> Self {
        switch (self, restored) {
        case (_, .never), (.always, .notNow), (.forNow, .notNow), (.waiting, .notNow): restored
        case (_, .waiting), (_, .always), (_, .forNow), (.never, .notNow), (.notNow, .notNow): self
        }
    }
}

extension Lockout {
    /// Combines two lockouts: the larger counters, and the longer wait.
    fileprivate func joined(with other: Lockout) -> Lockout {
        Lockout(
            wrongAnswers: max(wrongAnswers, other.wrongAnswers), unanswered: max(unanswered, other.unanswered),
            lockedUntil: [lockedUntil, other.lockedUntil].compactMap(\.self).max(),
            lockDuration: max(lockDuration, other.lockDuration))
    }
}

extension GateState {
    /// Restores a backup. Ends everything that is open, parent mode, the session and all grants, because all of it was
    /// asked for under the records from before.
    mutating func restore(
        _ backup: DurableRecords, _ choices: [String: ChosenRule], _ detail: String, _ context: Context,
        _ draft: inout TransitionDraft
    ) -> Reply {
        _ = machine.overridden(by: context.peer, parentUntil: nil)
        for request in requests.open {
            end(request.id, .impossible(.storeRestored), by: nil, at: context.now, &draft)
        }
        if let account = signInMachine.loggedOut() { draft.journal(.signedOut, by: context.peer, account.name) }
        endAllAsks(context, &draft)
        grants.lostAll()
        recognizedUsers = []
        isCoverPutAway = false
        if backup.revision.epoch == records.revision.epoch {
            records.revision.number = max(records.revision.number, backup.revision.number)
        }
        let rules = RestoreRules(
            current: records, now: context.wallTime, gates: configuration, choices: choices)
        record(.restored(rules.merged(with: backup)), &draft)
        forms = FormBook(restoring: records, configuration: configuration)
        settleRestoredDrafts(&draft)
        draft.journal(.restored, by: context.peer, detail)
        return .done
    }
}

extension GateError {
    fileprivate static let storeRestored = GateError(
        .aborted, .closed, "A backup was restored meanwhile. Ask again.", parameters: ["what": "restored"])
}
