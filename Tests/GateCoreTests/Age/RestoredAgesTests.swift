import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A restored backup lets no app know more than before (Y-02)")
struct RestoredAgesTests {
    private static let present = HalfYear(number: 4052)
    private static let choices: [AgeBook.Choice?] = [
        nil, .waiting, .always, .never, .forNow(present), .notNow(present),
    ]

    private static func records(
        _ settings: AgeSettings = AgeSettings(), _ choices: [AgeBook.Key: AgeBook.Choice] = [:],
        _ people: [GatePerson] = [GatePerson(name: "mia", kind: .child(born: nil))]
    ) -> DurableRecords {
        var records = DurableRecords(revision: Revision(epoch: 9, number: 3))
        for person in people { records.people[person.name] = PersonRecord(person, passwordHash: nil) }
        records.ages.settings = settings
        for (key, choice) in choices { records.ages[key] = choice }
        return records
    }

    private static func merged(_ here: DurableRecords, with backup: DurableRecords) -> AgeBook {
        RestoreRules(current: here, now: WallTime(unixMilliseconds: 5)).merged(with: backup).ages
    }

    private static let key = AgeBook.Key(person: "mia", app: "chat")

    @Test("whatever was chosen here and in the backup, no app is told that is told nothing now")
    func neverMore() {
        for here in Self.choices {
            for old in Self.choices {
                let merged = Self.merged(
                    Self.records(AgeSettings(), here.map { [Self.key: $0] } ?? [:]),
                    with: Self.records(AgeSettings(), old.map { [Self.key: $0] } ?? [:]))[Self.key]
                #expect(merged?.isYes != true || here?.isYes == true, "\(here as Any), \(old as Any)")
                // A refusal stays one, from wherever it comes.
                for refusal in [AgeBook.Choice.never, .notNow(Self.present)] where here == refusal || old == refusal {
                    #expect(merged == .never || merged == .notNow(Self.present))
                }
                if here == .never || old == .never { #expect(merged == .never) }
                // Nothing in the backup takes away what was chosen here, except a refusal.
                if old == nil || old?.isYes == true || old == .waiting {
                    #expect(merged == here ?? old.map { _ in .waiting })
                }
            }
        }
    }

    @Test("age ranges are on after a restore only if they are on here and in the backup; the gates are this device's")
    func settings() {
        for (here, old) in [(true, true), (true, false), (false, true), (false, false)] {
            let merged = Self.merged(
                Self.records(AgeSettings(isOn: here, gates: [8, 12])), with: Self.records(AgeSettings(isOn: old)))
            #expect(merged.settings == AgeSettings(isOn: here && old, gates: [8, 12]))
        }
    }

    @Test("a backup brings no app of somebody who is not on the list, with an impossible name, or beyond the limit")
    func impossible() {
        var choices: [AgeBook.Key: AgeBook.Choice] = [
            AgeBook.Key(person: "otto", app: "chat"): .never, AgeBook.Key(person: "tv", app: "chat"): .never,
            AgeBook.Key(person: "mia", app: ""): .never, AgeBook.Key(person: "mia", app: "a\nb"): .never,
            AgeBook.Key(person: "mia", app: String(repeating: "x", count: 65)): .never,
        ]
        let people = [
            GatePerson(name: "mia", kind: .child(born: nil)),
            GatePerson(name: "tv", kind: .shared, user: .init(name: "tv", uid: 1003)),
        ]
        #expect(Self.merged(Self.records(), with: Self.records(AgeSettings(), choices, people)).entries.isEmpty)
        choices = [:]
        for number in 0..<200 { choices[AgeBook.Key(person: "mia", app: "app \(number)")] = .never }
        let merged = Self.merged(
            Self.records(AgeSettings(), [Self.key: .always]), with: Self.records(AgeSettings(), choices))
        #expect(merged.entries.count == 128 && merged[Self.key] == .always)
    }

    @Test("on a new device the apps of a backup wait for an answer, and those that were refused are refused")
    func newDevice() throws {
        var device = Device(configuration: .gates)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        let old = Self.records(
            AgeSettings(isOn: true),
            [
                Self.key: .always, AgeBook.Key(person: "mia", app: "game"): .never,
                AgeBook.Key(person: "mia", app: "old"): .notNow(HalfYear(number: 4000)),
            ])
        try device.apply(.restore(old, detail: ""), as: .root)
        #expect(device.state.ageApps.map(\.choice) == [.ask, .never, .ask] && !device.state.ageSettings.isOn)
        #expect(device.stored == device.state.records && device.state.nextDeadline == nil)
    }
}
