import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A restored backup brings back what was, and no right that had ended (F-48, G-03)")
struct RestoreTests {
    private var device = Device(configuration: .gates)
    private let key = Lockout.Key(owner: .user(1002), gate: "mode")

    private func backup(_ change: (inout DurableRecords) -> Void = { _ in }) -> DurableRecords {
        var records = DurableRecords(revision: Revision(epoch: 9, number: 3))
        change(&records)
        return records
    }

    /// The records that are kept after this restore.
    private func merged(_ records: DurableRecords, with backup: DurableRecords, at wall: Int64 = 5) -> DurableRecords {
        RestoreRules(current: records, now: WallTime(unixMilliseconds: wall)).merged(with: backup)
    }

    @Test("it is decided for each kind of record where a restore takes it from")
    func everyKind() {
        // A new kind of record belongs into one of these lists and into the table of `RestoreRules`. What the rules
        // don't name comes from the backup.
        let fromHere: Set = ["revision", "household", "asks", "usageElsewhere"]
        let fromBackup: Set = [
            "passcodeHash", "receipts", "draftRows", "responses", "parts", "appForms", "attachments",
            "whatsNewSeen",
        ]
        let fromBoth: Set = [
            "lockouts", "totp", "people", "claims", "customers", "notifications", "drafts", "lastDraftRevision",
            "nextPresentation", "nextManualClaim", "nextDraft", "nextResponse", "nextPart", "gateChoices",
            "usage", "ages",
        ]
        let fromNeither: Set = ["quarantinedFile", "keptGrants"]
        let all = Mirror(reflecting: backup()).children.compactMap(\.label)
        #expect(Set(all) == fromHere.union(fromBackup).union(fromBoth).union(fromNeither))
    }

    @Test("a restored file lowers no gate that was chosen here; a device without choices takes the backup's (U-07)")
    func choices() {
        let low = backup { $0.gateChoices = ["a": "{requires: signed-in}", "b": "{requires: signed-in}"] }
        let here = backup { $0.gateChoices = ["a": "{requires: {challenge: passcode}}"] }
        #expect(merged(here, with: low).gateChoices == here.gateChoices)
        #expect(merged(backup(), with: low).gateChoices == low.gateChoices)
        #expect(merged(here, with: backup()).gateChoices == here.gateChoices)
    }

    private static func gate(_ requirement: Requirement, keep: Duration? = nil) -> GatedAction {
        GatedAction(title: "Gate", requirement: requirement, keep: keep)
    }

    private static func challenge(_ kind: Challenge.Kind) -> Requirement { .challenge(ChallengeRule(kind)) }

