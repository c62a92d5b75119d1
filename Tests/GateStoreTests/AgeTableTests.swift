import GateCore
import GateModel
import SQLite
import Testing

@testable import GateStore

@Suite("What grown-ups have chosen about age ranges, in the store (Y-02)")
struct AgeTableTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private static let present = HalfYear(number: 4052)

    private static func key(_ app: String, of person: String = "mia") -> AgeBook.Key {
        AgeBook.Key(person: person, app: app)
    }

    private func commit(_ changes: [[RecordChange]]) throws -> DurableRecords {
        var (store, records, _) = try scene.open()
        for changes in changes {
            let transition = records.next(changes)
            try store.commit([transition])
            records.apply(transition)
        }
        store.close()
        return records
    }

    @Test("each choice, and the settings, outlive the daemon and the device")
    func restarted() throws {
        let choices: [AgeBook.Choice] = [
            .waiting, .always, .never, .forNow(Self.present), .notNow(HalfYear(number: -3)),
        ]
        let records = try commit([
            choices.enumerated().map { .ageChoiceSet(Self.key("app \($0)"), $1) } + [
                .ageSettingsSet(AgeSettings(isOn: true, gates: [2, 25])),
                .ageChoiceSet(Self.key("app 0", of: "mum"), .never),
            ],
            [.ageChoiceSet(Self.key("app 1"), .never), .ageSettingsSet(AgeSettings(isOn: true, gates: [7]))],
        ])
        #expect(records.ages.entries.count == 6 && records.ages[Self.key("app 1")] == .never)
        for boot in ["boot-1", "boot-2"] {
            let found = try scene.open(boot: boot)
            #expect(found.records.ages == records.ages)
            #expect(found.records.ages.settings == AgeSettings(isOn: true, gates: [7]))
            found.store.close()
        }
    }

    @Test("a choice that is removed leaves no row, in whatever bytes the app spelled its name")
    func removed() throws {
        let records = try commit([
            [.ageChoiceSet(Self.key("caf\u{E9}"), .always), .ageChoiceSet(Self.key("chat"), .always)],
            [.ageChoiceSet(Self.key("cafe\u{301}"), .never)], [.ageChoiceRemoved(Self.key("chat"))],
        ])
        #expect(records.ages.entries.map(\.value) == [.never])
        let (store, found, _) = try scene.open()
        #expect(found.ages == records.ages)
        #expect(try store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM age_choice") } == 1)
        store.close()
    }

    @Test(
        "a row that Gate never writes is damage",
        arguments: [
            "INSERT INTO age_choice VALUES ('mia', 'chat', 'sometimes', NULL)",
            "INSERT INTO age_choice VALUES ('mia', '', 'always', NULL)",
            "INSERT INTO age_choice VALUES ('mia', 'a' || char(10), 'always', NULL)",
            "UPDATE meta SET age_settings = 'on 13 14'", "UPDATE meta SET age_settings = 'maybe 13'",
            "UPDATE meta SET age_settings = 'on'", "UPDATE meta SET age_settings = 'on 13 x'",
        ])
    func damaged(statement: String) throws {
        try scene.open().store.close()
        try scene.withOtherProgram { try $0.execute(sql: statement) }
        let (store, records, outcome) = try scene.open()
        #expect(outcome != .opened && records.ages == AgeBook())
        store.close()
    }

    @Test("the table refuses a choice for now without an end, and an end of another choice")
    func checked() throws {
        try scene.open().store.close()
        for values in ["'for-now', NULL", "'always', 4052"] {
            #expect(throws: (any Error).self) {
                try scene.withOtherProgram {
                    try $0.execute(sql: "INSERT INTO age_choice VALUES ('mia', 'chat', \(values))")
                }
            }
        }
    }
}
