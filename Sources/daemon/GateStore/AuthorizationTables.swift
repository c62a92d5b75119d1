import GateCore
import GateModel

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

    /// Grants that the policy keeps: users who are not asked again for a gated action until the grant ends.
    static let keptGrants = EntryTable<KeptGrant.Key, (key: KeptGrant.Key, value: KeptGrant)>(
        table: Table(
            "kept_grant", keyCount: 2, blank: (KeptGrant.Key(uid: 0, gatedAction: ""), KeptGrant(deadline: .never)),
            Column("uid", .uid, \.key.uid), Column("gated_action", .text, \.key.gatedAction),
            // By the boot clock of the boot that meta.boot_id names.
            Column("deadline", .bootTime, \.value.deadline)),
        // No device has so many users and gated actions that it needs 10,000 rows. If there are more, the grants that
        // end last are read. A user whose grant is lost is asked again.
        key: \.key, clause: "ORDER BY deadline DESC LIMIT 10000",
        entries: { $0.keptGrants.filter { $0.key.ask == nil } },
        add: { records, grant in
            records.keptGrants[grant.key] = grant.value
            return true
        })

    /// Kept grants that grown-ups gave to asks.
    static let answers = EntryTable<KeptGrant.Key, (key: KeptGrant.Key, value: KeptGrant)>(
        table: Table(
            "ask_answer", step: 18, hasRowID: true,
            blank: (KeptGrant.Key(uid: 0, gatedAction: ""), KeptGrant(deadline: .never)),
            Column("ask", .optional(.rowID(1...maximumNumber)), \.key.ask, "PRIMARY KEY"),
            Column("uid", .uid, \.key.uid), Column("gated_action", .name, \.key.gatedAction),
            // By the boot clock of the boot that meta.boot_id names.
            Column("deadline", .bootTime, \.value.deadline),
            Column(
                \.value.yes,
                blank: KeptGrant.Yes(details: "", person: "", mark: "", from: .zero, until: .zero, uses: 1),
                Column("details", .line(0...AuthorizationRequest.maximumDetailsByteCount), \.details),
                Column("person", .name, \.person), Column("mark", .name, \.mark), Column("given", .time, \.from),
                // The largest number stands for no end, and for any number of uses.
                Column("until", .time, \.until), Column("uses", .count, \.uses, "CHECK (uses > 0)"),
                Column("choice", .choice, \.choice, "DEFAULT 'once'", step: 19),
                Column("is_more_time", .flag, \.isMoreTime, "DEFAULT 0 CHECK (is_more_time IN (0, 1))", step: 22),
                part: { $0 }, value: { $0 })),
        key: \.key, maximumCount: 100_000, entries: { $0.keptGrants.filter { $0.key.ask != nil } },
        add: { records, grant in
            records.keptGrants[grant.key] = grant.value
            return true
        })

    /// Requests for gated actions that wait for a grown-up, were refused, or are over and not removed yet.
    static let asks = EntryTable<UInt64, (key: UInt64, value: AskRecord)>(
        table: Table(
            "ask", step: 18, hasRowID: true,
            blank: (
                1,
                AskRecord(
                    uid: 0, person: "", gatedAction: "", details: "", mark: "", askedAt: .zero, end: .zero,
                    mayWait: .zero)
            ),
            Column("number", .rowID(1...maximumNumber), \.key, "PRIMARY KEY"), Column("uid", .uid, \.value.uid),
            Column("person", .name, \.value.person), Column("gated_action", .name, \.value.gatedAction),
            // Empty once the ask is over.
            Column("details", .line(0...AuthorizationRequest.maximumDetailsByteCount), \.value.details),
            Column("mark", .name, \.value.mark),
            Column("state", .word(AskRecord.State.self, "a state of an ask"), \.value.state),
            Column("asked_at", .time, \.value.askedAt), Column("end_at", .time, \.value.end),
            Column("may_wait", .nanoseconds, \.value.mayWait, "CHECK (may_wait > 0)"),
            // Random bytes that an answer from another device of the household has to repeat; empty if the ask accepts
            // no such answers.
            Column("nonce", .bytes(0...HouseholdAsk.nonceByteCount), \.value.nonce, "DEFAULT x''", step: 21),
            Column("is_more_time", .flag, \.value.isMoreTime, "DEFAULT 0 CHECK (is_more_time IN (0, 1))", step: 22)),
        key: \.key, maximumCount: 100_000, entries: { $0.asks.inOrder.map { (key: $0.number, value: $0.ask) } },
        add: { records, entry in
            records.asks[entry.key] = entry.value
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

extension Format<AskChoice> {
    fileprivate static let choice = Format(
        .text, "a choice", value: { AskChoice(text: $0) }, base: { $0 == .unrecognized ? nil : $0.text })
}
