import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Nobody keeps a grown-up out (T-04)")
struct KeptOutTests {
    private let child = ChildAtItsWorst(account: "lina")

    private func device() throws -> Device {
        var configuration = Configuration.premium
        configuration.modeChallenge = ChallengeRule(.passcode)
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)  // 2026-01-01
        try device.apply(.start, as: .daemon)
        try device.apply(.setPasscode(hash: "hash"), as: .root)
        try device.register("anna")
        try device.register("lina", .child(born: CivilDate(year: 2018, month: 1, day: 2)!))
        return device
    }

    /// Enters parent mode with the right passcode, while the child interferes at every step.
    private func enter(_ device: inout Device) throws {
        let question = try device.ask(as: .anna)
        child.doesItsWorst(to: &device)
        let wait = try device.apply(.complete(question.cookie, .secret(GateSecret([1]))), as: .anna).wait()
        child.doesItsWorst(to: &device)
        try device.check(question.id, finds: .right(step: nil))
        #expect(device.reply(to: wait) == .done && device.mode == .parent)
    }

    @Test("while a child does its worst with every command, a parent gets in and stays in for the lease")
    func parentMode() throws {
        var device = try device()
        child.doesItsWorst(to: &device)
        // The child may end other people's parent mode this often.
        for _ in 0..<Limits.interruptions {
            try enter(&device)
            child.doesItsWorst(to: &device)
            guard device.mode == .child else { break }
        }
        if device.mode != .parent { try enter(&device) }
        let end = try #require(device.state.modeState.deadline)
        while device.now.advanced(by: .seconds(60)) < end {
            try device.pass(.seconds(60))
            child.doesItsWorst(to: &device)
            #expect(device.mode == .parent)
        }
        try device.pass(.seconds(60))
        #expect(device.kinds().contains(.leaseExpired))
    }

    @Test("while a child does its worst with every command, an administrator's override lasts")
    func override() throws {
        var device = try device()
        for _ in 0...Limits.interruptions {
            try device.apply(.override(.parent, .seconds(600), reason: "x"), as: .root)
            child.doesItsWorst(to: &device)
        }
        #expect(device.mode == .parent)
        try device.pass(.seconds(500))
        child.doesItsWorst(to: &device)
        #expect(device.mode == .parent)
    }

    @Test("while a child does its worst with every command, a parent gets a longer lease")
    func extension_() throws {
        var device = try device()
        for _ in 0...Limits.interruptions {
            if device.mode != .parent { try enter(&device) }
            child.doesItsWorst(to: &device)
        }
        let question = try device.askForMore(.seconds(7200), as: .anna)
        child.doesItsWorst(to: &device)
        _ = try device.apply(.complete(question.cookie, .secret(GateSecret([1]))), as: .anna).wait()
        child.doesItsWorst(to: &device)
        try device.check(question.id, finds: .right(step: nil))
        #expect(device.state.modeState.deadline == device.now.advanced(by: .seconds(7200)))
    }

    @Test("while a child does its worst with every command, a parent signs in and stays signed in")
    func signIn() throws {
        var device = try device()
        for _ in 0...Limits.interruptions {
            child.doesItsWorst(to: &device)
            if device.state.signIn.session?.name != "anna" {
                // The child is signed in, and keeps trying.
                try device.logIn("lina", as: .ben)
                let (wait, check) = try device.beginLogIn("anna", as: .anna)
                child.doesItsWorst(to: &device)
                try device.apply(.passwordChecked(check, .right), as: .daemon)
                #expect(device.reply(to: wait) == .done && device.state.signIn.session?.name == "anna")
            }
        }
        for _ in 0..<20 {
            child.doesItsWorst(to: &device)
            #expect(device.state.signIn.session?.name == "anna")
        }
    }

    @Test("a child's commands do not keep a grown-up's idle session alive")
    func idleSession() throws {
        var device = try device()
        try device.logIn("anna", as: .anna)
        for _ in 0...Limits.interruptions {
            child.doesItsWorst(to: &device)
            if device.state.signIn.session?.name != "anna" { try device.logIn("anna", as: .anna) }
        }
        for _ in 0..<59 {
            try device.pass(.seconds(60))
            child.doesItsWorst(to: &device)
        }
        #expect(device.state.signIn.session?.name == "anna")
        try device.pass(.seconds(60))
        #expect(device.state.signIn.session?.name != "anna" && device.kinds().contains(.sessionExpired))
    }

    @Test("a session is prolonged by its user's commands, and by those of the user that the sign-in was for")
    func useOfSession() throws {
        var device = try device()
        try device.apply(.register(.everything), as: .olga)
        let wait = try device.waitFor("premium.filters", as: .ben)
        let signIn = try #require(device.state.presentation(forPresenter: Peer.olga.connection))
        _ = try device.claim(signIn.id, as: .olga)
        try device.logIn("anna", as: .olga)
        #expect(device.reply(to: wait) == nil)
        for peer in [Peer.ben, .olga] {
            try device.pass(.seconds(1900))
            let used = try device.apply(.resetWhatsNew(app: nil), as: peer)
            #expect(used.isChange && device.state.signIn.session?.deadline == device.now.advanced(by: .seconds(3600)))
        }
        try device.pass(.seconds(1900))
        #expect(try device.apply(.resetWhatsNew(app: nil), as: .mara).isChange == false)
        // The session is theirs, so they may end it.
        try device.apply(.logOut, as: .ben)
        #expect(device.state.interruptions == .ofInterruptions)
    }

    @Test(
        "others end a session three times, then no more for an hour; anyone who signed in and administrators always may"
    )
    func logOut() throws {
        var device = try device()
        for peer in [Peer.ben, .anna, .ben, .root, .annasOther, .ben, .anna] {
            try device.logIn("anna", as: .anna)
            try device.apply(.logOut, as: peer)
            #expect(device.state.signIn.session == nil)
        }
        try device.logIn("anna", as: .anna)
        device.refuses(.logOut, as: .ben, .resourceExhausted, .limit)
        // That costs nobody else anything.
        try device.apply(.logOut, as: .mara)
        device.changesNothing(.logOut, as: .ben)
    }

    @Test("a grown-up who signs in replaces a signed-in child, and the journal says so")
    func takesPlace() throws {
        var device = try device()
        try device.logIn("lina", as: .ben)
        #expect(try device.logIn("anna", .wrong, as: .anna) == .refused(.wrongPassword(lockedOutFor: nil)))
        #expect(device.state.signIn.session?.name == "lina")
        try device.logIn("anna", as: .anna)
        #expect(device.state.signIn.session?.name == "anna" && device.kinds().suffix(2) == [.signedOut, .signedIn])
        device.refuses(
            .logIn(name: "lina", password: Device.password), as: .ben, .failedPrecondition, .signedIn)
    }

    @Test("a child is told that another child is signed in only with the right password")
    func anotherChild() throws {
        var device = try device()
        try device.register("emil", .child(born: CivilDate(year: 2016, month: 1, day: 2)!))
        try device.logIn("lina", as: .ben)
        #expect(try device.logIn("emil", .wrong, as: .mara) == .refused(.wrongPassword(lockedOutFor: nil)))
        #expect(try device.logIn("emil", as: .mara) == .refused(.signedIn("lina")))
        #expect(
            device.state.signIn
                == SignInState(
                    session: device.state.signIn.session, isAuthenticating: false, needsAuthentication: false))
        #expect(device.state.signIn.session?.name == "lina")
    }
}
