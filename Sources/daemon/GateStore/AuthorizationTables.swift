import GateCore
import GateModel
import SQLite

extension RecordTables {
    /// Counts of wrong answers, and the locks that followed from them.
    static let lockouts = EntryTable(
        Table(
            "lockout", keyCount: 2,
            blank: (
                Lockout.Key(owner: .withoutAccount, gate: ""),
                Lockout(wrongAnswers: 0, unanswered: 0, lockedUntil: nil, lockDuration: .zero)
            ),
            Column("uid", .owner, \.key.owner), Column("gate", .text, \.key.gate),
            Column("wrong_answers", .count, \.value.wrongAnswers, "CHECK (wrong_answers >= 0)"),
            Column("unanswered", .count, \.value.unanswered, "CHECK (unanswered >= 0)"),
            // By the boot clock of the boot that meta.boot_id names.
            Column("locked_until", .optional(.bootTime), \.value.lockedUntil),
            Column("lock_duration", .nanoseconds, \.value.lockDuration, "CHECK (lock_duration >= 0)")),
        of: \.lockouts, mayRepeat: true)

    /// Kept grants: users who are not asked again for an action until the grant ends.
    static let keptGrants = EntryTable<KeptGrant.Key, (key: KeptGrant.Key, value: KeptGrant)>(
        table: Table(
            "kept_grant", keyCount: 2, blank: (KeptGrant.Key(uid: 0, gatedAction: ""), KeptGrant(deadline: .never)),
            Column("uid", .uid, \.key.uid), Column("gated_action", .text, \.key.gatedAction),
            // By the boot clock of the boot that meta.boot_id names.
            Column("deadline", .bootTime, \.value.deadline)),
        // No device has so many users and gated actions that it needs 10,000 rows. If there are more, the grants that
        // end last are read. A user whose grant is lost is asked again.
        key: \.key, clause: "ORDER BY deadline DESC LIMIT 10000", entries: { Array($0.keptGrants) },
        add: { records, grant in
            records.keptGrants[grant.key] = grant.value
            return true
        })

    /// What grown-ups have chosen to stand before gated actions, in the notation of policy files. A choice that the
    /// policy can't read denies its action, so nothing but its length is checked here.
    static let gateChoices = EntryTable(
        Table(
            "gate_choice", step: 17, blank: ("", ""), Column("gated_action", .name, \.key, "PRIMARY KEY"),
            Column("notation", .line(1...GateChange.maximumNotationByteCount), \.value)),
        of: \.gateChoices, atMost: 1000, hasSpellings: true)
}
