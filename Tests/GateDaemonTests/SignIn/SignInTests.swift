import GateModel
import GateProtocol
import Testing

@testable import GateCore
@testable import GateDaemon

@Suite("Signing in over the wire", .timeLimit(.minutes(10)))
struct SignInTests {
    private static let policy = LiveGate.signInPolicy

    @Test("a registered person signs in, everybody sees who it is, and anybody may sign them out")
    func inAndOut() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, store in
            let (root, anna, ben) = (
                try await gate.connect("root"), try await gate.connect("anna"), try await gate.connect("ben")
            )
            let nobody = SignInState(session: nil, isAuthenticating: false, needsAuthentication: true)
            #expect(try await ben.signIn() == nobody)
            try await root.register("Anna", "open sesame", .child(born: CivilDate("2016-05-04")))
            let state = try await anna.logIn("Anna", "open sesame")
            #expect(state.session?.name == "Anna")
            #expect(state.session?.isChild == true)
            #expect(state.session?.deadline == gate.clock.bootTime().advanced(by: .seconds(12 * 3600)))
            #expect(try await ben.signIn() == state)
            #expect(await ben.refusalToLogIn("Anna", "open sesame")?.reason == .signedIn)
            let out = try await ben.call(Methods.SignIn.logOut, LogOutRequest()).state
            #expect(out.needsAuthentication)
            // The cover disappears and comes back.
            #expect(store.kinds.suffix(4) == [.signInOpened, .signedIn, .signedOut, .signInOpened])
        }
    }

    @Test("a wrong password and an unknown name get the same refusal and journal entries")
    func indistinguishable() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, store in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            try await root.register("Anna", "open sesame")
            let journalled = store.kinds.count
            let wrong = await anna.refusalToLogIn("Anna", "open barley")
            let unknown = await anna.refusalToLogIn("Nobody", "open barley")
            #expect(wrong?.code == .unauthenticated)
            #expect(wrong?.message == "Wrong name or password.")
            #expect(wrong == unknown)
            let new = Array(store.kinds[journalled...])
            #expect(new.count % 2 == 0)
            #expect(new.prefix(new.count / 2) == new.suffix(new.count / 2))
            #expect(!new.isEmpty)
        }
    }

    @Test(
        "a typed password of any length is accepted, and an impossible one counts as wrong",
        arguments: [1, 3, 128, 129, 60_000])
    func typedLengths(count: Int) async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            try await root.register("Anna", "1111")
            let typed = String(repeating: "1", count: count)
            #expect(await anna.refusalToLogIn("Anna", typed)?.reason == .wrongPassword)
            #expect(await anna.refusalToLogIn("Anna", "")?.code == .invalidArgument)
        }
    }

    @Test(
        "a new password has 4 to 128 bytes, and the refusal speaks of passwords",
        arguments: [3, 4, 128, 129])
    func newLengths(count: Int) async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let root = try await gate.connect("root")
            let password = String(repeating: "1", count: count)
            let refusal = await root.refusal(of: Methods.SignIn.register, .init("Anna", password))
            #expect(refusal?.code == ((4...128).contains(count) ? nil : .invalidArgument))
            #expect(!(refusal?.message.contains("passcode") ?? false))
            try await root.register("Ben", "open sesame")
            let change = await root.refusal(
                of: Methods.SignIn.changePassword, .init("Ben", from: nil, to: password))
            #expect(change?.code == refusal?.code)
        }
    }

    @Test("a user's second log-in at the same time is refused, and another user's is not delayed (T-04)")
    func twoAtOnce() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna, ben) = (
                try await gate.connect("root"), try await gate.connect("anna"), try await gate.connect("ben")
            )
            try await root.register("Anna", "open sesame")
            let plug = await Plug(in: gate.authority)
            async let first = anna.logIn("Anna", "open sesame")
            try await PresenterTests.until { try await ben.signIn().isAuthenticating }
            let other = try await gate.connect("anna")
            #expect(await other.refusalToLogIn("Bea", "open sesame")?.reason == .authenticating)
            async let second = ben.refusalToLogIn("Anna", "open barley")
            try await PresenterTests.until { await gate.authority.head.passwordChecks.waits.count == 2 }
            plug.pull()
            #expect(try await first.session?.name == "Anna")
            #expect(await second?.reason == .wrongPassword)
        }
    }

    @Test("a caller that dies while being checked lets others try at once; the guess counts all the same")
    func deathOfTheCaller() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna, ben) = (
                try await gate.connect("root"), try await gate.connect("anna"), try await gate.connect("ben")
            )
            try await root.register("Anna", "open sesame")
            let plug = await Plug(in: gate.authority)
            let guess = Task { await anna.refusalToLogIn("Anna", "open barley") }
            try await PresenterTests.until { try await ben.signIn().isAuthenticating }
            await anna.close()
            _ = await guess.value
            try await PresenterTests.until { try await !ben.signIn().isAuthenticating }
            plug.pull()
            #expect(try await ben.logIn("Anna", "open sesame").session?.name == "Anna")
            // The outcome of Anna's guess may come later than Ben's.
            await gate.authority.settled()
            let lockouts = try await root.call(Methods.Authorization.listLockouts, ListLockoutsRequest()).elements
            #expect(lockouts.map(\.gate) == [.signIn(account: "Anna")])
            #expect(lockouts.map(\.owner) == [.user(1001)])
            #expect(lockouts.map(\.wrongAnswers) == [1])
        }
    }

    @Test("the right password of a caller that is gone signs nobody in")
    func deathWithTheRightPassword() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            try await root.register("Anna", "open sesame")
            let plug = await Plug(in: gate.authority)
            let guess = Task { await anna.refusalToLogIn("Anna", "open sesame") }
            try await PresenterTests.until { try await root.signIn().isAuthenticating }
            await anna.close()
            _ = await guess.value
            // The daemon has noticed it.
            try await PresenterTests.until { try await !root.signIn().isAuthenticating }
            plug.pull()
            await gate.authority.settled()
            #expect(try await root.signIn().session == nil)
        }
    }

    @Test(
        "a check that is lost with a commit tells nothing of the password",
        arguments: ["open sesame", "open barley"])
    func lostCheck(typed: String) async throws {
        try await LiveGate.with(policy: Self.policy) { gate, store in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            try await root.register("Anna", "open sesame")
            let plug = await Plug(in: gate.authority)
            async let refusal = anna.refusalToLogIn("Anna", typed)
            try await PresenterTests.until { try await root.signIn().isAuthenticating }
            store.setFull(true)
            plug.pull()
            await gate.authority.settled()
            store.setFull(false)
            #expect(await refusal?.code == .unavailable)
            #expect(try await root.signIn().session == nil)
            let lockouts = try await root.call(Methods.Authorization.listLockouts, ListLockoutsRequest()).elements
            #expect(lockouts.isEmpty)
        }
    }

    @Test("a log-in that takes too long is refused, and its attempt ends")
    func tooLong() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            try await root.register("Anna", "open sesame")
            let plug = await Plug(in: gate.authority)
            async let refusal = anna.refusalToLogIn("Anna", "open sesame")
            try await PresenterTests.until { try await root.signIn().isAuthenticating }
            // This does not use `advance`, which would wait for the hashing.
            await gate.ringLate(by: .seconds(31))
            #expect(await refusal?.code == .deadlineExceeded)
            #expect(try await !root.signIn().isAuthenticating)
            plug.pull()
        }
    }

    @Test("a session that ends tells its watchers by itself, and they are asked to sign in again")
    func expiry() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, store in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            try await root.register("Anna", "open sesame")
            var watch = try await root.open(Methods.Watch.watch, WatchRequest(topics: [.signIn]))
            #expect(try await watch.next()?.signIn?.session == nil)
            _ = try await anna.logIn("Anna", "open sesame")
            var told = try await watch.next()
            while told?.signIn?.session == nil { told = try await watch.next() }
            #expect(told?.mode == nil)
            #expect(told?.entitlements == nil)
            await gate.advance(by: .seconds(12 * 3600))
            let ended = try #require(try await watch.next()?.signIn)
            #expect(ended == SignInState(session: nil, isAuthenticating: false, needsAuthentication: true))
            #expect(store.kinds.contains(.sessionExpired))
        }
    }

    @Test("an expired session is over, even if the disk can't record it")
    func expiryThatCannotBeRecorded() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, store in
            let (root, anna) = (try await gate.connect("root"), try await gate.connect("anna"))
            try await root.register("Anna", "open sesame")
            _ = try await anna.logIn("Anna", "open sesame")
            var watch = try await root.open(Methods.Watch.watch, WatchRequest(topics: [.signIn]))
            #expect(try await watch.next()?.signIn?.session != nil)
            store.setFull(true)
            await gate.ringLate(by: .seconds(12 * 3600))
            #expect(try await anna.signIn().session == nil)
            #expect(try await anna.signIn().needsAuthentication)
            let error = await #expect(throws: GateError.self) { while try await watch.next() != nil {} }
            #expect(error?.code == .unavailable)
        }
    }

    @Test("the cover is on grown-ups' screens exactly while somebody has to sign in")
    func cover() async throws {
        try await LiveGate.with(policy: Self.policy) { gate, _ in
            let (root, mother, anna) = (
                try await gate.connect("root"), try await gate.connect("mother"), try await gate.connect("anna")
            )
            try await root.register("Anna", "open sesame")
            var stream = try await mother.open(
                Methods.Presentations.register, RegisterPresenterRequest(abilities: .everything))
            let offered = try #require(try await stream.next()?.presentation)
            #expect(offered.kind == .signIn)
            #expect(!offered.isDismissible)
            let cover = try await mother.call(Methods.Presentations.claim, ClaimRequest(id: offered.id)).presentation
            let refusal = await mother.refusal(of: Methods.Presentations.dismiss, DismissRequest(cookie: cover.cookie))
            #expect(refusal?.reason == .notDismissible)
            _ = try await mother.logIn("Anna", "open sesame")
            while try await stream.next()?.presentation != nil {}
            _ = try await anna.call(Methods.SignIn.logOut, LogOutRequest())
            let again = try #require(try await stream.next()?.presentation)
            _ = try await root.call(Methods.Presentations.withdraw, WithdrawRequest(id: again.id))
            while try await stream.next()?.presentation != nil {}
            let byOthers = await anna.refusal(of: Methods.Presentations.withdraw, WithdrawRequest(id: again.id))
            #expect(byOthers?.code == .permissionDenied)
        }
    }
}
