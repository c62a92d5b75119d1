import GateCore
import GateModel
import Testing

@testable import GateStore
@testable import SQLite

@Suite("Forms, and which news were seen, are kept")
struct FormTests {
    let scene: Scene

    init() throws {
        scene = try Scene()
    }

    /// Commits each, and opens the store anew after it.
    private func commit(_ batches: [[RecordChange]]) throws -> DurableRecords {
        var (store, records, _) = try scene.open()
        for changes in batches {
            let transition = records.next(changes)
            try store.commit([transition])
            records.apply(transition)
            store.close()
            let reopened = try scene.open()
            try #require(reopened.outcome == .opened)
            #expect(reopened.records == records)
            store = reopened.store
        }
        store.close()
        return records
    }

    private static func draft(_ revision: UInt64) -> FormDraftRecord {
        FormDraftRecord(revision: revision, openedAt: WallTime(unixMilliseconds: 1_767_225_600_000))
    }

    @Test("a draft comes back and replaces the one before, for each holder separately")
    func drafts() throws {
        let records = try commit([
            [.draftSet(.annasConsent, Self.draft(1)), .draftSet(.usersConsent, Self.draft(1))],
            [.draftSet(.annasConsent, Self.draft(2))],
            [.draftSet(FormDraftKey(holder: .account("anna"), name: "profile"), Self.draft(9))],
            [.draftRemoved(.usersConsent), .draftRemoved(FormDraftKey(holder: .user(0), name: "never"))],
        ])
        #expect(records.drafts.count == 2)
        #expect(records.drafts[.annasConsent]?.revision == 2)
    }

    @Test("a form that an app brought comes back and replaces the one before, for each user separately (F-85)")
    func appForms() throws {
        let records = try commit([
            [.appFormSet(.appsPlan(of: 1000, version: 1)), .appFormSet(.appsPlan(of: 1001, version: 1))],
            [.appFormSet(.appsPlan(of: 1000, version: 2))],
            [.appFormRemoved(name: "plan@1001"), .appFormRemoved(name: "never@7")],
        ])
        #expect(records.appForms == ["plan@1000": .appsPlan(of: 1000, version: 2)])
    }

    @Test(
        "an app's form that only another version accepts is skipped, and is no damage (F-85)")
    func appFormOfAnotherVersion() throws {
        _ = try commit([[.appFormSet(.appsPlan(of: 1000, version: 1)), .appFormSet(.appsPlan(of: 1001, version: 1))]])
        try scene.withOtherProgram { database in
            try database.execute(
                sql:
                    "UPDATE app_form SET questionnaire = replace(questionnaire, 'string', 'rocket') WHERE name = 'plan@1000'"
            )
        }
        let reopened = try scene.open()
        #expect(reopened.outcome == .opened)
        #expect(reopened.records.appForms == ["plan@1001": .appsPlan(of: 1001, version: 1)])
    }

    @Test("answers of every type come back as they were", arguments: SampleAnswers.all)
    func answers(values: [FormValue]) throws {
        let records = try commit([
            [.draftRowSet(.annasConsent, .driversName, .answers([.boolean(true)]))],
            [.draftRowSet(.annasConsent, .driversName, .answers(values))],
        ])
        #expect(records.draftRows == [.annasConsent: [.driversName: .answers(values)]])
    }

    @Test("rows of a draft are written and removed one by one, and all are removed with their draft")
    func rows() throws {
        let driver = FormPath("driver")
        let records = try commit([
            [
                .draftSet(.annasConsent, Self.draft(1)), .draftRowSet(.annasConsent, driver, .instances(2)),
                .draftRowSet(.annasConsent, .driversName, .answers([.string("Ben")])),
                .draftRowSet(.usersConsent, .driversName, .answers([.string("Tom")])),
            ],
            [.draftRowRemoved(.annasConsent, .driversName), .draftRowRemoved(.annasConsent, FormPath("never"))],
            [.draftRowSet(.annasConsent, driver, .instances(3))],
            [.draftRowRemoved(.annasConsent, driver), .draftRowSet(.annasConsent, .driversName, .instances(1))],
            [.draftRemoved(.annasConsent)],
        ])
        #expect(records.draftRows == [.usersConsent: [.driversName: .answers([.string("Tom")])]])
    }

