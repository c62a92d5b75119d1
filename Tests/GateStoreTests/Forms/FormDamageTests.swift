import GateCore
import GateModel
import SQLite
import Testing

@testable import GateStore

@Suite("Damage to forms in the store")
struct FormDamageTests {
    let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private static func response(_ edit: (inout ResponseRecord) -> Void) -> RecordChange {
        var record = ResponseRecord.annasConsent
        edit(&record)
        return .responseSet(record)
    }

    private static func part(_ edit: (inout PartRecord) -> Void) -> RecordChange {
        var part = PartRecord.annasPerson
        edit(&part)
        return .partSet(part)
    }

    private static func key(_ holder: FormHolder = .user(1000), _ name: String = "consent") -> FormDraftKey {
        FormDraftKey(holder: holder, name: name)
    }

    private static func draft(revision: UInt64) -> FormDraftRecord {
        FormDraftRecord(revision: revision, openedAt: WallTime(unixMilliseconds: 0))
    }

    private static let long = String(repeating: "x", count: 1025)

    @Test(
        "a change of a form that could not be read again is not written, and neither is the rest of its transition",
        arguments: [
            .draftSet(key(), draft(revision: 0)), .draftSet(key(), draft(revision: .max)),
            .draftSet(key(.account("")), draft(revision: 1)), .draftSet(key(.account(long)), draft(revision: 1)),
            .draftSet(key(.account("a\nb")), draft(revision: 1)), .draftSet(key(.user(1), ""), draft(revision: 1)),
            .draftSet(key(.user(1), long), draft(revision: 1)),
            .draftRowSet(key(), FormPath("a/b"), .instances(1)), .draftRowSet(key(), FormPath("a[1]"), .instances(1)),
            .draftRowSet(key(), FormPath(""), .instances(1)), .draftRowSet(key(), FormPath(long), .instances(1)),
            .draftRowSet(key(), FormPath([.init("a", 10_000)]), .instances(1)),
            .draftRowSet(key(), FormPath("a"), .instances(-1)),
            .draftRowSet(key(), FormPath("a"), .instances(10_001)),
            .draftRowSet(key(), FormPath("a"), .answers([])),
            .draftRowSet(key(), FormPath("a"), .answers([.coding(FormCoding())])),
            .draftRowSet(key(), FormPath("a"), .answers([.string("")])),
            .draftRowSet(key(), FormPath("a"), .answers([.string(String(repeating: "x", count: 4 << 20))])),
            response { $0.summary.id = 0 }, response { $0.summary.id = .max }, response { $0.summary.name = "" },
            response { $0.summary.version = long }, response { $0.summary.label = "a\nb" },
            .draftSet(FormDraftKey(holder: .user(1), name: "a", id: .max), draft(revision: 1)),
            .draftRowSet(FormDraftKey(holder: .user(1), name: "a", id: .max), FormPath("a"), .instances(1)),
            .draftSet(key(), FormDraftRecord(revision: 1, openedAt: WallTime(unixMilliseconds: 0), label: "a\nb")),
            response { $0.summary.holder = .account("") },
            part { $0.summary.id = 0 }, part { $0.summary.id = .max }, part { $0.summary.holder = .account("") },
            part { $0.summary.label = "a\nb" }, part { $0.content.definition = nil }, part { $0.content.linkID = "" },
            part { ($0.summary.definition, $0.content.definition) = (long, long) },
            part { $0.content.items[0].definition = "two words" },
            response { $0.response.items[0].linkID = "" },
            response { $0.response.items[0].items[0].answers = [QuestionnaireResponseAnswer(nil)] },
            .whatsNewSeen(WhatsNewKey(holder: .user(1), app: ""), AppVersion(1, 0, 0)),
            .whatsNewSeen(WhatsNewKey(holder: .account(""), app: "a"), AppVersion(1, 0, 0)),
        ] as [RecordChange])
    func unstorable(change: RecordChange) throws {
        let (store, records, _) = try scene.open()
        let transition = records.next([.responseSet(.annasConsent), change])
        #expect(throws: StoreError.self) { try store.commit([transition]) }
        store.close()
        let reopened = try scene.open()
        #expect(reopened.outcome == .opened)
        #expect(reopened.records == records)
    }

