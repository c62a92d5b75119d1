import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Signing in, by command")
struct SignInTests {
    private func device(_ configuration: Configuration = .premium) throws -> Device {
        var device = Device(configuration: configuration)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)  // 2026-01-01
        try device.apply(.start, as: .daemon)
        try device.register("anna")
        try device.register("lina", .child(born: CivilDate(year: 2018, month: 1, day: 2)!))
        return device
    }

    @Test(
        "everybody sees that a sign-in is needed, then that it is being checked, then who is signed in (F-60, F-61)"
    )
    func logIn() throws {
        var device = try device()
        #expect(device.state.signIn == SignInState(session: nil, isAuthenticating: false, needsAuthentication: true))
        let (wait, check) = try device.beginLogIn("anna", as: .anna)
        #expect(device.state.signIn == SignInState(session: nil, isAuthenticating: true, needsAuthentication: true))
        #expect(
            device.passwordChecks[check]?.hash == "$anna" && device.passwordChecks[check]?.password == Device.password)
        try device.apply(.passwordChecked(check, .right), as: .daemon)
        #expect(device.reply(to: wait) == .done)
        let session = SignInState.Session(
            name: "anna", isChild: false, deadline: device.now.advanced(by: .seconds(3600)))
        #expect(
            device.state.signIn
                == SignInState(session: session, isAuthenticating: false, needsAuthentication: false))
        // The cover that is opened a second time no longer says that nobody has an account.
        #expect(device.kinds() == [.started, .signInOpened, .registered, .signInOpened, .registered, .signedIn])
    }

    @Test("an unknown name and a wrong password get the same words, and the same rows except for the name (F-71)")
    func sameRefusal() throws {
        var known = try device()
        var unknown = try device()
        let first = try known.apply(.logIn(name: "anna", password: Device.password), as: .anna)
        let second = try unknown.apply(.logIn(name: "bert", password: Device.password), as: .anna)
        #expect(first.reply == second.reply && first.audit == second.audit && first.records == second.records)
        #expect(first.effects.count == 1 && second.effects.count == 1)
        for attempt in 1...4 as ClosedRange<UInt64> {
            let ended = try known.apply(.passwordChecked(PasswordCheckID(attempt), .wrong), as: .daemon)
            let same = try unknown.apply(.passwordChecked(PasswordCheckID(attempt), .wrong), as: .daemon)
            #expect(ended.effects == same.effects && ended.audit == same.audit)
            #expect(ended.records.count == same.records.count)
            #expect(known.state.signIn == unknown.state.signIn)
            guard attempt < 3 else { break }
            try known.apply(.logIn(name: "anna", password: Device.password), as: .anna)
            try unknown.apply(.logIn(name: "bert", password: Device.password), as: .anna)
        }
        let told: [Reply] = known.settled.values.flatMap(\.self)
        let codes = told.map { reply -> GateError.Code? in
            if case .refused(let error) = reply { error.code } else { nil }
        }
        #expect(codes == [.unauthenticated, .unauthenticated, .unauthenticated])
        // Both names are locked out now, with the same message.
        for name in ["anna", "bert"] {
            let error = #expect(throws: GateError.self) {
                try (name == "anna" ? known : unknown).applied(.logIn(name: name, password: Device.password), as: .anna)
            }
            #expect(error?.reason == .lockedOut && error?.parameters["at"] == "sign-in")
        }
    }

    @Test("a lockout is for one user at one account (G-03)")
    func lockouts() throws {
        var device = try device()
        for _ in 0..<3 { try device.logIn("anna", .wrong, as: .ben) }
        #expect(throws: GateError.self) {
            try device.applied(.logIn(name: "anna", password: Device.password), as: .ben)
        }
        #expect(try device.logIn("lina", .wrong, as: .ben) == .refused(.wrongPassword(lockedOutFor: nil)))
        #expect(try device.logIn("anna", as: .anna) == .done)
        let names = ["lina", "anna"].sorted { SignInGate.name(of: $0) < SignInGate.name(of: $1) }
        #expect(device.state.namedLockouts.map(\.key.gate) == names.map { "sign-in \($0)" })
        // A typed name is never stored as it is, because it may have been the password.
        #expect(!device.state.records.lockouts.keys.contains { $0.gate.contains("lina") })
        #expect(try device.apply(.clearLockouts(uid: nil, gate: "sign-in anna"), as: .root).reply == .count(1))
    }

    @Test("a user who tries very many names gets one counter for all further names, and locks out nobody else")
    func manyNames() throws {
        var device = try device()
        for number in 0..<Limits.signInCounters { try device.logIn("name\(number)", .wrong, as: .ben) }
        for number in 100..<103 { try device.logIn("name\(number)", .wrong, as: .ben) }
        #expect(device.lockout(of: .ben, at: SignInGate.rest)?.wrongAnswers == 3)
        #expect(device.state.lockouts.count == Limits.signInCounters + 1)
        #expect(throws: GateError.self) {
            try device.applied(.logIn(name: "anna", password: Device.password), as: .ben)
        }
        // A name that has a counter of its own uses that one.
        #expect(try device.logIn("name3", .wrong, as: .ben) == .refused(.wrongPassword(lockedOutFor: nil)))
        #expect(try device.logIn("anna", as: .anna) == .done)
    }

    @Test("an empty field and a second log-in are refused, by the daemon too (F-66)")
    func refused() throws {
        var device = try device()
        func reason(_ name: String, _ password: String) -> GateError? {
            #expect(throws: GateError.self) {
                try device.applied(.logIn(name: name, password: GateSecret(password.utf8)), as: .anna)
            }
        }
        #expect(reason("", "x")?.code == .invalidArgument && reason("anna", "")?.code == .invalidArgument)
        #expect(reason(" anna", "x")?.code == .invalidArgument && reason("an\nna", "x")?.code == .invalidArgument)
        #expect(reason(String(repeating: "a", count: 65), "x")?.code == .invalidArgument)
        let (_, check) = try device.beginLogIn("anna", as: .annasOther)
        #expect(reason("lina", "x")?.reason == .authenticating)
        try device.apply(.passwordChecked(check, .right), as: .daemon)
        #expect(reason("lina", "x")?.reason == .signedIn)
    }

    @Test("a check that takes too long ends without signing in, but a wrong password still counts (F-70)")
    func tookTooLong() throws {
        var device = try device()
        let (wait, check) = try device.beginLogIn("anna", as: .anna)
        try device.pass(.seconds(30))
        #expect(device.refusal(of: wait)?.code == .deadlineExceeded && !device.state.signIn.isAuthenticating)
        try device.apply(.passwordChecked(check, .right), as: .daemon)
        #expect(device.state.signIn.session == nil && device.settled[wait]?.count == 1)
        let (_, second) = try device.beginLogIn("anna", as: .anna)
        try device.pass(.seconds(30))
        try device.apply(.passwordChecked(second, .wrong), as: .daemon)
        #expect(device.lockout(of: .anna, at: SignInGate.name(of: "anna"))?.wrongAnswers == 1)
    }

    @Test("the caller's death, or the end of its call, releases the device at once; the guess counts (F-70)")
    func callerLost() throws {
        for leaves in [true, false] {
            var device = try device()
            let (wait, check) = try device.beginLogIn("anna", as: .ben)
            #expect(device.state.connections.contains(Peer.ben.connection))
            try device.apply(leaves ? .peerDisconnected : .callEnded(wait), as: .ben)
            #expect(!device.state.signIn.isAuthenticating && device.state.signIn.session == nil)
            let (_, annas) = try device.beginLogIn("anna", as: .anna)
            try device.apply(.passwordChecked(check, .right), as: .daemon)
            #expect(device.state.signIn.isAuthenticating, "somebody else's outcome")
            try device.apply(.passwordChecked(annas, .wrong), as: .daemon)
            #expect(device.settled[wait] == nil && device.state.signIn.session == nil)
            #expect(device.lockout(of: .anna, at: SignInGate.name(of: "anna"))?.wrongAnswers == 1)
        }
    }

    @Test("guesses at one name are checked one at a time, and each user and the device have a limit of checks")
    func bounded() throws {
        var device = try device()
        func refusal(_ name: String, _ peer: Peer) -> GateError? {
            #expect(throws: GateError.self) {
                try device.applied(.changePassword(name: name, old: Device.password, newHash: "$"), as: peer)
            }
        }
        for peer in [Peer.ben, .anna] {
            for number in 0..<Limits.passwordChecksOfUser {
                let change = Command.changePassword(name: "name\(number)", old: Device.password, newHash: "$")
                _ = try device.apply(change, as: peer).wait()
                // The lockout is checked before a guess, so that the second guess waits until the first was counted.
                #expect(refusal("name\(number)", peer)?.reason == .authenticating)
            }
            #expect(refusal("more", peer)?.code == .resourceExhausted)
        }
        // What all others may have is in use; administrators have places of their own.
        #expect(refusal("anna", .mara)?.code == .resourceExhausted)
        #expect(try device.logIn("anna", as: .root) == .done)
        try device.apply(.passwordChecked(PasswordCheckID(1), .failed), as: .daemon)
        _ = try device.apply(.changePassword(name: "anna", old: Device.password, newHash: "$"), as: .mara).wait()
    }

    @Test("cancelling the call of a guess does not allow another one before the first was counted")
    func takenBack() throws {
        var device = try device()
        let (wait, check) = try device.beginLogIn("anna", as: .ben)
        try device.apply(.callEnded(wait), as: .ben)
        let again = Command.logIn(name: "anna", password: Device.password)
        #expect(#expect(throws: GateError.self) { try device.applied(again, as: .ben) }?.reason == .authenticating)
        try device.apply(.passwordChecked(check, .wrong), as: .daemon)
        try device.applied(again, as: .ben)
    }

    @Test("one account's password does not pay for guesses at others")
    func sharedCounterStays() throws {
        var device = try device()
        for number in 0..<Limits.signInCounters { try device.logIn("name\(number)", .wrong, as: .ben) }
        for _ in 0..<2 { try device.logIn("anna", .wrong, as: .ben) }
        #expect(try device.logIn("lina", as: .ben) == .done)
        try device.apply(.logOut, as: .ben)
        #expect(device.lockout(of: .ben, at: SignInGate.rest)?.wrongAnswers == 2)
        try device.logIn("anna", .wrong, as: .ben)
        #expect(throws: GateError.self) {
            try device.applied(.logIn(name: "anna", password: Device.password), as: .ben)
        }
    }

    @Test("a name is compared byte by byte: another spelling names no account (F-67)")
    func spelling() throws {
        var device = try device()
        try device.register("zo\u{EB}")
        let other = try device.apply(.logIn(name: "zoe\u{308}", password: Device.password), as: .ben)
        #expect(other.effects == [.checkPassword(PasswordCheckID(1), Device.password, hash: nil)])
        try device.apply(.passwordChecked(PasswordCheckID(1), .wrong), as: .daemon)
        #expect(throws: GateError.self) { try device.applied(.removePerson(name: "zoe\u{308}"), as: .root) }
        #expect(throws: GateError.self) {
            try device.applied(
                .register(GatePerson(name: "zoe\u{308}", kind: .grownUp), passwordHash: "$"), as: .root)
        }
        #expect(try device.logIn("zo\u{EB}", as: .ben) == .done)
    }

    @Test("a password that somebody else sets ends the session; one that its owner changes does not")
    func setPasswordEndsSession() throws {
        var device = try device()
        try device.logIn("anna", as: .anna)
        let change = Command.changePassword(name: "anna", old: Device.password, newHash: "$new")
        _ = try device.apply(change, as: .anna).wait()
        try device.apply(.passwordChecked(PasswordCheckID(2), .right), as: .daemon)
        #expect(device.state.signIn.session != nil && device.stored.people["anna"]?.passwordHash == "$new")
        try device.apply(.setPassword(name: "anna", hash: "$x"), as: .root)
        #expect(device.state.signIn.session == nil)
    }

    @Test("an outcome has no effect if the password was replaced, or the account was made anew, during the check")
    func replaced() throws {
        var device = try device()
        let (wait, check) = try device.beginLogIn("anna", as: .ben)
        try device.apply(.setPassword(name: "anna", hash: "$other"), as: .root)
        try device.apply(.passwordChecked(check, .right), as: .daemon)
        #expect(device.refusal(of: wait)?.code == .unavailable && device.state.signIn.session == nil)
        let (_, second) = try device.beginLogIn("bert", as: .ben)
        try device.register("bert")
        try device.apply(.passwordChecked(second, .right), as: .daemon)
        #expect(device.state.signIn.session == nil && device.state.lockouts.isEmpty)
    }

    @Test("a session ends by itself, goes on while it is used, and everybody may end it (F-48, F-62)")
    func session() throws {
        var device = try device()
        try device.logIn("anna", as: .anna)
        try device.pass(.seconds(3500))
        let used = try device.authorize("link.open", as: .annasOther)
        #expect(used.isChange && device.state.signIn.session?.deadline == device.now.advanced(by: .seconds(3600)))
        try device.pass(.seconds(3600))
        #expect(device.state.signIn.session == nil && device.state.signIn.needsAuthentication)
        #expect(device.kinds().contains(.sessionExpired))
        try device.logIn("anna", as: .anna)
        try device.apply(.logOut, as: .ben)
        #expect(
            device.state.signIn.session == nil && device.journal.last?.actor?.uid == Peer.ben.uid
                || device.kinds().suffix(2).contains(.signedOut))
        let again = try device.apply(.logOut, as: .ben)
        #expect(!again.isChange)
    }

    @Test("after a start nobody is signed in, and the accounts are still there")
    func start() throws {
        var device = try device()
        try device.logIn("anna", as: .anna)
        var again = Device(device.stored, configuration: .premium)
        try again.apply(.start, as: .daemon)
        #expect(again.state.signIn.session == nil && again.state.people.map(\.name) == ["anna", "lina"])
        #expect(again.state.signIn.needsAuthentication)
    }

    @Test(
        "accounts are made by administrators, and in parent mode; grown-ups' are changed by administrators alone (F-48)"
    )
    func accounts() throws {
        var device = try device()
        let bert = Command.register(GatePerson(name: "bert", kind: .grownUp), passwordHash: "$b")
        #expect(#expect(throws: GateError.self) { try device.applied(bert, as: .anna) }?.code == .permissionDenied)
        try device.enterParentMode(as: .anna)
        try device.apply(bert, as: .anna)
        #expect(#expect(throws: GateError.self) { try device.applied(bert, as: .anna) }?.reason == .exists)
        for command in [Command.removePerson(name: "bert"), .setPassword(name: "bert", hash: "$x")] {
            #expect(
                #expect(throws: GateError.self) { try device.applied(command, as: .ben) }?.code == .permissionDenied)
        }
        try device.apply(.setPassword(name: "lina", hash: "$x"), as: .ben)
        try device.apply(.removePerson(name: "lina"), as: .ben)
        try device.apply(.removePerson(name: "bert"), as: .root)
        #expect(device.state.people.map(\.name) == ["anna"])
        #expect(
            #expect(throws: GateError.self) { try device.applied(.removePerson(name: "x"), as: .root) }?.code
                == .notFound)
        #expect(device.state.mayReadPeople(.ben, isParentMode: true))
        try device.apply(.lock, as: .anna)
        #expect(
            !device.state.mayReadPeople(.ben, isParentMode: false)
                && device.state.mayReadPeople(.root, isParentMode: false))
    }

    @Test("a child's date of birth is not in the future, and not too long ago")
    func birthday() throws {
        var device = try device()
        for born in [CivilDate(year: 2026, month: 1, day: 2), CivilDate(year: 1800, month: 1, day: 1)] {
            let account = GatePerson(name: "kim", kind: .child(born: born))
            #expect(throws: GateError.self) {
                try device.applied(.register(account, passwordHash: "$"), as: .root)
            }
        }
        let today = GatePerson(name: "kim", kind: .child(born: CivilDate(year: 2026, month: 1, day: 1)))
        try device.apply(.register(today, passwordHash: "$"), as: .root)
    }

    @Test("a password is changed with the one before, and a wrong one counts as in signing in")
    func changePassword() throws {
        var device = try device()
        let change = Command.changePassword(name: "anna", old: Device.password, newHash: "$new")
        let wait = try device.apply(change, as: .ben).wait()
        #expect(!device.state.signIn.isAuthenticating)
        try device.apply(.passwordChecked(PasswordCheckID(1), .wrong), as: .daemon)
        #expect(device.refusal(of: wait)?.reason == .wrongPassword)
        #expect(device.lockout(of: .ben, at: SignInGate.name(of: "anna"))?.wrongAnswers == 1)
        let again = try device.apply(change, as: .ben).wait()
        try device.apply(.passwordChecked(PasswordCheckID(2), .right), as: .daemon)
        #expect(device.reply(to: again) == .done && device.state.lockouts.isEmpty)
        #expect(device.stored.people["anna"]?.passwordHash == "$new" && device.kinds().last == .passwordChanged)
        // A caller that has gone changes nothing.
        let gone = try device.apply(.changePassword(name: "anna", old: Device.password, newHash: "$newer"), as: .ben)
            .wait()
        try device.apply(.callEnded(gone), as: .ben)
        try device.apply(.passwordChecked(PasswordCheckID(3), .right), as: .daemon)
        #expect(device.stored.people["anna"]?.passwordHash == "$new")
    }

    @Test("removing an account signs it out and takes its claims along")
    func removed() throws {
        var device = try device()
        try device.logIn("anna", as: .anna)
        try device.buy(transaction: "1")
        try device.buy("yearly", transaction: "2", holder: .device)
        #expect(device.state.claims(at: device.wallTime).map(\.claim.holder) == [.account("anna"), .device])
        try device.apply(.removePerson(name: "anna"), as: .root)
        #expect(
            device.state.claims(at: device.wallTime).map(\.claim.holder) == [.device]
                && device.state.signIn.session == nil)
    }

    @Test("the age of the child that is signed in chooses the question; unknown age the sturdiest (F-26)")
    func age() throws {
        var device = try device()
        try device.apply(.setPasscode(hash: "hash"), as: .root)
        #expect(try device.authorize("by.age", as: .ben).presentation().question == .passcode)
        try device.apply(.peerDisconnected, as: .ben)
        try device.logIn("lina", as: .anna)
        guard case .arithmeticChoice = try device.authorize("by.age", as: .ben).presentation().question else {
            Issue.record("she is seven")
            return
        }
        try device.apply(.peerDisconnected, as: .ben)
        try device.apply(.logOut, as: .anna)
        try device.logIn("anna", as: .anna)
        #expect(try device.authorize("by.age", as: .ben).presentation().question == .passcode)
        // She has turned nine.
        try device.apply(.logOut, as: .anna)
        device.wallTime.unixMilliseconds += 366 * 86_400_000
        try device.logIn("lina", as: .anna)
        try device.apply(.peerDisconnected, as: .ben)
        #expect(try device.authorize("by.age", as: .ben).presentation().question == .passcode)
    }

    @Test("while the store is closed for damage nobody signs in, and no cover shows")
    func damaged() throws {
        var device = try device()
        try device.apply(.closeForDamage(quarantinedFile: "x"), as: .daemon)
        #expect(!device.state.signIn.needsAuthentication && device.state.presentations(visibleTo: .root).isEmpty)
        let error = #expect(throws: GateError.self) {
            try device.applied(.logIn(name: "anna", password: Device.password), as: .anna)
        }
        #expect(error?.reason == .storeDamaged)
        try device.apply(.recover, as: .root)
        #expect(device.state.signIn.needsAuthentication)
    }
}

extension Device {
    /// Applies a command to a copy; a refused one changes nothing anyway.
    func applied(_ command: Command, as peer: Peer) throws(GateError) {
        var copy = self
        try copy.apply(command, as: peer)
    }
}
