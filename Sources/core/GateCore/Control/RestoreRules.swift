import GateModel

/// The records once a backup was brought back: the backup's, but for what must never be undone by an old file.
///
/// | what                                   | from                                                                |
/// |----------------------------------------|---------------------------------------------------------------------|
/// | accounts, secrets, responses, parts, releases | the backup                                                   |
/// | drafts                                 | the backup, each with a revision that none has had                  |
/// | forms of apps                          | the backup: those of its drafts                                     |
/// | ids and revisions that count up        | the larger one: no cookie, and nothing read before, fits what is new |
/// | lockouts, guesses at secrets           | both; of each counter the larger, of each lock the later end         |
/// | used codes of an authenticator         | both, and all up to now: no code is good twice                      |
/// | claims, what providers said            | both; of each the newest word, and what was revoked here stays so    |
/// | household: list, device's key          | this device: what was revoked since stays so, and no key is on two   |
/// | kept grants, damage                    | neither                                                             |
///
/// Revision and journal are those of this device; they go on.
struct RestoreRules {
    let current: DurableRecords
    let now: WallTime

    func merged(with backup: DurableRecords) -> DurableRecords {
        var merged = backup
        merged.revision = current.revision
        merged.quarantinedFile = nil
        merged.keptGrants = KeptGrants()
        merged.household = current.household
        merged.nextPresentation = max(current.nextPresentation, backup.nextPresentation)
        merged.nextManualClaim = max(current.nextManualClaim, backup.nextManualClaim)
        merged.nextDraft = max(current.nextDraft, backup.nextDraft)
        merged.nextResponse = max(current.nextResponse, backup.nextResponse)
        merged.nextPart = max(current.nextPart, backup.nextPart)
        merged.lockouts = current.lockouts.merging(backup.lockouts) { $0.joined(with: $1) }
        merged.totp = backup.totp.map(totp)
        merged.claims = claims(with: backup.claims)
        merged.customers = Self.newest(
            current.customers.merging(backup.customers) { max($0, $1) }, of: Limits.restoredCustomers)
        merged.notifications = Self.newest(
            current.notifications.merging(backup.notifications) { max($0, $1) }, of: ClaimRules.maximumNotifications)
        merged.lastDraftRevision = max(current.lastDraftRevision, backup.lastDraftRevision)
        // In the order of before: the draft that was worked on last is still the last.
        for (key, _) in backup.drafts.sorted(by: { $0.value.revision < $1.value.revision }) {
            merged.lastDraftRevision += 1
            merged.drafts[key]?.revision = merged.lastDraftRevision
            merged.drafts[key]?.enteredRevision = merged.lastDraftRevision
        }
        let named = AttachmentLedger(restoring: merged)
        merged.attachments = backup.attachments.filter { named.isNamed($0.key) }
        return merged
    }

    /// Codes that were used between backup and now are not in the backup, and another key's may have been used as well.
    private func totp(_ backup: TOTPEnrolment) -> TOTPEnrolment {
        let step = UInt64(max(0, now.unixMilliseconds)) / 30_000
        return TOTPEnrolment(key: backup.key, usedStep: max(backup.usedStep, current.totp?.usedStep ?? 0, step))
    }

    private func claims(with backup: [Claim.ID: Claim]) -> [Claim.ID: Claim] {
        var claims = backup
        for (id, claim) in current.claims {
            if let old = backup[id] { claims[id] = Self.newer(claim, than: old) }
        }
        // What was bought since stays, as far as there is room.
        let since = current.claims.values.filter { backup[$0.id] == nil }.sorted {
            $0.purchase.saidAt > $1.purchase.saidAt
        }
        for claim in since.prefix(max(0, ClaimRules.maximumClaims - claims.count)) { claims[claim.id] = claim }
        return claims
    }

    /// - Parameter claim: the device's.
    private static func newer(_ claim: Claim, than old: Claim) -> Claim {
        // Claims by hand are numbered by each store for itself, so this may be another one of that number.
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

extension Lockout {
    /// Both of them: what was wrong in either was wrong, and the longer wait is waited.
    fileprivate func joined(with other: Lockout) -> Lockout {
        Lockout(
            wrongAnswers: max(wrongAnswers, other.wrongAnswers), unanswered: max(unanswered, other.unanswered),
            lockedUntil: [lockedUntil, other.lockedUntil].compactMap(\.self).max(),
            lockDuration: max(lockDuration, other.lockDuration))
    }
}

extension GateState {
    /// Everything open ends, the mode is child, nobody is signed in and no grant is good: what comes now was never asked
    /// under what is kept from here on.
    mutating func restore(
        _ backup: DurableRecords, _ detail: String, _ context: Context, _ draft: inout TransitionDraft
    ) -> Reply {
        _ = machine.overridden(by: context.peer, parentUntil: nil)
        for request in requests.open {
            end(request.id, .impossible(.storeRestored), by: nil, at: context.now, &draft)
        }
        if let account = signInMachine.loggedOut() { draft.journal(.signedOut, by: context.peer, account.name) }
        grants.lostAll()
        isCoverPutAway = false
        if backup.revision.epoch == records.revision.epoch {
            records.revision.number = max(records.revision.number, backup.revision.number)
        }
        record(.restored(RestoreRules(current: records, now: context.wallTime).merged(with: backup)), &draft)
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
