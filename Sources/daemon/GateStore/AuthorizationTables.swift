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
        foundBy: .columns { [$0.owner.number, $0.gate] }, entries: { $0.lockouts.map { ($0, $1) } },
        add: { records, key, lockout in
            records.lockouts[key] = lockout
            return true
        },
        row: { key, lockout in
            (key.owner, key.gate, lockout.wrongAnswers, lockout.unanswered, lockout.lockedUntil, lockout.lockDuration)
        },
        entry: { owner, gate, wrongAnswers, unanswered, lockedUntil, lockDuration in
            (
                Lockout.Key(owner: owner, gate: gate),
                Lockout(
                    wrongAnswers: wrongAnswers, unanswered: unanswered, lockedUntil: lockedUntil,
                    lockDuration: lockDuration)
            )
        })

    /// Kept grants: users who are not asked again for an action until the grant ends.
    static let keptGrants = EntryTable(
        Table(
            "kept_grant", keyCount: 2, Column("uid", .uid), Column("gated_action", .text),
            // By the boot clock of the boot that meta.boot_id names.
            Column("deadline", .bootTime)),
        // A device's users and gated actions don't make as many. If there are more rows, those that end last are read;
        // a user whose grant is lost is just asked again. Sorting costs more than reading, so it happens only then.
        atMost: 10_000, surplus: "ORDER BY deadline DESC LIMIT 10000",
        foundBy: .columns { [$0.uid, $0.gatedAction] }, entries: { $0.keptGrants.map { ($0, $1) } },
        add: { records, key, grant in
            records.keptGrants[key] = grant
            return true
        },
        row: { ($0.uid, $0.gatedAction, $1.deadline) },
        entry: { (KeptGrant.Key(uid: $0, gatedAction: $1), KeptGrant(deadline: $2)) })
}
