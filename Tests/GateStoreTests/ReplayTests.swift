import GateCore
import GateModel
import Testing

@testable import GateStore

@Suite("The store's records equal the core's after the same transitions")
struct ReplayTests {
    @Test("random changes of accounts, claims, customers and notifications give the same records", arguments: 1...20)
    func replay(seed: Int) throws {
        let scene = try Scene()
        var changes = RecordChanges(random: SplitMix(state: UInt64(seed)))
        var (store, records, _) = try scene.open()
        for _ in 0..<6 {
            for _ in 0..<10 {
                let transition = records.next((0..<changes.random.number(below: 5)).map { _ in changes.next() })
                try store.commit([transition])
                records.apply(transition)
            }
            store.close()
            let reopened = try scene.open()
            #expect(reopened.outcome == .opened)
            #expect(reopened.records == records)
            store = reopened.store
        }
        #expect(!records.people.isEmpty && !records.claims.isEmpty)
    }

    @Test(
        "random changes of drafts, answers, responses, attachments and release notes give the same records",
        arguments: 1...20)
    func replayForms(seed: Int) throws {
        let scene = try Scene()
        var changes = RecordChanges(random: SplitMix(state: UInt64(seed)))
        var (store, records, _) = try scene.open()
        // Whether some of each were there at any time.
        var (rows, responses, parts, news) = (false, false, false, false)
        for _ in 0..<6 {
            for _ in 0..<10 {
                let transition = records.next((0..<changes.random.number(below: 6)).map { _ in changes.nextOfForms() })
                try store.commit([transition])
                records.apply(transition)
                rows = rows || !records.draftRows.isEmpty
                responses = responses || !records.responses.isEmpty
                parts = parts || !records.parts.isEmpty
                news = news || !records.whatsNewSeen.isEmpty
            }
            store.close()
            let reopened = try scene.open()
            try #require(reopened.outcome == .opened)
            #expect(reopened.records == records)
            store = reopened.store
        }
        #expect(rows && responses && parts && news)
    }

    @Test("a reboot changes none of these records")
    func reboot() throws {
        let scene = try Scene()
        var (store, records, _) = try scene.open()
        let transition = records.next([
            .personSet(.anna, passwordHash: "$y$x"), .claimSet(.annasSubscription), .nextManualClaimSet(9),
            .customerHeard(appUser: "anna-17", at: WallTime(unixMilliseconds: 7)),
            .notificationTaken(id: "n-1", order: 3),
            .draftSet(.annasConsent, FormDraftRecord(revision: 2, openedAt: WallTime(unixMilliseconds: 7))),
            .draftRowSet(.annasConsent, .driversName, .answers([.string("Ben")])), .responseSet(.annasConsent),
            .nextResponseSet(2),
            .whatsNewSeen(WhatsNewKey(holder: .user(1000), app: "org.example.draw"), AppVersion(1, 2, 0)),
        ])
        try store.commit([transition])
        records.apply(transition)
        store.close()
        #expect(try scene.open(boot: "boot-2").records == records)
    }
}
