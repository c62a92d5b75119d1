import GateCore
import GateModel
import SQLite

extension RecordTables {
    /// Wrong answers, and the locks that they cost.
    static let lockouts = EntryTable(
        Table(
            "lockout", keyCount: 2, Column("uid", .owner), Column("gate", .text),
            Column("wrong_answers", .count, "CHECK (wrong_answers >= 0)"),
            Column("unanswered", .count, "CHECK (unanswered >= 0)"),
            // Of the boot in meta.boot_id.
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

    /// The grants that are kept: who is not asked again for something, for a while.
    static let keptGrants = EntryTable(
        Table(
            "kept_grant", keyCount: 2, Column("uid", .uid), Column("gated_action", .text),
            // Of the boot in meta.boot_id.
            Column("deadline", .bootTime)),
        // More than a device's users and gated actions make. Of more, those that end last are kept: a user whose grant is gone
        // is asked again. To put them in order costs more than to read them.
        atMost: 10_000, surplus: "ORDER BY deadline DESC LIMIT 10000",
        foundBy: .columns { [$0.uid, $0.gatedAction] }, entries: { $0.keptGrants.map { ($0, $1) } },
        add: { records, key, grant in
            records.keptGrants[key] = grant
            return true
        },
        row: { ($0.uid, $0.gatedAction, $1.deadline) },
        entry: { (KeptGrant.Key(uid: $0, gatedAction: $1), KeptGrant(deadline: $2)) })
}
