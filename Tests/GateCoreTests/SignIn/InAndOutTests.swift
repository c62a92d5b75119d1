import CommandSupport
import GateModel
import Testing

@testable import GateCore

/// A sign-in is required, and Olga's screen shows the cover. Lina, a child, signs in and out in Ben's session.
@Suite("Signing in and out in a loop")
struct InAndOutTests {
    private static let key = Lockout.Key(owner: Peer.ben.owner, gate: Lockout.Gate.otherScreens.text)
    private var device: Device

    init() throws {
        device = Device(configuration: .premium)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        try device.apply(.start, as: .daemon)
        try device.register("anna")
        try device.register("lina", .child(born: CivilDate(year: 2018, month: 1, day: 2)!))
        try device.apply(.register(.everything), as: .olga)
    }

    /// The cover's number; `nil` if it is not open.
    private var cover: UInt64? {
        device.state.presentations(visibleTo: .root).first { $0.purpose == .signIn }?.id
    }

    /// Signs somebody in while Olga's screen shows the cover, and out again. Returns the reply to the sign-in.
    private mutating func inAndOut(_ name: String = "lina", as peer: Peer = .ben) throws -> Reply? {
        let cover = try #require(cover)
        if device.shown(to: .olga) == nil { _ = try device.claim(cover, as: .olga) }
        let reply = try device.logIn(name, as: peer)
        try device.apply(.logOut, as: peer)
        return reply
    }

    private mutating func lockOut() throws {
        for _ in 0..<Limits.takenCovers + 4 { #expect(try inAndOut() == .done) }
        #expect(device.state.records.lockouts[Self.key]?.lockedUntil != nil)
    }

    @Test("a few sign-ins of a child are free; each further one that takes the cover from a screen counts there")
    mutating func loop() throws {
        for _ in 0..<Limits.takenCovers { #expect(try inAndOut() == .done) }
        #expect(device.state.lockouts.isEmpty)
        for wrong in 0...3 {
            #expect(try inAndOut() == .done)
            #expect(device.state.records.lockouts[Self.key]?.wrongAnswers == wrong)
        }
        // From now on the cover stays where it is.
        let before = try #require(cover)
        let held = try device.claim(before, as: .olga)
        for _ in 0..<20 {
            guard case .refused(let error) = try device.logIn("lina", as: .ben) else {
                Issue.record("the child is signed in")
                return
            }
            #expect(error.reason == .lockedOut && error.parameters["at"] == "sign-in")
            #expect(error.message.hasPrefix("There were too many attempts to sign in. Try again in "))
        }
        #expect(cover == before && device.shown(to: .olga) == held && !device.state.signIn.isAuthenticating)
        // After that wait the child can sign in once, and then waits for longer.
        try device.turn(by: .seconds(30))
        #expect(try inAndOut() == .done)
        #expect(device.state.records.lockouts[Self.key]?.remaining(at: device.now) ?? .zero > .seconds(30))
    }

    @Test("log-ins that are given up before their outcome count in the same way, and lead to the same lock")
    mutating func givenUp() throws {
        let before = try #require(cover)
        let held = try device.claim(before, as: .olga)
        for number in 0..<Limits.takenCovers + 4 {
            let (wait, check) = try device.beginLogIn("lina", as: .ben)
            try device.apply(.callEnded(wait), as: .ben)
            try device.apply(.passwordChecked(check, .right), as: .daemon)
            #expect(device.state.records.lockouts.isEmpty == (number < Limits.takenCovers))
        }
        #expect(device.state.records.lockouts[Self.key]?.lockedUntil != nil)
        #expect(cover == before && device.shown(to: .olga) == held && device.state.signIn.session == nil)
        // A grown-up can still sign in, there and at the cover.
        #expect(try device.logIn("anna", as: .ben) == .done)
    }

    @Test("log-ins that are given up on the screen with the cover, or after their outcome, are free")
    mutating func givenUpForFree() throws {
        let before = try #require(cover)
        _ = try device.claim(before, as: .olga)
        for _ in 0..<20 {
            let (wait, check) = try device.beginLogIn("lina", as: .olga)
            try device.apply(.callEnded(wait), as: .olga)
            try device.apply(.passwordChecked(check, .failed), as: .daemon)
            let (late, checked) = try device.beginLogIn("lina", as: .ben)
            try device.apply(.passwordChecked(checked, .failed), as: .daemon)
            try device.apply(.callEnded(late), as: .ben)
        }
        #expect(device.state.lockouts.isEmpty && device.state.takenCovers == .ofTakenCovers)
    }

    @Test("a password that is given up keeps its place until it was checked, so giving up gains no further ones")
    mutating func givenUpForMore() throws {
        for number in 0..<Limits.passwordChecksOfUser {
            let (wait, _) = try device.beginLogIn("name\(number)", as: .ben)
            try device.apply(.callEnded(wait), as: .ben)
        }
        let more = Command.logIn(name: "more", password: Device.password)
        #expect(#expect(throws: GateError.self) { try device.applied(more, as: .ben) }?.reason == .limit)
        try device.apply(.passwordChecked(PasswordCheckID(1), .failed), as: .daemon)
        _ = try device.applied(more, as: .ben)
    }

    @Test("a child who is locked out of other screens keeps no grown-up from signing in, not even in the same session")
    mutating func grownUp() throws {
        try lockOut()
        #expect(try device.logIn("anna", as: .ben) == .done)
        #expect(cover == nil)
    }

    @Test("the child can still sign in on the screen that shows the cover, and where no other screen would lose it")
    mutating func elsewhere() throws {
        try lockOut()
        #expect(try inAndOut(as: .olga) == .done)
        try device.apply(.unregister, as: .olga)
        #expect(try device.logIn("lina", as: .ben) == .done)
    }

    @Test("sign-ins that take the cover from nobody, and those of grown-ups and administrators, are never counted")
    mutating func uncounted() throws {
        for _ in 0..<20 {
            #expect(try inAndOut(as: .olga) == .done)
            #expect(try inAndOut("anna") == .done)
            #expect(try inAndOut(as: .root) == .done)
        }
        try device.apply(.unregister, as: .olga)
        for _ in 0..<20 {
            #expect(try device.logIn("lina", as: .ben) == .done)
            try device.apply(.logOut, as: .ben)
        }
        #expect(device.state.lockouts.isEmpty && device.state.takenCovers == .ofTakenCovers)
    }

    @Test("one sign-in of a child every quarter of an hour is free all day")
    mutating func allDay() throws {
        for _ in 0..<Limits.takenCovers { #expect(try inAndOut() == .done) }
        for _ in 0..<96 {
            try device.turn(by: Limits.takenCoverTime)
            #expect(try inAndOut() == .done)
        }
        #expect(device.state.lockouts.isEmpty)
    }

    @Test("a cover that was raised, but is on no screen yet, is taken all the same")
    mutating func beforeItIsClaimed() throws {
        for _ in 0..<Limits.takenCovers + 4 {
            #expect(try device.logIn("lina", as: .ben) == .done)
            try device.apply(.logOut, as: .ben)
        }
        guard case .refused(let error) = try device.logIn("lina", as: .ben) else {
            Issue.record("the child is signed in")
            return
        }
        #expect(error.reason == .lockedOut)
    }
}
