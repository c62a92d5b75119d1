import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("What is made in parent mode weakens no gate afterwards (T-07)")
struct ConfirmedAccountTests {
    private static let newborn = CivilDate(year: 2025, month: 12, day: 31)

    private func device() throws -> Device {
        var device = Device(configuration: .premium)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        try device.apply(.setPasscode(hash: "$p"), as: .root)
        return device
    }

    private func asked(_ device: inout Device) throws -> Challenge.Kind? {
        let question = try device.authorize("by.age", as: .ben).presentation()
        let kind = question.question.kind
        try device.apply(.dismiss(question.cookie), as: .ben)
        try device.apply(.clearLockouts(uid: nil, gate: nil), as: .root)
        return kind
    }

    private func account(_ name: String, in device: Device) throws -> GatePerson {
        try #require(device.state.people.first { $0.name == name })
    }

    @Test("an account made in parent mode never counts with its claimed age, however young")
    func newborn() throws {
        var device = try device()
        let kim = GatePerson(name: "kim", kind: .child(born: Self.newborn))
        try device.apply(.override(.parent, nil, reason: "x"), as: .root)
        try device.apply(.register(kim, passwordHash: "$kim"), as: .ben)
        #expect(try !account("kim", in: device).isConfirmed)
        try device.apply(.lock, as: .root)
        try device.logIn("kim", as: .ben)
        #expect(try asked(&device) == .passcode)
        // What a request says about confirmation is ignored.
        try device.apply(.removePerson(name: "kim"), as: .root)
        var unconfirmed = kim
        unconfirmed.isConfirmed = false
        try device.apply(.register(unconfirmed, passwordHash: "$kim"), as: .root)
        #expect(try account("kim", in: device).isConfirmed)
        try device.logIn("kim", as: .ben)
        #expect(try asked(&device) == .arithmeticChoice)
    }

    @Test("an administrator confirms an account as it was read, with a new password, and its session ends")
    func confirmed() throws {
        var device = try device()
        let kim = GatePerson(name: "kim", kind: .child(born: Self.newborn))
        try device.apply(.override(.parent, nil, reason: "x"), as: .root)
        try device.apply(.register(kim, passwordHash: "$kim"), as: .ben)
        try device.logIn("kim", as: .ben)
        let read = try account("kim", in: device)
        #expect(device.refusal(.confirm(read, passwordHash: "$new"), as: .ben)?.code == .permissionDenied)
        let older = GatePerson(name: "kim", kind: .child(born: CivilDate(year: 2015, month: 1, day: 1)))
        #expect(device.refusal(.confirm(older, passwordHash: "$new"), as: .root)?.reason == .changedMeanwhile)
        #expect(
            device.refusal(.confirm(GatePerson(name: "x", kind: .grownUp), passwordHash: "$new"), as: .root)?
                .code
                == .notFound)
        let kinds = try device.apply(.confirm(read, passwordHash: "$new"), as: .root).audit.map(\.kind)
        #expect(kinds.starts(with: [.accountConfirmed, .signedOut]))
        #expect(device.state.signIn.session == nil && device.state.records.people["kim"]?.passwordHash == "$new")
        #expect(try account("kim", in: device).isConfirmed && device.stored == device.state.records)
        try device.apply(.lock, as: .root)
        try device.logIn("kim", as: .ben)
        #expect(try asked(&device) == .arithmeticChoice)
    }

    @Test(
        "a grown-up's account made in parent mode ranks as a child's, so a confirmed grown-up replaces it")
    func madeUpGrownUp() throws {
        var device = try device()
        try device.register("mum")
        try device.apply(.override(.parent, nil, reason: "x"), as: .root)
        try device.apply(.register(GatePerson(name: "joker", kind: .grownUp), passwordHash: "$joker"), as: .ben)
        try device.apply(.lock, as: .root)
        for _ in 0..<6 {
            try device.logIn("joker", as: .ben)
            #expect(device.state.signIn.session?.isChild == true)
            #expect(try device.logIn("mum", as: .anna) == .done)
            #expect(device.state.signIn.session?.name == "mum")
            try device.apply(.logOut, as: .anna)
        }
    }

    @Test("a limited number of accounts may wait for an administrator's confirmation")
    func bounded() throws {
        var device = try device()
        try device.apply(.override(.parent, nil, reason: "x"), as: .root)
        for number in 0..<Limits.unconfirmedPeople {
            let account = GatePerson(name: "child-\(number)", kind: .grownUp)
            try device.apply(.register(account, passwordHash: "$"), as: .ben)
        }
        let next = Command.register(GatePerson(name: "one-more", kind: .grownUp), passwordHash: "$")
        device.refuses(next, as: .ben, .resourceExhausted, .limit)
        try device.apply(.confirm(try account("child-0", in: device), passwordHash: "$new"), as: .root)
        try device.apply(next, as: .ben)
    }

    @Test("setting a child's password in parent mode, or making its account anew, does not gain the child's age")
    func othersPassword() throws {
        var device = try device()
        try device.register("kim", .child(born: Self.newborn))
        try device.apply(.override(.parent, nil, reason: "x"), as: .root)
        try device.apply(.setPassword(name: "kim", hash: "$new"), as: .ben)
        try device.logIn("kim", as: .ben)
        #expect(try asked(&device) == .passcode)
        try device.apply(.removePerson(name: "kim"), as: .ben)
        let kim = GatePerson(name: "kim", kind: .child(born: Self.newborn))
        try device.apply(.register(kim, passwordHash: "$kim"), as: .ben)
        try device.logIn("kim", as: .ben)
        #expect(try asked(&device) == .passcode)
    }

    @Test("with the old password, and by an administrator, an account stays as trusted as it was")
    func ownPassword() throws {
        var device = try device()
        try device.register("kim", .child(born: Self.newborn))
        try device.apply(.setPassword(name: "kim", hash: "$new"), as: .root)
        #expect(try account("kim", in: device).isConfirmed)
        let change = Command.changePassword(name: "kim", old: Device.password, newHash: "$newer")
        guard case .checkPassword(let id, _, _)? = try device.apply(change, as: .ben).effects.first else {
            Issue.record("the password is checked")
            return
        }
        try device.apply(.passwordChecked(id, .right), as: .daemon)
        #expect(try account("kim", in: device).isConfirmed)
    }
}