    private static let rows: [RecordChange] = [
        .draftSet(.annasConsent, draft(revision: 1)), .draftRowSet(.annasConsent, FormPath("driver"), .instances(2)),
        .draftRowSet(.annasConsent, .driversName, .answers([.string("Ben")])),
        .draftRowSet(.annasConsent, FormPath("price"), .entered([.integer(3)])), .responseSet(.annasConsent),
        .partSet(.annasPerson),
        .whatsNewSeen(WhatsNewKey(holder: .account("anna"), app: "org.example.draw"), AppVersion(1, 2, 0)),
    ]

    @Test(
        "every row of forms that Gate never writes is found as damage",
        arguments: [
            "UPDATE draft SET holder = 'anna'", "UPDATE draft SET holder = ''", "UPDATE draft SET holder = 'account:'",
            "UPDATE draft SET holder = 'account:' || printf('%01025d', 1)", "UPDATE draft SET holder = 'user:'",
            "UPDATE draft SET holder = 'user:-1'", "UPDATE draft SET holder = 'user:01'",
            "UPDATE draft SET holder = 'user:+1'", "UPDATE draft SET holder = 'user:4294967296'",
            "UPDATE draft SET holder = 'account:a' || char(10)", "UPDATE draft SET form = ''",
            "UPDATE draft SET form = printf('%01025d', 1)", "UPDATE draft SET revision = 0",
            "UPDATE draft SET revision = -1", "UPDATE draft SET revision = 9223372036854775807",
            "INSERT INTO draft (key, holder, form, revision, opened_at) VALUES ('a', 'account:K', 'a', 1, 1), ('b', 'account:\u{212A}', 'a', 1, 1)",
            "UPDATE draft SET id = 3", "UPDATE draft SET id = -1", "UPDATE draft SET id = 9223372036854775807",
            "UPDATE draft SET label = 'a' || char(10)", "UPDATE draft SET label = printf('%01025d', 1)",
            "UPDATE draft_row SET draft_id = 3", "UPDATE draft_row SET draft_id = -1", "UPDATE meta SET next_draft = 0",
            "UPDATE meta SET next_draft = 9223372036854775807", "UPDATE response SET label = char(27)",
            "UPDATE draft SET entered_revision = revision + 1",
            "UPDATE meta SET last_draft_revision = 9223372036854775807",
            "UPDATE draft SET key = 'a'", "UPDATE draft SET key = rtrim(key, char(10))",
            "UPDATE draft_row SET key = key || path", "UPDATE whats_new SET key = holder",
            "UPDATE draft_row SET holder = 'anna'", "UPDATE draft_row SET form = ''",
            "UPDATE draft_row SET path = '' WHERE answers NOT NULL",
            "UPDATE draft_row SET path = 'a//b' WHERE answers NOT NULL",
            "UPDATE draft_row SET path = 'a[01]' WHERE answers NOT NULL",
            "UPDATE draft_row SET path = 'a[10000]' WHERE answers NOT NULL",
            "UPDATE draft_row SET path = printf('%01025d', 1) WHERE answers NOT NULL",
            "UPDATE draft_row SET path = 'a]' WHERE answers NOT NULL",
            "INSERT INTO draft_row (key, holder, form, path, instances) VALUES ('a', 'user:1', 'a', 'K', 1), ('b', 'user:1', 'a', '\u{212A}', 1)",
            "UPDATE draft_row SET is_entered = 2 WHERE answers NOT NULL",
            "UPDATE draft_row SET is_entered = 1 WHERE instances NOT NULL",
            "UPDATE draft_row SET instances = -1 WHERE instances NOT NULL",
            "UPDATE draft_row SET instances = 10001 WHERE instances NOT NULL",
            "UPDATE draft_row SET instances = NULL WHERE instances NOT NULL",
            "UPDATE draft_row SET instances = 1 WHERE answers NOT NULL",
            "UPDATE draft_row SET answers = '' WHERE answers NOT NULL",
            "UPDATE draft_row SET answers = '[]' WHERE answers NOT NULL",
            "UPDATE draft_row SET answers = '{}' WHERE answers NOT NULL",
            "UPDATE draft_row SET answers = 'Ben' WHERE answers NOT NULL",
            "UPDATE draft_row SET answers = '[{\"valueBoolean\":1}]' WHERE answers NOT NULL",
            "UPDATE draft_row SET answers = substr(answers, 1, length(answers) - 1) WHERE answers NOT NULL",
            "UPDATE response SET id = 0", "UPDATE response SET id = -1", "UPDATE response SET id = 9223372036854775807",
            "UPDATE response SET holder = 'user:x'", "UPDATE response SET form = ''",
            "UPDATE response SET version = printf('%01025d', 1)", "UPDATE response SET status = 'done'",
            "UPDATE response SET response = ''", "UPDATE response SET response = '{}'",
            "UPDATE response SET response = '{\"resourceType\":\"Questionnaire\"}'",
            "UPDATE response SET response = replace(response, 'valueBoolean', 'valueBool')",
            "UPDATE response SET response = substr(response, 1, length(response) - 1)",
            "UPDATE part SET id = 0", "UPDATE part SET id = 9223372036854775807", "UPDATE part SET holder = 'anna'",
            "UPDATE part SET definition = ''", "UPDATE part SET definition = definition || '2'",
            "UPDATE part SET label = 'a' || char(10)", "UPDATE part SET is_named = 2", "UPDATE part SET content = '{}'",
            "UPDATE part SET content = replace(content, 'definition', 'text')",
            "UPDATE part SET content = (SELECT response FROM response)",
            "UPDATE meta SET next_part = 0", "UPDATE meta SET next_part = 9223372036854775807",
            "INSERT INTO attachment VALUES (zeroblob(31), x'01')",
            "INSERT INTO attachment VALUES (zeroblob(33), x'01')",
            "INSERT INTO attachment VALUES (zeroblob(32), zeroblob(16777217))",
            "UPDATE whats_new SET holder = 'x'", "UPDATE whats_new SET app = ''",
            "UPDATE whats_new SET version = '1.2'", "UPDATE whats_new SET version = 'new'",
            "UPDATE whats_new SET version = '01.2.0'",
            "INSERT INTO whats_new VALUES ('a', 'user:1', 'K', '1.0.0'), ('b', 'user:1', '\u{212A}', '1.0.0')",
        ])
    func foreignRows(sql: String) throws {
        let (store, records, _) = try scene.open()
        try store.commit([records.next(Self.rows)])
        store.close()
        try scene.withOtherProgram { other in
            try other.execute(sql: "PRAGMA ignore_check_constraints = 1")
            try other.execute(sql: sql)
            #expect(other.changesCount > 0, "or else nothing was damaged")
        }
        let outcome = try scene.open().outcome
        guard case .replacedDamaged = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    /// SQLite finds rows that break a constraint; this test removes the constraints.
    @Test("values of forms are checked even if their table has no checks")
    func withoutConstraints() throws {
        let edits: [(table: String, edit: String)] = [
            ("draft", "revision = 0"), ("draft", "revision = NULL"), ("draft", "opened_at = 'soon'"),
            ("draft", "id = NULL"), ("draft", "label = NULL"), ("draft_row", "draft_id = 'x'"),
            ("response", "label = NULL"), ("draft", "holder = NULL"), ("draft", "holder = x'ff'"),
            ("draft_row", "answers = NULL, instances = NULL"),
            ("draft_row", "answers = '[{\"valueBoolean\":true}]', instances = 1"),
            ("draft_row", "answers = NULL, instances = 'x'"), ("draft_row", "path = NULL"),
            ("draft_row", "answers = x'ff', instances = NULL"), ("response", "id = 0"), ("response", "id = NULL"),
            ("response", "response = NULL"), ("response", "response = x'ff'"), ("response", "status = NULL"),
            ("response", "saved_at = NULL"), ("part", "id = NULL"), ("part", "definition = NULL"),
            ("part", "label = NULL"), ("part", "is_named = NULL"), ("part", "saved_at = NULL"),
            ("part", "content = x'ff'"),
            ("attachment", "digest = NULL"), ("attachment", "digest = 'x'"),
            ("attachment", "bytes = NULL"), ("whats_new", "version = NULL"), ("whats_new", "version = x'ff'"),
        ]
        let digest = try #require(AttachmentDigest.sample(1))
        for (table, edit) in edits {
            let queue = try DatabaseQueue()
            try StoreSchema.migrator.migrate(queue)
            try queue.write { database in
                try RecordTables.meta.create(
                    DurableRecords(revision: Revision(epoch: 1, number: 1)), bootID: "b", in: database)
                for change in Self.rows + [.attachmentStored(digest, [1])] {
                    try RecordTables.apply(change, in: database)
                }
                _ = try RecordTables.load(from: database)
                try database.execute(sql: "CREATE TABLE free AS SELECT * FROM \(table)")
                try database.execute(sql: "UPDATE free SET \(edit)")
                try database.execute(sql: "DROP TABLE \(table); ALTER TABLE free RENAME TO \(table)")
            }
            #expect(throws: (any Error).self, "\(table): \(edit)") {
                try queue.read { try RecordTables.load(from: $0) }
            }
        }
    }
}
