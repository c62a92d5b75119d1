import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A backup brings nobody onto the list of people whom a request could not put there")
struct RestoredPeopleTests {
    private typealias User = GatePerson.UnixUser

    private static let dad = GatePerson(name: "dad", kind: .grownUp, user: User(name: "dad", uid: 1001))
    /// The list of a new device, and that of one that has been set up.
    private static let lists: [[GatePerson]] = [[], [dad]]

    private func records(_ people: [GatePerson]) -> DurableRecords {
        var records = DurableRecords(revision: Revision(epoch: 9, number: 3))
        for person in people { records.people[person.name] = PersonRecord(person, passwordHash: nil) }
        return records
    }

    /// The list after a restore.
    private func people(_ here: DurableRecords, with backup: DurableRecords) -> [String: PersonRecord] {
        RestoreRules(current: here, now: WallTime(unixMilliseconds: 5)).merged(with: backup).people
    }

    private func people(_ here: [GatePerson], with backup: [GatePerson]) -> [String: GatePerson] {
        people(records(here), with: records(backup)).mapValues(\.person)
    }

    @Test(
        "Nobody comes who has a name that no request takes",
        arguments: ["", " mia", "mia ", "mia\n", "a\u{202E}b", String(repeating: "x", count: 65)], lists)
    func names(name: String, here: [GatePerson]) {
        let restored = people(
            here, with: [GatePerson(name: name, kind: .grownUp), GatePerson(name: "mum", kind: .grownUp)])
        #expect(restored["mum"] != nil && restored[name] == nil)
        #expect(restored.count == here.count + 1)
    }

    @Test(
        "A Unix user that can be nobody's stays out, and a shared entry with it",
        arguments: [
            User(name: "root", uid: 0), User(name: "nobody", uid: 65_534), User(name: "x", uid: .max),
            User(name: "x", uid: .max - 3), User(name: "x\u{202E}y", uid: 1500), User(name: " x", uid: 1500),
        ], lists)
    func users(user: GatePerson.UnixUser, here: [GatePerson]) {
        for kind in [GatePerson.Kind.grownUp, .child(born: nil)] {
            let restored = people(here, with: [GatePerson(name: "mum", kind: kind, user: user)])
            #expect(restored["mum"]?.kind == kind && restored["mum"]?.user == nil)
        }
        #expect(people(here, with: [GatePerson(name: "tv", kind: .shared, user: user)])["tv"] == nil)
        let possible = GatePerson(name: "tv", kind: .shared, user: User(name: "tv", uid: 1500))
        #expect(people(here, with: [possible])["tv"]?.user == possible.user)
    }

    @Test("No more people come than there is room for, and those who are here stay")
    func room() {
        let many = (1...600).map { GatePerson(name: "p\($0)", kind: .child(born: nil)) }
        #expect(people([], with: many).count == Limits.people)
        let here = [Self.dad, GatePerson(name: "zoe", kind: .grownUp)]
        let restored = people(here, with: many + [GatePerson(name: "zoe", kind: .child(born: nil))])
        #expect(restored.count == Limits.people && restored["dad"] == Self.dad && restored["zoe"]?.kind == .grownUp)
    }

    @Test("Somebody who is confirmed here gets no password of a time when they were not")
    func passwords() {
        func kim(_ hash: String, isConfirmed: Bool) -> DurableRecords {
            var records = records([])
            let person = GatePerson(name: "kim", kind: .child(born: nil), isConfirmed: isConfirmed)
            records.people["kim"] = PersonRecord(person, passwordHash: hash)
            return records
        }
        for (isConfirmedHere, wasConfirmed, hash) in [
            (true, false, "$here"), (true, true, "$backup"), (false, false, "$backup"), (false, true, "$backup"),
        ] {
            let restored = people(
                kim("$here", isConfirmed: isConfirmedHere), with: kim("$backup", isConfirmed: wasConfirmed))
            #expect(restored["kim"]?.passwordHash == hash)
            #expect(restored["kim"]?.person.isConfirmed == isConfirmedHere)
        }
    }

    @Test(
        "Somebody without a Unix user who came since the backup stays, so that nobody else gets what they bought since")
    func since() throws {
        var device = Device(configuration: .premium)
        try device.apply(.setPerson(Self.dad), as: .root)
        let backup = device.state.records
        let mia = GatePerson(name: "mia", kind: .child(born: nil))
        try device.apply(.register(mia, passwordHash: "$mia"), as: .root)
        try device.apply(.addClaim(entitlement: "premium", .account("mia"), until: nil), as: .root)
        try device.apply(.restore(backup, detail: "x"), as: .root)
        #expect(device.state.people.map(\.name) == ["dad", "mia"])
        #expect(device.state.records.people["mia"]?.passwordHash == "$mia")
        #expect(device.state.records.claims.values.map(\.holder) == [.account("mia")])
        #expect(device.refusal(.register(mia, passwordHash: "$other"), as: .root)?.reason == .exists)
        #expect(device.stored == device.state.records)
        // The next person with her name gets none of her purchases.
        try device.apply(.removePerson(name: "mia"), as: .root)
        try device.apply(.register(mia, passwordHash: "$other"), as: .root)
        #expect(device.state.records.claims.isEmpty)
    }

    @Test("Somebody who came from a backup holds no Unix user against the person for whom it is set")
    func heldUsers() throws {
        var device = Device(configuration: .premium)
        try device.apply(.setPerson(Self.dad), as: .root)
        let (ben, anna) = (User(name: "ben", uid: 1002), User(name: "anna", uid: 1003))
        let backup = records([
            GatePerson(name: "old", kind: .grownUp, user: ben), GatePerson(name: "tv", kind: .shared, user: anna),
        ])
        try device.apply(.restore(backup, detail: "x"), as: .root)
        #expect(device.state.people.filter { !$0.isConfirmed }.map(\.user) == [ben, anna])
        let mia = GatePerson(name: "mia", kind: .child(born: nil), user: ben)
        let entries = try device.apply(.setPerson(mia), as: .root).audit
        #expect(entries.map(\.detail) == ["old, grown-up", "mia, child, user ben"])
        try device.apply(.setPerson(GatePerson(name: "mum", kind: .grownUp, user: anna)), as: .root)
        let users = Dictionary(uniqueKeysWithValues: device.state.people.map { ($0.name, $0.user) })
        #expect(users == ["dad": Self.dad.user, "mia": ben, "mum": anna, "old": nil])
        #expect(device.state.people.first { $0.name == "old" }?.isConfirmed == false)
        #expect(device.stored == device.state.records)
        // A confirmed person's user is still nobody else's.
        #expect(device.refusal(.setPerson(GatePerson(name: "x", kind: .grownUp, user: ben)), as: .root) != nil)
    }
}
