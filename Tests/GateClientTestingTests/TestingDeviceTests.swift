import GateClient
import Testing

@testable import GateClientTesting

private let policy = """
    mode: {challenge: arithmetic-entry, lease: 15m}
    sign-in: {session: 1h}
    entitlements: {premium: {title: Premium}}
    gated-actions:
      link.open: {title: Open a web page, requires: {challenge: arithmetic-choice}}
      photos.delete: {title: Delete photos, requires: {challenge: passcode}}
      stars.count: {title: Count the stars, requires: {challenge: hold}}
      premium.filters: {title: Premium filters, requires: {all: [signed-in, {entitlement: premium}]}}
    """

@Suite("A device for the tests of apps")
struct TestingDeviceTests {
    @Test("the person answers what the app asks, as the test says (F-59)")
    func answers() async throws {
        try await TestingDevice.with(policy: policy) { device in
            let gate = device.client(programName: "my-app")
            #expect(await gate.reason { try await $0.authorize("link.open") {} } == nil)
            for (answers, reason) in [
                (TestingPerson.Answers.wrong, GateError.Reason.wrongAnswer), (.dismissal, .dismissed),
                (.nobodyThere, .noPresenter), (.right, nil),
            ] as [(TestingPerson.Answers, GateError.Reason?)] {
                await device.person.answers(answers)
                #expect(await gate.reason { try await $0.authorize("link.open") {} } == reason, "\(answers)")
            }
            #expect(device.person.shown.count == 4)
        }
    }

    @Test("the test's person can answer every kind of challenge right or wrong", arguments: Challenge.Kind.allCases)
    func everyKind(kind: Challenge.Kind) async throws {
        let question = """
            gated-actions: {a.b: {title: It, requires: {challenge: \(kind.rawValue)}}}
            questions:
              - id: legs
                difficulty: medium
                en: {question: How many legs has a spider?, right: Eight, wrong: [Two, Four, Six]}
            """
        try await TestingDevice.with(policy: question) { device in
            try await device.setPasscode("1234")
            try await device.setAuthenticator()
            let gate = device.client()
            #expect(await gate.reason { try await $0.authorize("a.b") {} } == nil)
            await device.person.answers(.wrong)
            let reason = await gate.reason { try await $0.authorize("a.b") {} }
            #expect(reason == (kind == .confirm ? .refused : .wrongAnswer))
        }
    }

    @Test("the app is told the age range that the test chooses, or nothing (Y-03)")
    func ageRange() async throws {
        try await TestingDevice.with(policy: policy) { device in
            let gate = device.client(programName: "my-app")
            #expect(try await gate.age.range() == nil)
            for range in [
                AgeRange(low: nil, high: 12, source: .guardian), AgeRange(low: 13, high: 15, source: .guardian),
                AgeRange(low: 16, high: 17, source: .guardian), AgeRange(low: 18, high: nil, source: .guardian),
                AgeRange(low: 18, high: nil, source: .grownUp), AgeRange(low: 2, high: 24, source: .guardian),
            ] {
                try await device.setAgeRange(range, toldTo: "my-app")
                #expect(try await gate.age.range() == range)
                #expect(try await device.client(programName: "another-app").age.range() == nil)
                #expect(try await device.client(.anotherUser, programName: "my-app").age.range() == nil)
            }
            try await device.setAgeRange(nil, toldTo: "my-app")
            #expect(try await gate.age.range() == nil)
        }
    }

