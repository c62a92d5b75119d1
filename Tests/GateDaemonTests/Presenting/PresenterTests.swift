import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Presenters", .timeLimit(.minutes(10)))
struct PresenterTests {
    @Test("only presenters and administrators may register", arguments: ["anna", "screen", "mother", "root"])
    func roles(person: String) async throws {
        try await LiveGate.with { gate, _ in
            let peer = try await gate.connect(person)
            var stream = try await peer.open(
                Methods.Presentations.register, RegisterPresenterRequest(abilities: .everything))
            do {
                let first = try await stream.next()
                #expect(person != "anna")
                #expect(first == RegisterPresenterResponse(presentation: nil))
            } catch let error as GateError {
                #expect(person == "anna")
                #expect(error.code == .permissionDenied)
            }
        }
    }

    @Test("the first claim wins, and the other presenter is told that there is nothing left")
    func firstClaim() async throws {
        try await LiveGate.with { gate, _ in
            let anna = try await gate.connect("anna")
            let (first, second) = (try await gate.connect("screen"), try await gate.connect("screen"))
            var (ours, theirs) = (try await first.register(), try await second.register())
            let call = Task { try await anna.call(Methods.Authorization.authorize, AuthorizeRequest("link.open")) }
            let offered = try #require(try await theirs.next()?.presentation)
            _ = try await first.claim(from: &ours)
            let refusal = await second.refusal(of: Methods.Presentations.claim, ClaimRequest(id: offered.id))
            #expect(refusal?.reason == .closed)
            #expect(try await theirs.next() == RegisterPresenterResponse(presentation: nil))
            #expect(try await ours.next()?.presentation?.stage == .claimed)
            call.cancel()
        }
    }

    @Test("a presenter that may not show a secret is told where it is asked, until it is closed (S-15)")
    func elsewhere() async throws {
        try await LiveGate.with { gate, _ in
            let (anna, root) = (try await gate.connect("anna"), try await gate.connect("root"))
            _ = try await root.call(
                Methods.Secrets.setPasscode, SetPasscodeRequest(passcode: GateSecret("open sesame".utf8)))
            let (child, own) = (try await gate.connect("screen"), try await gate.connect("mother"))
            var theirs = try await child.register()
            var abilities = PresenterAbilities.everything
            abilities.hasScreenOfItsOwn = true
            var ours = try await own.open(
                Methods.Presentations.register, RegisterPresenterRequest(abilities: abilities))
            #expect(try await ours.next() == RegisterPresenterResponse(presentation: nil))
            let call = Task { try await anna.call(Methods.Authorization.authorize, AuthorizeRequest("purchase")) }
            let shown = try await own.claim(from: &ours)
            let told = try #require(try await theirs.next())
            #expect(told.presentation == nil && told.elsewhere?.summary.id == shown.id)
            #expect(told.elsewhere?.place == .screenOfItsOwn)
            let refusal = await child.refusal(of: Methods.Presentations.claim, ClaimRequest(id: shown.id))
            #expect(refusal?.code == .permissionDenied)
            // The asker has gone.
            call.cancel()
            while let next = try await theirs.next(), next.elsewhere != nil {}
        }
    }

    /// How a presenter can leave.
    enum Leaving: CaseIterable {
        case connectionClosed
        case streamEnded
    }

    @Test("the presentation of a presenter that leaves goes to the next one", arguments: Leaving.allCases)
    func handedOver(leaving: Leaving) async throws {
        try await LiveGate.with { gate, _ in
            let anna = try await gate.connect("anna")
            let (first, second) = (try await gate.connect("screen"), try await gate.connect("mother"))
            var theirs = try await second.register()
            async let answer = anna.call(Methods.Authorization.authorize, AuthorizeRequest("link.open"))
            #expect(try await theirs.next()?.presentation != nil)
            let claimed = try await Self.claimAndLeave(first, leaving)
            #expect(try await theirs.next()?.presentation == nil)
            let shown = try await second.claim(from: &theirs)
            #expect(shown.id == claimed.id)
            #expect(shown.cookie != claimed.cookie)
            _ = try await second.complete(shown, shown.rightAnswer)
            #expect(try await answer.grant != nil)
        }
    }

    private static func claimAndLeave(_ peer: Connected, _ leaving: Leaving) async throws -> Presentation {
        var stream = try await peer.open(
            Methods.Presentations.register, RegisterPresenterRequest(abilities: .everything))
        let claimed = try await peer.claim(from: &stream)
        if leaving == .connectionClosed { await peer.close() }
        // The stream goes with this scope, and the client tells the daemon.
        return claimed
    }

    @Test("when the last presenter leaves, the waiting requester is told at once")
    func lastOneLeaves() async throws {
        try await LiveGate.with { gate, _ in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            var stream = try await screen.register()
            async let refusal = anna.refusal(of: Methods.Authorization.authorize, AuthorizeRequest("link.open"))
            _ = try await screen.claim(from: &stream)
            await screen.close()
            #expect(await refusal?.reason == .noPresenter)
        }
    }

    @Test("registering again on the same connection ends the former stream, and nothing else")
    func again() async throws {
        try await LiveGate.with { gate, _ in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            var before = try await screen.register()
            var after = try await screen.register()
            await #expect(throws: GateError.self) { try await before.next() }
            async let answer = anna.call(Methods.Authorization.authorize, AuthorizeRequest("link.open"))
            let shown = try await screen.claim(from: &after)
            _ = try await screen.complete(shown, shown.rightAnswer)
            #expect(try await answer.grant != nil)
        }
    }

    @Test("a question for a secret is offered to grown-ups' presenters alone")
    func secretKinds() async throws {
        try await LiveGate.with { gate, _ in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            let (mother, root) = (try await gate.connect("mother"), try await gate.connect("root"))
            _ = try await root.call(
                Methods.Secrets.setPasscode, SetPasscodeRequest(passcode: GateSecret("open sesame".utf8)))
            let stream = try await screen.register()
            let refusal = await anna.refusal(of: Methods.Authorization.authorize, AuthorizeRequest("purchase"))
            #expect(refusal?.reason == .noPresenter)
            var grownUp = try await mother.register()
            async let answer = anna.call(Methods.Authorization.authorize, AuthorizeRequest("purchase"))
            let shown = try await mother.claim(from: &grownUp)
            #expect(shown.challenge == .passcode)
            _ = try await mother.complete(shown, .secret(GateSecret("open sesame".utf8)))
            #expect(try await answer.grant != nil)
            _ = stream
        }
    }

    @Test("a registration that is lost with a failed commit ends its stream with that reason")
    func registrationLost() async throws {
        try await LiveGate.with { gate, store in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            store.hold()
            store.setFull(true)
            let call = Task {
                await anna.refusal(
                    of: Methods.Authorization.authorize, AuthorizeRequest("link.open", presenting: .here))
            }
            try await Self.until { await gate.authority.isCommitting }
            var stream = try await screen.open(
                Methods.Presentations.register, RegisterPresenterRequest(abilities: .everything))
            _ = try await screen.call(Methods.Control.ping, PingRequest(echo: []))
            store.release()
            #expect(await call.value?.reason == .storeFailed)
            let error = await #expect(throws: GateError.self) { try await stream.next() }
            #expect(error?.reason == .storeFailed)
        }
    }

    /// Lets other tasks go on until this is true.
    static func until(_ isSo: () async throws -> Bool) async throws {
        while !(try await isSo()) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
