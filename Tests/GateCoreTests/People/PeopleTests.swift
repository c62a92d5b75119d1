import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("The list of people says who is a grown-up and who is a child, and whose questions are whose")
struct PeopleTests {
    /// Ben's user is Mia's: she is seven, and may answer a sum.
    private static let mia = GatePerson(
        name: "mia", kind: .child(born: CivilDate(year: 2018, month: 5, day: 14)),
        user: GatePerson.UnixUser(name: "ben", uid: Peer.ben.uid))

    /// The first of January 2026.
    private func device(_ people: GatePerson...) throws -> Device {
        var device = Device(configuration: .premium)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        try device.apply(.setPasscode(hash: "$p"), as: .root)
        for person in people { try device.apply(.setPerson(person), as: .root) }
        let users = device.state.people.compactMap(\.user?.uid)
        try device.apply(.usersChecked(recognized: Set(users)), as: .daemon)
        return device
    }

    private func asked(_ device: inout Device, _ peer: Peer) throws -> Challenge.Kind? {
        let question = try device.authorize("by.age", as: peer).presentation()
        let kind = question.question.kind
        try device.apply(.dismiss(question.cookie), as: peer)
        try device.apply(.clearLockouts(uid: nil, gate: nil), as: .root)
        return kind
    }

    // MARK: - Ages

    @Test("A child's age chooses the question for the programs of the child's user, and for nobody else's")
    func age() throws {
        var device = try device(Self.mia)
        #expect(try asked(&device, .ben) == .arithmeticChoice)
        #expect(try asked(&device, .anna) == .passcode)
        let container = Peer(connection: 20, uid: 200_000, owner: .user(Peer.ben.uid), pid: 9, roles: .app)
        #expect(try asked(&device, container) == .arithmeticChoice, "a uid of her range is hers, too")
    }