    @Test("several drafts of one form come back with their ids, rows and labels, and are removed one by one (F-84)")
    func manyDrafts() throws {
        let second = FormDraftKey(holder: .account("anna"), name: "consent", id: 2)
        let other = FormDraftKey(holder: .account("anna"), name: "consent", id: 22)
        var labelled = Self.draft(3)
        labelled.label = "Anna, Golf"
        var kept = ResponseRecord.annasConsent
        kept.summary.label = "Anna, Golf"
        let records = try commit([
            [.draftSet(.annasConsent, Self.draft(1)), .draftRowSet(.annasConsent, .driversName, .instances(1))],
            [.draftSet(second, Self.draft(2)), .draftRowSet(second, .driversName, .answers([.string("Ben")]))],
            [.draftSet(other, labelled), .draftRowSet(other, .driversName, .instances(3)), .responseSet(kept)],
            [.draftRowSet(second, FormPath("driver"), .instances(2)), .draftRowRemoved(second, .driversName)],
            [.draftRemoved(.annasConsent)],
        ])
        #expect(records.drafts == [second: Self.draft(2), other: labelled] && records.nextDraft == 23)
        #expect(
            records.draftRows == [second: [FormPath("driver"): .instances(2)], other: [.driversName: .instances(3)]])
        #expect(records.responses[1]?.summary.label == "Anna, Golf")
        let without = try commit([[.draftRemoved(other)]])
        #expect(without.nextDraft == 23, "no id comes again")
    }

    @Test("responses come back whole and replace earlier ones, and their ids continue")
    func responses() throws {
        var withdrawn = ResponseRecord.annasConsent
        withdrawn.summary.status = .enteredInError
        withdrawn.response.status = .enteredInError
        var other = ResponseRecord.annasConsent
        other.summary.id = 2
        other.summary.version = nil
        other.summary.holder = .user(4_294_967_295)
        other.response = QuestionnaireResponse(status: .inProgress)
        let records = try commit([
            [.responseSet(.annasConsent), .nextResponseSet(2)], [.responseSet(other), .nextResponseSet(3)],
            [.responseSet(withdrawn)], [.responseRemoved(2), .responseRemoved(17)],
        ])
        #expect(records.responses == [1: withdrawn])
        #expect(records.nextResponse == 3)
    }

    @Test("each version that was seen comes back until its app's versions are forgotten")
    func whatsNew() throws {
        let annas = WhatsNewKey(holder: .account("anna"), app: "org.example.draw")
        let users = WhatsNewKey(holder: .user(1000), app: "org.example.draw")
        let records = try commit([
            [.whatsNewSeen(annas, AppVersion(1, 2, 0)), .whatsNewSeen(users, AppVersion(1, 2, 0))],
            [.whatsNewSeen(annas, AppVersion(1, 2, 0)), .whatsNewSeen(annas, AppVersion(.max, 0, .max))],
            [.whatsNewForgotten(users), .whatsNewForgotten(WhatsNewKey(holder: .user(1), app: "never"))],
        ])
        #expect(records.whatsNewSeen == [annas: [AppVersion(1, 2, 0), AppVersion(.max, 0, .max)]])
    }

    @Test("a name in another spelling of the same letters is the same name")
    func spellings() throws {
        let (composed, decomposed) = ("zo\u{EB}", "zoe\u{308}")
        let records = try commit([
            [
                .draftSet(FormDraftKey(holder: .account(composed), name: "K"), Self.draft(1)),
                .draftRowSet(
                    FormDraftKey(holder: .account(composed), name: "K"), FormPath(composed), .instances(1)),
                .whatsNewSeen(WhatsNewKey(holder: .account(composed), app: "a"), AppVersion(1, 0, 0)),
            ],
            [
                .draftSet(FormDraftKey(holder: .account(decomposed), name: "\u{212A}"), Self.draft(2)),
                .draftRowSet(
                    FormDraftKey(holder: .account(decomposed), name: "\u{212A}"), FormPath(decomposed), .instances(2)),
                .whatsNewSeen(WhatsNewKey(holder: .account(decomposed), app: "a"), AppVersion(1, 0, 0)),
            ],
        ])
        #expect(records.drafts.count == 1 && records.draftRows.values.map(\.count) == [1])
        let emptied = try commit([
            [
                .draftRemoved(FormDraftKey(holder: .account(composed), name: "K")),
                .whatsNewForgotten(WhatsNewKey(holder: .account(composed), app: "a")),
            ]
        ])
        #expect(emptied.drafts.isEmpty && emptied.draftRows.isEmpty && emptied.whatsNewSeen.isEmpty)
    }

    @Test("two texts have the same key if and only if Swift finds them equal, for each character of Unicode")
    func keys() {
        var keys: [String: [UInt8]] = [:]
        var different: [String] = []
        for scalar in (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init) {
            let text = String(scalar)
            let key = StoredKey.normalised(text)
            if key != text || keys[text] ?? Array(key.utf8) != Array(key.utf8) { different.append(text) }
            keys[text] = Array(key.utf8)
        }
        #expect(different.isEmpty)
        // Marks in whatever order, and those that meet where texts do.
        #expect(StoredKey("zoe\u{308}\u{323}").text.utf8.elementsEqual(StoredKey("zoe\u{323}\u{308}").text.utf8))
        #expect(StoredKey("e", "\u{308}") != StoredKey("e\u{308}", ""))
    }

    @Test("a row in any spelling is written and removed without reading other rows")
    func searches() throws {
        let paths = (0..<20).map { FormPath([FormPath.Step("Stra\u{DF}e", $0), FormPath.Step("zoe\u{308}")]) }
        let (store, records, _) = try scene.open()
        try store.commit([records.next(paths.map { .draftRowSet(.annasConsent, $0, .instances(1)) })])
        store.close()
        try scene.withOtherProgram { other in
            let whatsNew = WhatsNewKey(holder: .account("zo\u{EB}"), app: "\u{212A}")
            let draftRows = RecordTables.draftRows
            try draftRows.set(.instances(2), for: DraftRowKey(.annasConsent, paths[3]), in: other)
            try draftRows.remove(DraftRowKey(.annasConsent, paths[4]), in: other)
            try RecordTables.whatsNewSeen.set((), for: (whatsNew, AppVersion(1, 0, 0)), in: other)
            try RecordTables.whatsNewSeen.remove((whatsNew, AppVersion(2, 0, 0)), in: other)
            try StoredKey(.annasConsent).deleteAll(from: "draft_row", in: other)
            // Writes by key use statements that are cached.
            let written = other.statements.keys.map(\.sql)
            #expect(written.count == 5)
            for sql in written {
                let count = sql.count { $0 == "?" }
                let plan = try Row.fetchAll(
                    other, sql: "EXPLAIN QUERY PLAN \(sql)",
                    arguments: StatementArguments(repeating: "x", count: count))
                let details = plan.compactMap { String.fromDatabaseValue($0[3]) }
                #expect(details.count == plan.count && !details.contains { $0.hasPrefix("SCAN") }, "\(sql)")
            }
            #expect(try Int.fetchOne(other, sql: "SELECT count(*) FROM draft_row") == 0)
        }
    }

    @Test("removing a draft removes its rows, and none of drafts with similar names")
    func neighbours() throws {
        let holder = FormHolder.account("anna")
        let names = ["a", "a\u{308}", "ab", "a!", "a-"]
        let records = try commit([
            names.map { .draftRowSet(FormDraftKey(holder: holder, name: $0), FormPath("b"), .instances(1)) },
            [.draftRowRemoved(FormDraftKey(holder: holder, name: "a\nb"), FormPath("c"))],
            [.draftRemoved(FormDraftKey(holder: holder, name: "a"))],
        ])
        #expect(records.draftRows.count == 4)
    }
}