    @Test("a choice that was taken back here comes back from a backup only if it lowers nothing (U-07)")
    func takenBack() {
        var gates = Configuration.builtIn
        for name in ["lower", "same", "higher", "kept"] {
            gates.gatedActions[name] = Self.gate(Self.challenge(.arithmeticEntry), keep: .seconds(60))
        }
        let chosen = [
            "lower": Self.gate(Self.challenge(.confirm)), "higher": Self.gate(Self.challenge(.passcode)),
            "same": Self.gate(Self.challenge(.arithmeticEntry), keep: .seconds(60)),
            "kept": Self.gate(Self.challenge(.passcode), keep: .seconds(61)),
            "denied": Self.gate(Self.challenge(.passcode)),
            "gate.change": Self.gate(.all([Self.challenge(.passcode), Self.challenge(.totp)])),
        ]
        let old = backup { records in
            for name in chosen.keys { records.gateChoices[name] = "{}" }
            // It could not be read.
            records.gateChoices["unreadable"] = "{"
        }
        for here in [backup { $0.passcodeHash = "$p" }, backup { $0.gateChoices = ["mine": "{requires: signed-in}"] }] {
            let rules = RestoreRules(
                current: here, now: WallTime(unixMilliseconds: 5), gates: gates,
                choices: chosen.mapValues { .gate($0) })
            let merged = rules.merged(with: old).gateChoices
            #expect(merged.keys.sorted() == ["higher"] + here.gateChoices.keys + ["same"])
        }
        // Nothing is set up on this device.
        let new = RestoreRules(
            current: backup(), now: WallTime(unixMilliseconds: 5), gates: gates,
            choices: chosen.mapValues { .gate($0) })
        #expect(
            new.merged(with: old).gateChoices.keys.sorted()
                == ["denied", "higher", "kept", "lower", "same", "unreadable"])
    }

    @Test("an allowance or a schedule comes back from a backup if no gate needs it, or if it gives no more time (Z-07)")
    func takenBackTimes() {
        var gates = Configuration.builtIn
        gates.gatedActions["play"] = Self.gate(
            .any([
                .allowance(Allowance("longer", secondsOfDays: Array(repeating: 3600, count: 7))),
                .allowance(Allowance("shorter", secondsOfWeek: 3600)),
                .during(Schedule("wider", days: Array(repeating: [.init(900, 1000)], count: 7))),
                .during(Schedule("narrower", days: Array(repeating: [.init(900, 1000)], count: 7))),
            ]))
        let chosen: [String: ChosenRule] = [
            "allowance longer": .allowance(Allowance("longer", secondsOfDays: Array(repeating: 3601, count: 7))),
            "allowance shorter": .allowance(Allowance("shorter", secondsOfDays: [1], secondsOfWeek: 3600)),
            "allowance unused": .allowance(Allowance("unused", secondsOfWeek: 7200)),
            "schedule wider": .schedule(Schedule("wider", days: Array(repeating: [.init(900, 1001)], count: 7))),
            "schedule narrower": .schedule(Schedule("narrower", days: Array(repeating: [.init(950, 1000)], count: 7))),
            "schedule longer": .schedule(Schedule("longer", days: Array(repeating: [.init(0, 1440)], count: 7))),
        ]
        let old = backup { records in
            for name in chosen.keys { records.gateChoices[name] = "{}" }
            records.gateChoices["schedule unreadable"] = "{"
        }
        let here = backup { $0.passcodeHash = "$p" }
        let rules = RestoreRules(
            current: here, now: WallTime(unixMilliseconds: 5), gates: gates, choices: chosen)
        #expect(
            rules.merged(with: old).gateChoices.keys.sorted()
                == ["allowance shorter", "allowance unused", "schedule longer", "schedule narrower"])
    }

    @Test("an allowance gives no more than another one if each of its limits is no higher (Z-07)")
    func allowances() {
        func days(_ seconds: Int, week: Int? = nil, start: Int = 0) -> Allowance {
            Allowance("a", secondsOfDays: Array(repeating: seconds, count: 7), secondsOfWeek: week, dayStart: start)
        }
        let hour = days(3600)
        #expect(hour.givesNoMore(than: hour) && days(60).givesNoMore(than: hour))
        #expect(days(3600, week: 7200).givesNoMore(than: hour) && !hour.givesNoMore(than: days(3600, week: 7200)))
        #expect(!Allowance("a", secondsOfWeek: 60).givesNoMore(than: hour))
        // Without any limit there is no time at all.
        #expect(!hour.givesNoMore(than: Allowance("a")))
        #expect(!days(3600, start: 240).givesNoMore(than: hour))
    }

    @Test("a gate that offers more time than another one, or other amounts, asks less (Z-04)")
    func moreTime() {
        func gate(_ amounts: [AskChoice]) -> GatedAction {
            GatedAction(title: "Gate", requirement: .during(Schedule("hours")), moreTime: amounts)
        }
        let usual = gate(AskChoice.usualMoreTime)
        #expect(GateComparison.asks(gate([]), atLeast: usual) && GateComparison.asks(usual, atLeast: usual))
        #expect(GateComparison.asks(gate([.today]), atLeast: usual))
        #expect(!GateComparison.asks(usual, atLeast: gate([])) && !GateComparison.asks(usual, atLeast: gate([.today])))
        #expect(!GateComparison.asks(gate([.time(.seconds(60))]), atLeast: usual))
    }

    @Test("a backup brings no more choices than a device keeps")
    func manyChoices() {
        let old = backup { records in
            for number in 0..<1000 { records.gateChoices["gate.\(number)"] = "{}" }
        }
        #expect(merged(backup(), with: old).gateChoices.count == GateChange.maximumChoices)
    }

    @Test(
        "a gate asks at least what another one asks if every way through it leads through the other one",
        arguments: [
            (.parentMode, .parentMode, true), (challenge(.passcode), challenge(.confirm), true),
            (challenge(.confirm), challenge(.passcode), false), (.signedIn, challenge(.confirm), false),
            (challenge(.passcode), .parentMode, false),
            (challenge(.passcode), .any([.parentMode, challenge(.passcode)]), true),
            (.any([.parentMode, challenge(.passcode)]), challenge(.passcode), false),
            (.any([challenge(.passcode), challenge(.totp)]), challenge(.passcode), true),
            (.all([.signedIn, challenge(.passcode)]), challenge(.passcode), true),
            (challenge(.passcode), .all([.signedIn, challenge(.passcode)]), false),
            (.all([challenge(.totp), .signedIn]), .all([.signedIn, challenge(.passcode)]), true),
            (.all([.any([.parentMode, .signedIn]), .form("a")]), .any([.signedIn, .form("a")]), true),
            (
                .challenge(ChallengeRule(ChallengeSpecification(.confirm, answeredBy: .grownUp))),
                challenge(.arithmeticEntry), true
            ),
            (
                .challenge(ChallengeRule(ChallengeSpecification(.confirm, answeredBy: .grownUp))),
                challenge(.passcode), false
            ),
            (
                .challenge(
                    ChallengeRule(bands: [
                        .init(ages: 0...8, challenge: ChallengeSpecification(.passcode)),
                        .init(ages: 9...150, challenge: ChallengeSpecification(.confirm)),
                    ])), challenge(.arithmeticEntry), false
            ),
        ] as [(Requirement, Requirement, Bool)])
    func comparison(first: Requirement, second: Requirement, expected: Bool) {
        #expect(GateComparison.asks(Self.gate(first), atLeast: Self.gate(second)) == expected)
    }

    @Test("requirements that are nested deeply are compared in a bounded number of steps")
    func deepComparison() {
        var (first, second) = (Requirement.form("a"), Requirement.form("b"))
        for _ in 1...7 {
            (first, second) = (.all([first, first, first]), .any([second, second, second]))
        }
        #expect(!GateComparison.asks(Self.gate(first), atLeast: Self.gate(second)))
    }

    @Test("only an administrator makes a backup or restores one", arguments: [Peer.anna, .ben, .mara])
    mutating func permission(peer: Peer) throws {
        try device.enterParentMode(as: .anna)
        for command in [Command.backUp, .restore(backup(), detail: "")] {
            let before = device.state
            let refusal = try #require(device.refusal(command, as: peer))
            #expect(refusal.code == .permissionDenied)
            #expect(device.state == before)
        }
    }

    @Test("a backup is journalled, with who made it")
    mutating func backedUp() throws {
        let transition = try device.apply(.backUp, as: .root)
        #expect(transition.isChange && transition.records.isEmpty)
        #expect(device.journal.last?.kind == .backedUp && device.journal.last?.actor?.uid == 0)
    }

    @Test("the mode is child, grants are gone, questions are closed at no cost, and anyone who waits hears why")
    mutating func open() throws {
        try device.enterParentMode(as: .anna)
        let question = try device.apply(
            .authorize(AuthorizationRequest(gatedAction: "link.open", details: ""), presenting: .here), as: .ben
        ).presentation()
        let lockouts = device.state.records.lockouts
        try device.apply(.restore(backup(), detail: "of Gate 0.9.0"), as: .root)
        #expect(device.mode == .child)
        #expect(device.state.records.lockouts == lockouts)
        #expect(device.refusal(.complete(question.cookie, .text(question.question.solution)), as: .ben) != nil)
        #expect(device.journal.contains { $0.kind == .restored && $0.detail == "of Gate 0.9.0" })
        #expect(device.stored == device.state.records)
        // The device goes on as usual.
        try device.enterParentMode(as: .anna)
        #expect(device.mode == .parent)
    }

    @Test("after a restore no cookie works that the backed-up device has given out, or would have given out")
    mutating func cookies() throws {
        let old = backup { $0.nextPresentation = 40 }
        let question = try device.ask(as: .anna)
        try device.apply(.restore(old, detail: ""), as: .root)
        #expect(device.state.records.nextPresentation >= 40)
        #expect(device.refusal(.complete(question.cookie, .text("1")), as: .anna)?.code != nil)
        #expect(try device.ask(as: .anna).id >= 40)
    }

    @Test("revisions never go back after a restore, and continue here if the backup is of another store")
    mutating func revisions() throws {
        var same = backup { $0.revision = Revision(epoch: 1, number: 500) }
        #expect(try device.apply(.restore(same, detail: ""), as: .root).revision == Revision(epoch: 1, number: 501))
        same.revision.number = 2
        #expect(try device.apply(.restore(same, detail: ""), as: .root).revision == Revision(epoch: 1, number: 502))
        let other = backup { $0.revision = Revision(epoch: 9, number: 9000) }
        #expect(try device.apply(.restore(other, detail: ""), as: .root).revision == Revision(epoch: 1, number: 503))
        #expect(device.stored == device.state.records)
    }

    @Test("counters of ids take the larger value of backup and device")
    func counters() {
        let small = backup {
            ($0.nextPresentation, $0.nextResponse, $0.nextManualClaim, $0.lastDraftRevision) = (2, 3, 4, 5)
        }
        let large = backup {
            ($0.nextPresentation, $0.nextResponse, $0.nextManualClaim, $0.lastDraftRevision) = (20, 30, 40, 50)
        }
        for (current, backup) in [(small, large), (large, small)] {
            let merged = merged(current, with: backup)
            #expect(merged.nextPresentation == 20 && merged.nextResponse == 30)
            #expect(merged.nextManualClaim == 40 && merged.lastDraftRevision == 50)
        }
    }

    @Test("a restore keeps the stricter of both lockouts")
    func lockouts() {
        let long = Lockout(wrongAnswers: 3, unanswered: 0, lockedUntil: .seconds(900), lockDuration: .seconds(60))
        let strict = Lockout(wrongAnswers: 9, unanswered: 2, lockedUntil: nil, lockDuration: .seconds(30))
        for (current, old) in [(long, strict), (strict, long)] {
            let merged = merged(backup { $0.lockouts[key] = current }, with: backup { $0.lockouts[key] = old })
            #expect(
                merged.lockouts[key]
                    == Lockout(
                        wrongAnswers: 9, unanswered: 2, lockedUntil: .seconds(900), lockDuration: .seconds(60)))
        }
        #expect(merged(backup(), with: backup { $0.lockouts[key] = long }).lockouts[key] == long)
        #expect(merged(backup { $0.lockouts[key] = long }, with: backup()).lockouts[key] == long)
    }

    @Test("guesses at a secret stay counted, whatever the backup says")
    func guesses() {
        let strangers = Lockout.Key(owner: .strangers, gate: SecretBudget.gate(of: .passcode))
        func counted(_ count: Int) -> DurableRecords {
            backup {
                $0.lockouts[strangers] = Lockout(
                    wrongAnswers: count, unanswered: 0, lockedUntil: nil, lockDuration: .zero)
            }
        }
        #expect(merged(counted(400), with: counted(3)).lockouts[strangers]?.wrongAnswers == 400)
        #expect(merged(counted(3), with: counted(400)).lockouts[strangers]?.wrongAnswers == 400)
        #expect(merged(counted(400), with: backup()).lockouts[strangers]?.wrongAnswers == 400)
    }

    @Test("a lane that became the owner's own since the backup, or was so then, is no guest's afterwards")
    func lanes() throws {
        let lane = Lockout.Key(owner: .user(1002), gate: SecretBudget.gate(of: .passcode))
        func counter(_ wrongAnswers: Int, isGuests: Bool) -> Lockout {
            Lockout(wrongAnswers: wrongAnswers, unanswered: isGuests ? 1 : 0, lockedUntil: nil, lockDuration: .zero)
        }
        for (now, then, isGuests) in [(false, true, false), (true, false, false), (true, true, true)] {
            var current = DurableRecords(revision: Revision(epoch: 9, number: 3))
            current.lockouts[lane] = counter(12, isGuests: now)
            let merged = merged(current, with: backup { $0.lockouts[lane] = counter(3, isGuests: then) })
            #expect(merged.lockouts[lane] == counter(12, isGuests: isGuests))
        }
    }

    @Test("after a restore no authenticator's code can be used twice, even if the backup has another key")
    func codes() {
        let keys = [GateSecret([1]), GateSecret([2])]
        for key in keys {
            let current = backup { $0.totp = TOTPEnrolment(key: keys[0], usedStep: 900) }
            let old = backup { $0.totp = TOTPEnrolment(key: key, usedStep: 100) }
            #expect(merged(current, with: old).totp == TOTPEnrolment(key: key, usedStep: 900))
            #expect(merged(backup(), with: old, at: 30_000 * 500).totp == TOTPEnrolment(key: key, usedStep: 500))
            #expect(merged(current, with: old, at: .min).totp?.usedStep == 900)
        }
        #expect(merged(backup { $0.totp = TOTPEnrolment(key: keys[0], usedStep: 1) }, with: backup()).totp == nil)
    }

    @Test("a restore keeps revocations and newer statements, and purchases made since")
    func claims() {
        let claim = Claim(
            id: Claim.ID(.storeKit, "1"), holder: .device,
            purchase: ClaimedPurchase(
                item: "monthly", product: "monthly", purchasedAt: WallTime(unixMilliseconds: 1), expiresAt: nil,
                saidAt: WallTime(unixMilliseconds: 1)))
        var refunded = claim
        refunded.purchase.revokedAt = WallTime(unixMilliseconds: 7)
        refunded.purchase.saidAt = WallTime(unixMilliseconds: 7)
        var takenBack = claim
        takenBack.revokedHere = WallTime(unixMilliseconds: 8)
        for (current, old) in [(refunded, claim), (claim, refunded)] {
            let merged = merged(backup { $0.claims[claim.id] = current }, with: backup { $0.claims[claim.id] = old })
            #expect(merged.claims[claim.id]?.purchase == refunded.purchase)
        }
        for (current, old) in [(takenBack, claim), (claim, takenBack)] {
            let merged = merged(backup { $0.claims[claim.id] = current }, with: backup { $0.claims[claim.id] = old })
            #expect(merged.claims[claim.id]?.revokedHere != nil)
        }
        #expect(merged(backup { $0.claims[claim.id] = claim }, with: backup()).claims == [claim.id: claim])
    }

    @Test("receipts that were taken are not taken again")
    func replays() {
        let time = (WallTime(unixMilliseconds: 5), WallTime(unixMilliseconds: 9))
        let current = backup { ($0.customers, $0.notifications) = (["a": time.1, "b": time.0], ["n": 7]) }
        let old = backup { ($0.customers, $0.notifications) = (["a": time.0, "c": time.0], ["m": 3, "n": 2]) }
        let merged = merged(current, with: old)
        #expect(merged.customers == ["a": time.1, "b": time.0, "c": time.0])
        #expect(merged.notifications == ["m": 3, "n": 7])
        let many = Dictionary(uniqueKeysWithValues: (1...9000).map { ("n\($0)", UInt64($0)) })
        let kept = self.merged(current, with: backup { $0.notifications = many }).notifications
        #expect(kept.count == ClaimRules.maximumNotifications && kept["n9000"] != nil && kept["n1"] == nil)
    }

    @Test("a draft comes back with a revision that nobody has read, and documents that nothing names do not")
    func drafts() throws {
        let draft = FormDraftKey(holder: .user(1000), name: "consent")
        let current = backup {
            $0.lastDraftRevision = 70
            $0.drafts[draft] = FormDraftRecord(revision: 70, openedAt: WallTime(unixMilliseconds: 1))
        }
        let digest = try #require(AttachmentDigest(bytes: Array(repeating: 1, count: 32)))
        let old = backup {
            $0.lastDraftRevision = 12
            $0.drafts[draft] = FormDraftRecord(revision: 12, openedAt: WallTime(unixMilliseconds: 1))
            $0.attachments[digest] = 3
        }
        let merged = merged(current, with: old)
        #expect(merged.drafts[draft]?.revision == 71 && merged.drafts[draft]?.enteredRevision == 71)
        #expect(merged.lastDraftRevision == 71 && merged.attachments.isEmpty)
    }

    @Test("a restore ends kept grants of both, and opens a device that was closed for damage")
    mutating func grants() throws {
        let grant = KeptGrant.Key(uid: 1000, gatedAction: "link.open")
        let kept = backup { $0.keptGrants[grant] = KeptGrant(deadline: .seconds(9_000)) }
        #expect(merged(kept, with: kept).keptGrants.isEmpty)
        try device.apply(.closeForDamage(quarantinedFile: "/x"), as: .daemon)
        try device.apply(.restore(backup(), detail: ""), as: .root)
        #expect(device.state.records.quarantinedFile == nil)
    }
}