    @Test("Whoever is signed in, a person's own user is asked by the person's own age")
    func ownAgeComesFirst() throws {
        var device = try device(Self.mia)
        try device.register("otto", .child(born: CivilDate(year: 2012, month: 1, day: 1)))
        try device.logIn("otto", as: .anna)
        #expect(try asked(&device, .ben) == .arithmeticChoice)
        try device.apply(.logOut, as: .anna)
        var otto = GatePerson(
            name: "otto", kind: .child(born: CivilDate(year: 2012, month: 1, day: 1)),
            user: GatePerson.UnixUser(name: "anna", uid: Peer.anna.uid))
        try device.register("little", .child(born: CivilDate(year: 2020, month: 1, day: 1)))
        try device.apply(.setPerson(otto), as: .root)
        try device.apply(.usersChecked(recognized: [Peer.anna.uid, Peer.ben.uid]), as: .daemon)
        try device.logIn("little", as: .anna)
        #expect(
            try asked(&device, .anna) == .passcode,
            "an older child gets no easier question by signing in as a younger one")
        otto.kind = .grownUp
        try device.apply(.setPerson(otto), as: .root)
        #expect(try asked(&device, .anna) == .passcode)
    }

    @Test("A person's own user stays the person's while it is not recognized, whoever is signed in")
    func unrecognized() throws {
        var device = try device(Self.mia)
        try device.register("little", .child(born: CivilDate(year: 2020, month: 1, day: 1)))
        try device.logIn("little", as: .anna)
        try device.apply(.usersChecked(recognized: []), as: .daemon)
        let container = Peer(connection: 20, uid: 200_000, owner: .user(Peer.ben.uid), pid: 9, roles: .app)
        #expect(try asked(&device, .anna) == .arithmeticChoice)
        #expect(try asked(&device, .ben) == .passcode, "nobody knows how old that is")
        #expect(try asked(&device, container) == .passcode)
        #expect(device.state.holder(of: .anna) == .account("little"))
        #expect(device.state.holder(of: .ben) == .user(Peer.ben.uid))
    }

    @Test("A day of birth that is still to come makes nobody a newborn when the clock is set back")
    func unborn() throws {
        var device = try device(Self.mia)
        let ages: [(year: Int, day: Int, age: Int?)] = [
            (2018, 14, 0), (2018, 13, nil), (2168, 14, 150), (2169, 13, 150), (2169, 14, nil),
        ]
        for (year, day, age) in ages {
            let today = try #require(CivilDate(year: year, month: 5, day: day))
            #expect(Self.mia.age(on: today) == age)
        }
        device.wallTime = WallTime(unixMilliseconds: 0)
        #expect(try asked(&device, .ben) == .passcode)
    }

    @Test("A child without a date of birth is asked the sturdiest question")
    func unknownAge() throws {
        var mia = Self.mia
        mia.kind = .child(born: nil)
        var device = try device(mia)
        #expect(try asked(&device, .ben) == .passcode)
    }

    @Test("On a shared user, and on one that is nobody's, whoever is signed in is asked")
    func shared() throws {
        var device = try device(
            GatePerson(name: "tv", kind: .shared, user: GatePerson.UnixUser(name: "ben", uid: Peer.ben.uid)))
        try device.register("mia", Self.mia.kind)
        #expect(try asked(&device, .ben) == .passcode)
        try device.logIn("mia", as: .ben)
        #expect(try asked(&device, .ben) == .arithmeticChoice)
        #expect(try asked(&device, .anna) == .arithmeticChoice)
    }

    @Test(
        "What is filled in with a person's own user is that user's, whoever is signed in; on a shared user it is theirs"
    )
    func holder() throws {
        var device = try device(
            Self.mia, GatePerson(name: "tv", kind: .shared, user: GatePerson.UnixUser(name: "anna", uid: Peer.anna.uid))
        )
        try device.register("kim")
        try device.logIn("kim", as: .anna)
        #expect(device.state.holder(of: .ben) == .user(Peer.ben.uid))
        #expect(device.state.holder(of: .anna) == .account("kim"))
        #expect(device.state.holder(of: .mara) == .account("kim"))
    }

    // MARK: - Users

    @Test("A person is recognized only while the user database gives the uid the person's name")
    func recognized() throws {
        var device = try device(Self.mia)
        #expect(device.state.kind(ofUser: Peer.ben.uid) == Self.mia.kind)
        try device.apply(.usersChecked(recognized: []), as: .daemon)
        #expect(device.state.kind(ofUser: Peer.ben.uid) == nil)
        #expect(try asked(&device, .ben) == .passcode)
        // After a start, nobody is recognized before the database was asked.
        try device.apply(.usersChecked(recognized: [Peer.ben.uid]), as: .daemon)
        try device.apply(.start, as: .daemon)
        #expect(device.state.kind(ofUser: Peer.ben.uid) == nil)
    }

    @Test("Another user for a person is not recognized before the database was asked for it")
    func anotherUser() throws {
        var device = try device(Self.mia)
        var mia = Self.mia
        mia.user = GatePerson.UnixUser(name: "other", uid: Peer.ben.uid)
        try device.apply(.setPerson(mia), as: .root)
        #expect(device.state.kind(ofUser: Peer.ben.uid) == nil)
    }

    @Test("Two spellings of a name are two users, as for the system")
    func spelledUser() throws {
        let (one, other) = ("jos\u{E9}", "jose\u{301}")
        #expect(one == other && GatePerson.UnixUser(name: one, uid: 7) != GatePerson.UnixUser(name: other, uid: 7))
        var dad = GatePerson(name: "dad", kind: .grownUp, user: GatePerson.UnixUser(name: one, uid: Peer.anna.uid))
        var device = try device(dad)
        #expect(device.state.kind(ofUser: Peer.anna.uid) == .grownUp)
        dad.user?.name = other
        try device.apply(.setPerson(dad), as: .root)
        #expect(device.state.people.first?.user == dad.user)
        #expect(device.state.kind(ofUser: Peer.anna.uid) == nil, "the database was not asked for that name")
    }

    @Test(
        "Users who stand for the system or for anybody are no person's", arguments: [0, 65_534, UInt32.max - 3, .max])
    func systemUsers(uid: UInt32) throws {
        let device = try device()
        for kind in [GatePerson.Kind.grownUp, .child(born: nil), .shared] {
            let person = GatePerson(name: "dad", kind: kind, user: GatePerson.UnixUser(name: "x", uid: uid))
            let refusal = device.refusal(.setPerson(person), as: .root)
            #expect(refusal?.parameters["field"] == "person.user.uid" && refusal?.parameters["user"] == "x")
        }
    }

    @Test("A Unix user belongs to one person")
    func oneUser() throws {
        let device = try device(Self.mia)
        let thief = GatePerson(name: "dad", kind: .grownUp, user: Self.mia.user)
        let refusal = device.refusal(.setPerson(thief), as: .root)
        #expect(refusal?.code == .invalidArgument && refusal?.parameters["field"] == "person.user")
        #expect(device.state.kind(ofUser: Peer.ben.uid) == Self.mia.kind)
    }

    @Test("Nobody who is only a uid in somebody's range is a grown-up")
    func rangeHasNoRole() throws {
        let device = try device(GatePerson(name: "dad", kind: .grownUp, user: Self.mia.user))
        #expect(device.state.kind(ofUser: Peer.ben.uid) == .grownUp)
        #expect(device.state.kind(ofUser: 200_000) == nil)
    }

    // MARK: - Who may change the list

    @Test("Only administrators set people; in parent mode others remove only children without a user")
    func whoMay() throws {
        var device = try device(Self.mia)
        try device.register("kim", .child(born: nil))
        try device.apply(.override(.parent, nil, reason: "x"), as: .root)
        for peer in [Peer.anna, .ben, .mara, .olga, .shop] {
            let dad = GatePerson(name: "dad", kind: .grownUp, user: GatePerson.UnixUser(name: "x", uid: peer.uid))
            #expect(device.refusal(.setPerson(dad), as: peer)?.code == .permissionDenied)
            #expect(device.refusal(.usersChecked(recognized: [peer.uid]), as: peer)?.code == .permissionDenied)
        }
        for command in [
            Command.removePerson(name: "mia"), .setPassword(name: "mia", hash: "$x"),
        ] {
            #expect(device.refusal(command, as: .ben)?.parameters["what"] == "grown-ups-account")
        }
        try device.apply(.removePerson(name: "kim"), as: .ben)
        try device.apply(.removePerson(name: "mia"), as: .root)
        #expect(device.state.people.isEmpty && device.stored == device.state.records)
    }

    @Test("A name that is registered in parent mode takes nobody's user, and is nobody on the list already")
    func registeredName() throws {
        var device = try device(Self.mia)
        try device.apply(.override(.parent, nil, reason: "x"), as: .root)
        let mia = GatePerson(name: "mia", kind: .grownUp)
        #expect(device.refusal(.register(mia, passwordHash: "$x"), as: .ben)?.reason == .exists)
        let dad = GatePerson(name: "dad", kind: .grownUp, user: GatePerson.UnixUser(name: "anna", uid: Peer.anna.uid))
        try device.apply(.register(dad, passwordHash: "$x"), as: .ben)
        #expect(device.state.people.first { $0.name == "dad" }?.user == nil)
    }

    // MARK: - What is set

    @Test("Setting a confirmed person keeps the password, and is told in the journal without the birthday")
    func set() throws {
        var device = try device()
        try device.register("mia")
        try device.logIn("mia", as: .ben)
        let entries = try device.apply(.setPerson(Self.mia), as: .root).audit
        #expect(entries.map(\.kind).starts(with: [.personSet, .signedOut]))
        #expect(entries.first?.detail == "mia, child, user ben")
        let mia = try #require(device.state.people.first)
        #expect(mia.hasPassword && mia.isConfirmed && mia.user == Self.mia.user && mia.kind == Self.mia.kind)
        let journalled = device.journal.count
        try device.apply(.setPerson(Self.mia), as: .root)
        #expect(device.journal.count == journalled, "nothing has changed")
    }

    @Test("Setting somebody who is not confirmed confirms them, and ends the password of parent mode and its session")
    func setUnconfirmed() throws {
        var device = try device()
        try device.apply(.override(.parent, nil, reason: "x"), as: .root)
        for name in ["mia", "tv"] {
            try device.apply(.register(GatePerson(name: name, kind: Self.mia.kind), passwordHash: "$ben"), as: .ben)
        }
        try device.logIn("mia", as: .ben)
        let entries = try device.apply(.setPerson(Self.mia), as: .root).audit
        #expect(entries.map(\.kind).starts(with: [.personSet, .signedOut]), "though she was a child before")
        let mia = try #require(device.state.people.first)
        #expect(mia == Self.mia && mia.isConfirmed && !mia.hasPassword)
        #expect(device.state.records.people["mia"]?.passwordHash == nil)
        let tv = GatePerson(name: "tv", kind: .shared, user: GatePerson.UnixUser(name: "anna", uid: Peer.anna.uid))
        try device.apply(.setPerson(tv), as: .root)
        #expect(device.state.people.last == tv)
        #expect(device.stored == device.state.records)
    }

    @Test("A child whose password was set in parent mode loses it when an administrator sets the child")
    func setPasswordOfParentMode() throws {
        var device = try device()
        try device.register("kim", .child(born: nil))
        try device.apply(.override(.parent, nil, reason: "x"), as: .root)
        try device.apply(.setPassword(name: "kim", hash: "$ben"), as: .ben)
        try device.apply(.setPerson(GatePerson(name: "kim", kind: .child(born: nil))), as: .root)
        let kim = try #require(device.state.people.first)
        #expect(kim.isConfirmed && !kim.hasPassword)
    }

    @Test("A shared user needs a user, and has no password")
    func sharedUser() throws {
        var device = try device()
        #expect(device.refusal(.setPerson(GatePerson(name: "tv", kind: .shared)), as: .root)?.code == .invalidArgument)
        let tv = GatePerson(name: "tv", kind: .shared, user: Self.mia.user)
        try device.apply(.setPerson(tv), as: .root)
        #expect(device.refusal(.setPassword(name: "tv", hash: "$x"), as: .root)?.code == .invalidArgument)
        try device.register("kim")
        let kim = GatePerson(name: "kim", kind: .shared, user: GatePerson.UnixUser(name: "x", uid: 7))
        #expect(device.refusal(.setPerson(kim), as: .root)?.code == .invalidArgument)
    }

    @Test("A day of birth is one of the past, and the list has an end")
    func limits() throws {
        var device = try device()
        let unborn = GatePerson(name: "x", kind: .child(born: CivilDate(year: 2026, month: 1, day: 2)))
        #expect(device.refusal(.setPerson(unborn), as: .root)?.parameters["field"] == "person.child.born")
        for name in ["", " mia", "mia\n", String(repeating: "x", count: 65)] {
            #expect(
                device.refusal(.setPerson(GatePerson(name: name, kind: .grownUp)), as: .root)?.code == .invalidArgument)
        }
        for number in 0..<Limits.people {
            try device.apply(.setPerson(GatePerson(name: "p\(number)", kind: .grownUp)), as: .root)
        }
        #expect(device.refusal(.setPerson(GatePerson(name: "more", kind: .grownUp)), as: .root)?.reason == .limit)
        try device.apply(.setPerson(GatePerson(name: "p0", kind: .child(born: nil))), as: .root)
    }

    // MARK: - Restoring

    @Test("A backup makes nobody a grown-up who is a child here, and brings nobody who counts without an administrator")
    func restored() throws {
        var before = try device(
            GatePerson(name: "mia", kind: .grownUp, user: Self.mia.user),
            GatePerson(name: "old", kind: .grownUp, user: GatePerson.UnixUser(name: "anna", uid: Peer.anna.uid)))
        let backup = before.state.records
        before = try device(
            Self.mia, GatePerson(name: "new", kind: .child(born: nil), user: GatePerson.UnixUser(name: "x", uid: 4)))
        try before.apply(.restore(backup, detail: "x"), as: .root)
        try before.apply(.usersChecked(recognized: [Peer.anna.uid, Peer.ben.uid, 4]), as: .daemon)
        #expect(before.state.kind(ofUser: Peer.ben.uid) == Self.mia.kind)
        #expect(before.state.kind(ofUser: Peer.anna.uid) == nil)
        #expect(before.state.kind(ofUser: 4) == .child(born: nil), "an old file takes no child off the list")
        #expect(before.state.people.first { $0.name == "old" }?.isConfirmed == false)
        #expect(before.stored == before.state.records)
    }

    @Test("A device without people takes the backup's list as it is")
    func restoredAnew() throws {
        let backup = try device(Self.mia).state.records
        var fresh = Device(configuration: .premium)
        try fresh.apply(.restore(backup, detail: "x"), as: .root)
        #expect(fresh.state.people == [Self.mia])
    }
}
