import GateCore
import GateModel
import SQLite

extension RecordTables {
    /// Counts of wrong answers, and the locks that followed from them.
    static let lockouts = EntryTable(
        Table(
            "lockout", keyCount: 2, Column("uid", .owner), Column("gate", .text),
            Column("wrong_answers", .count, "CHECK (wrong_answers >= 0)"),
            Column("unanswered", .count, "CHECK (unanswered >= 0)"),
            // By the boot clock of the boot that meta.boot_id names.
            Column("locked_until", .optional(.bootTime)),
            Column("lock_duration", .nanoseconds, "CHECK (lock_duration >= 0)")),
        of: \.lockouts, mayRepeat: true, foundBy: .columns { [$0.owner.number, $0.gate] },
        row: { ($0.owner, $0.gate, $1.wrongAnswers, $1.unanswered, $1.lockedUntil, $1.lockDuration) },
        entry: {
            let key = Lockout.Key(owner: $0, gate: $1)
            return (key, Lockout(wrongAnswers: $2, unanswered: $3, lockedUntil: $4, lockDuration: $5))
        })

    /// Kept grants: users who are not asked again for an action until the grant ends.
    static let keptGrants = EntryTable(
        table: Table(
            "kept_grant", keyCount: 2, Column("uid", .uid), Column("gated_action", .text),
            // By the boot clock of the boot that meta.boot_id names.
            Column("deadline", .bootTime)),
        // No device has so many users and gated actions that it needs 10,000 rows. If there are more, the grants that
        // end last are read. A user whose grant is lost is asked again.
        clause: "ORDER BY deadline DESC LIMIT 10000", finding: .columns { [$0.uid, $0.gatedAction] },
        entries: { $0.keptGrants.map { ($0, $1) } },
        add: { records, key, grant in
            records.keptGrants[key] = grant
            return true
        },
        row: { ($0.uid, $0.gatedAction, $1.deadline) },
        entry: { (KeptGrant.Key(uid: $0, gatedAction: $1), KeptGrant(deadline: $2)) })

    /// What grown-ups have chosen to stand before gated actions, in the notation of policy files. A choice that the
    /// policy can't read denies its action, so nothing but its length is checked here.
    static let gateChoices = EntryTable(
        Table(
            "gate_choice", step: 17, Column("gated_action", .name, "PRIMARY KEY"),
            Column("notation", .line(1...GateChange.maximumNotationByteCount))),
        of: \.gateChoices, atMost: 1000, foundBy: .name { ([], $0) }, row: { ($0, $1) }, entry: { ($0, $1) })
}
