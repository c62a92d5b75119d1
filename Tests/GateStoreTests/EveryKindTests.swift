import GateCore
import GateModel
import Testing

@testable import GateStore

/// A kind of record whose table is missing in the list of tables would be forgotten with each restart.
@Suite("Every kind of durable record")
struct EveryKindTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    /// At least one record of each kind. A new kind belongs in here.
    private static func changes() throws -> [RecordChange] {
        let opened = WallTime(unixMilliseconds: 1)
        let news = WhatsNewKey(holder: .user(1000), app: "org.example.draw")
        let receipt = KeptReceipt(
            number: 1, claim: "2000000000000001", part: .purchase, saidAt: opened,
            receipt: StoreReceipt(.notification, "a.b.c"))
        return [
            .lockoutSet(Lockout.key, .locked(until: Scene.now)), .damageSet(quarantinedFile: "gate.sqlite.damaged"),
            .nextPresentationSet(4),
            .keptGrantSet(KeptGrant.Key(uid: 1000, gatedAction: "link.open"), KeptGrant(deadline: Scene.now)),
            .passcodeSet(hash: "$y$x"), .totpSet(TOTPEnrolment(key: GateSecret([1, 2, 3]), usedStep: 4)),
            .personSet(.anna, passwordHash: "$y$z"), .claimSet(.annasSubscription), .nextManualClaimSet(2),
            .customerHeard(appUser: "anna-17", at: opened), .notificationTaken(id: "n-1", order: 1),
            .receiptSet(receipt), .draftSet(.annasOtherConsent, FormDraftRecord(revision: 4, openedAt: opened)),
            .draftRowSet(.annasOtherConsent, .driversName, .answers([.string("Ben")])), .responseSet(.annasConsent),
            .nextResponseSet(2), .partSet(.annasPerson), .appFormSet(.appsPlan(of: 1000, version: 1)),
            .attachmentStored(try #require(.sample(1)), [1, 2, 3]), .whatsNewSeen(news, AppVersion(1, 2, 0)),
            .householdSeen(at: opened), .answerToAskSet(try .tablets(12), try .yes(at: opened)),
            .gateChoiceSet(gatedAction: "link.open", notation: "{requires: {mode: parent}}"),
            .usageSet(UsageMeter(uid: 1002, .allowance("games")), day: 20_000, milliseconds: 1),
            .usageElsewhereSet(try .tablets(day: 20_000), milliseconds: 1),
            .ageSettingsSet(AgeSettings(isOn: true, gates: [8, 12])),
            .ageChoiceSet(AgeBook.Key(person: "mia", app: "chat"), .forNow(HalfYear(number: 4052))),
            .askSet(12, .mias(at: opened)), .askSet(13, .mias(at: opened)),
            .askSet(14, .forMoreTime(at: opened)),
            .keptGrantSet(
                KeptGrant.Key(uid: 1002, gatedAction: "link.open", ask: 13),
                KeptGrant(deadline: Scene.now, yes: .mias(from: opened))),
            .keptGrantSet(
                KeptGrant.Key(uid: 1002, gatedAction: "link.open", ask: 12),
                KeptGrant(deadline: .never, yes: .mias(from: opened, choice: .thisSite))),
        ]
    }

    @Test("a record of each kind is the same after a restart")
    func restarted() throws {
        var (store, records, _) = try scene.open()
        let empty = Mirror(reflecting: records)
        let transition = records.next(try Self.changes())
        try store.commit([transition])
        records.apply(transition)
        for (before, after) in zip(empty.children, Mirror(reflecting: records).children) {
            let isTried = String(reflecting: before.value) != String(reflecting: after.value)
            #expect(isTried, "the changes above have no record for '\(before.label ?? "")'")
        }
        store.close()
        #expect(try scene.open().records == records)
    }
}

extension RequestName {
    /// An ask of another device.
    static func tablets(_ number: UInt64) throws -> RequestName {
        RequestName(try #require(HouseholdID(String(repeating: "a", count: 32))), number)
    }
}

extension UsageElsewhere.Key {
    /// Mia's games on another device.
    static func tablets(_ person: String = "mia", day: Int64) throws -> UsageElsewhere.Key {
        UsageElsewhere.Key(
            device: try #require(HouseholdID(String(repeating: "a", count: 32))), person: person, allowance: "games",
            day: day)
    }
}

extension AnswerToAsk {
    static func yes(at time: WallTime) throws -> AnswerToAsk {
        AnswerToAsk(
            command: try #require(HouseholdID(String(repeating: "c", count: 32))),
            nonce: [UInt8](repeating: 7, count: HouseholdAsk.nonceByteCount), isAllowed: true,
            expires: time.advanced(by: .seconds(3600)), end: time.advanced(by: .seconds(3700)))
    }
}

extension AskRecord {
    /// Mia asks to open a page, and the question waits for three days.
    static func mias(at time: WallTime) -> AskRecord {
        let days = Duration.seconds(3 * 24 * 3600)
        return AskRecord(
            uid: 1002, person: "mia", gatedAction: "link.open", details: "https://example.org/ü", mark: "1f",
            askedAt: time, end: time.advanced(by: days), mayWait: days,
            nonce: [UInt8](repeating: 5, count: HouseholdAsk.nonceByteCount))
    }

    static func forMoreTime(at time: WallTime) -> AskRecord {
        var ask = mias(at: time)
        (ask.gatedAction, ask.details, ask.isMoreTime) = ("game.play", "15m", true)
        return ask
    }
}

extension KeptGrant.Yes {
    static func mias(from time: WallTime) -> KeptGrant.Yes {
        KeptGrant.Yes(
            details: "https://example.org/ü", person: "mia", mark: "1f", from: time,
            until: time.advanced(by: .seconds(3 * 24 * 3600)), uses: 1)
    }

    /// A yes that does not end, for any number of uses.
    static func mias(from time: WallTime, choice: AskChoice) -> KeptGrant.Yes {
        KeptGrant.Yes(
            details: "https://example.org/ü", choice: choice, person: "mia", mark: "1f", from: time, until: .never,
            uses: KeptGrant.Yes.anyNumber)
    }
}