    @Test("the app of a test has a name by default, and a range goes on to the next when the clock is turned (Y-03)")
    func nextAgeRange() async throws {
        try await TestingDevice.with(policy: policy) { device in
            try await device.setAgeRange(AgeRange(low: nil, high: 12, source: .guardian))
            let gate = device.client()
            #expect(try await gate.age.range()?.high == 12)
            await device.advance(by: .seconds(367 * 24 * 3600))
            #expect(try await gate.age.range() == AgeRange(low: nil, high: 12, source: .guardian))
            await device.advance(by: .seconds(367 * 24 * 3600))
            #expect(try await gate.age.range() == AgeRange(low: 13, high: 15, source: .guardian))
            await #expect(throws: GateError.self) {
                try await device.setAgeRange(AgeRange(low: 5, high: 5, source: .guardian))
            }
        }
    }

    @Test("an unanswered question and a lease expire when the test advances the clock")
    func time() async throws {
        try await TestingDevice.with(policy: policy) { device in
            let gate = device.client()
            #expect(try await gate.mode.toggle().mode == .parent)
            await device.advance(by: .seconds(14 * 60))
            #expect(try await gate.mode.state().mode == .parent)
            await device.advance(by: .seconds(60))
            #expect(try await gate.mode.state().mode == .child)

            await device.person.answers(.nothing)
            async let reason = gate.reason { try await $0.mode.toggle() }
            while try await gate.mode.state().mode != .verifying { await Task.yield() }
            await device.advance(by: .seconds(3600))
            #expect(await reason == .expired)
        }
    }

    @Test("an app that reads the status page gets this device's, until the daemon is lost (G-06)")
    func statusPage() async throws {
        try await TestingDevice.with(policy: policy) { device in
            let gate = device.client()
            #expect(gate.status.isLive && gate.status.mode == .child && !gate.status.isSubscriptionActive)
            #expect(try await gate.mode.toggle().mode == .parent)
            #expect(gate.status.mode == .parent)
            try await device.subscribe("premium", for: .seconds(3600))
            #expect(gate.status.isSubscriptionActive)
            #expect(try await gate.control.ping().revision == gate.status.revision)
            await device.advance(by: .seconds(15 * 60))
            #expect(gate.status.mode == .child && gate.status.isSubscriptionActive)
            await device.advance(by: .seconds(3600))
            #expect(!gate.status.isSubscriptionActive && gate.status.isLive)
            await device.stopDaemon()
            #expect(gate.status == .closed)
        }
    }

    @Test("accounts are real: a wrong password is refused, a session expires, and a child has an age (F-48)")
    func accounts() async throws {
        try await TestingDevice.with(policy: policy) { device in
            let gate = device.client()
            let born = try #require(CivilDate(year: 2018, month: 5, day: 1))
            try await device.register("anna", password: "hunter2", kind: .child(born: born))
            let wrong = await gate.reason {
                try await $0.signIn.logIn(name: "anna", password: GateSecret("hunter1".utf8))
            }
            #expect(wrong == .wrongPassword)
            try await device.signIn("anna")
            let state = try await gate.signIn.state()
            #expect(state.session?.name == "anna" && state.session?.isChild == true)
            try await device.expireSession()
            #expect(try await gate.signIn.state().session == nil)
            try await device.signIn("anna")
            try await device.signOut()
            #expect(try await gate.signIn.state().session == nil)
            await #expect(throws: GateError.self) { try await device.signIn("nobody") }
        }
    }

    @Test("the person signs in and pays, and the app is granted; after a dismissal it is not (F-15)")
    func steps() async throws {
        try await TestingDevice.with(policy: policy) { device in
            let gate = device.client()
            try await device.register("anna")
            await device.person.answers(.dismissal)
            #expect(await gate.reason { try await $0.authorize("premium.filters") {} } == .dismissed)
            await device.person.answers(.right)
            #expect(await gate.reason { try await $0.authorize("premium.filters") {} } == nil)
            #expect(try await gate.signIn.state().session?.name == "anna")
            #expect(try await gate.entitlements.state().entitlements.first?.source?.holder == .account("anna"))
            let kinds = device.person.shown.map(\.kind)
            #expect(kinds == [.signIn, .signIn, .paywall])
        }
    }

    @Test(
        "while nobody is signed in the cover blocks apps and can't be dismissed; then it closes by itself (F-49, F-64)")
    func cover() async throws {
        try await TestingDevice.with(policy: "sign-in: {required: true}") { device in
            let gate = device.client()
            await device.person.answers(.dismissal)
            try await device.register("anna", password: "hunter2")
            var blocked = gate.isBlockedUpdates.makeAsyncIterator()
            #expect(await blocked.next() == true)
            #expect(try await gate.signIn.state().needsAuthentication)
            // It was on the screen while it was dismissed, and is taken over by the one who knows the password.
            await device.person.answers(.right)
            #expect(await blocked.next() == false)
            #expect(try await gate.signIn.state().session?.name == "anna")
            try await device.signOut()
            #expect(await blocked.next() == true)
            #expect(await blocked.next() == false)
        }
    }

    @Test("a test can register its own presenter once its person is gone")
    func ownPresenter() async throws {
        try await TestingDevice.with(policy: policy) { device in
            await device.person.answers(.nobodyThere)
            let screen = device.client(.presenter)
            let abilities = PresenterAbilities(challenges: [.arithmeticChoice], styles: [.sheet])
            var events = screen.presentations.events(for: abilities).makeAsyncIterator()
            guard case .registered = await events.next() else {
                Issue.record("not registered")
                return
            }
            let gate = device.client(programName: "my-app")
            async let reason = gate.reason { try await $0.authorize("link.open", details: "https://a.example") {} }
            guard case .show(let open) = await events.next() else {
                Issue.record("nothing to show")
                return
            }
            #expect(open.asked.program == "my-app" && open.asked.details == "https://a.example")
            try await open.dismiss()
            #expect(await reason == .dismissed)
        }
    }

    @Test("two devices in one test know nothing of each other")
    func sideBySide() async throws {
        try await TestingDevice.with(policy: policy) { one in
            try await TestingDevice.with(policy: policy) { other in
                try await one.subscribe("premium")
                #expect(try await one.client().entitlements.isSubscriptionActive())
                #expect(try await !other.client().entitlements.isSubscriptionActive())
            }
        }
    }

    @Test("a policy with mistakes is refused with its lines")
    func badPolicy() async {
        await #expect(throws: (any Error).self) { try await TestingDevice(policy: "gated-actions: {a.b: 3}") }
    }

    @Test("after the daemon stops, watchers fail closed and calls fail (F-71)")
    func daemonStopped() async throws {
        try await TestingDevice.with(policy: policy) { device in
            let gate = device.client()
            try await device.subscribe("premium")
            var changes = gate.entitlementUpdates.makeAsyncIterator()
            #expect(await changes.next()?.isSubscriptionActive == true)
            await device.stopDaemon()
            #expect(await changes.next() == .closed)
            await #expect(throws: GateError.self) { try await gate.entitlements.isSubscriptionActive() }
        }
    }

    @Test("a daemon that hangs keeps nobody in parent mode past the lease, by the clock of the device (F-71, G-02)")
    func daemonHangs() async throws {
        try await TestingDevice.with(policy: policy) { device in
            var options = device.client().options
            options.clock?.grace = .milliseconds(10)
            let gate = GateClient(options)
            var modes = gate.modeUpdates.makeAsyncIterator()
            #expect(await modes.next() == .child)
            await device.person.answers(.right)
            let lease = try await gate.mode.toggle()
            while await modes.next() != .parent {}
            // The alarm does not ring, so that the daemon reports nothing.
            device.clock.turn(to: try #require(lease.deadline))
            #expect(await modes.next() == .child)
            await gate.close()
        }
    }

    @Test("stopping a device ends its clients' watches, and stopping it twice does no harm")
    func stopped() async throws {
        let device = try await TestingDevice(policy: policy)
        let gate = device.client()
        var modes = gate.modeUpdates.makeAsyncIterator()
        #expect(await modes.next() == .child)
        await device.stop()
        await device.stop()
        #expect(await modes.next() == nil)
        await #expect(throws: GateError.self) { try await gate.entitlements.isSubscriptionActive() }
    }
}

extension GateClient {
    /// The reason of the refusal; `nil` if it was not refused.
    func reason(_ body: (GateClient) async throws -> Void) async -> GateError.Reason? {
        do {
            try await body(self)
            return nil
        } catch let error as GateError {
            return error.reason
        } catch {
            return .unspecified
        }
    }
}
