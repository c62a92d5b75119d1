import GateClient
import GateProtocol
import TTRPCTransport
import Testing

private let registerMethod = "gate.v1.Presentations/RegisterPresenter"
private let claimMethod = "gate.v1.Presentations/Claim"
private let watchMethod = "gate.v1.Watch/Watch"

private let abilities = PresenterAbilities(challenges: [.arithmeticChoice, .confirm], styles: [.sheet])

private func offer(_ id: UInt64) -> RegisterPresenterResponse {
    RegisterPresenterResponse(presentation: question(id).summary(.offered))
}
private func held(_ id: UInt64) -> RegisterPresenterResponse {
    RegisterPresenterResponse(presentation: question(id).summary(.claimed))
}
private let nothing = RegisterPresenterResponse(presentation: nil)

extension ScriptedServer {
    /// Takes the registration, and offers a presentation at once.
    fileprivate func register(offering id: UInt64) async throws -> Exchange {
        let register = try await expect(registerMethod)
        #expect(
            try RegisterPresenterRequest(decoding: register.request.payload)
                == RegisterPresenterRequest(abilities: abilities))
        await register.send(offer(id))
        return register
    }

    /// Gives a presentation to the one who claims it.
    fileprivate func grantClaim(of presentation: Presentation, on register: Exchange) async throws {
        let claim = try await expectIgnoringWatch(claimMethod)
        #expect(try ClaimRequest(decoding: claim.request.payload) == ClaimRequest(id: presentation.id))
        #expect(claim.connection === register.connection)
        await register.send(held(presentation.id))
        await claim.respond(ClaimResponse(presentation: presentation))
    }
}

@Suite("Presenters")
struct PresenterTests {
    @Test("an offer is claimed and shown, its answer is sent with its cookie, and then it is closed")
    func wholeWay() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            var events = gate.presentations.events(for: abilities).makeAsyncIterator()
            async let registered = server.register(offering: 3)
            #expect(await events.next().isRegistered)
            let register = try await registered
            async let claimed: Void = server.grantClaim(of: question(3, .authorize), on: register)
            let open = try #require(await events.next().shown)
            try await claimed
            #expect(open.id == 3 && open.asked.details == "https://a.example")

            async let answered = open.complete(.text("42"))
            let complete = try await server.expect("gate.v1.Presentations/Complete")
            #expect(complete.connection === register.connection)
            #expect(
                try CompleteRequest(decoding: complete.request.payload)
                    == CompleteRequest(cookie: question(3).cookie, answer: .text("42")))
            await register.send(nothing)
            await complete.respond(CompleteResponse(revision: here, state: .closed))
            let completion = try await answered
            #expect(completion.next == nil && completion.grant == nil)
            #expect(await events.next().closed == 3)
            try await server.stop()
        }
    }

    @Test("a claim that lost the race is dropped silently: the next event is the next presentation")
    func lostRace() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            var events = gate.presentations.events(for: abilities).makeAsyncIterator()
            async let registered = server.register(offering: 3)
            #expect(await events.next().isRegistered)
            let register = try await registered
            async let claims: Void = {
                let claim = try await server.expect(claimMethod)
                await register.send(nothing)
                await claim.fail(GateError(.aborted, .closed, "Somebody else was quicker."))
                await register.send(offer(4))
                try await server.grantClaim(of: question(4), on: register)
            }()
            #expect(await events.next().shown?.id == 4)
            try await claims
            try await server.stop()
        }
    }

    @Test("of several messages only the newest counts: a presentation that was withdrawn meanwhile is not claimed")
    func newestMessage() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            var events = gate.presentations.events(for: abilities).makeAsyncIterator()
            async let registered = server.register(offering: 3)
            #expect(await events.next().isRegistered)
            let register = try await registered
            async let claims: Void = {
                let claim = try await server.expect(claimMethod)
                // Another presenter had the presentation and died before the claim arrived.
                await register.send(nothing)
                await register.send(offer(3))
                await register.send(held(3))
                await claim.respond(ClaimResponse(presentation: question(3)))
            }()
            #expect(await events.next().shown?.id == 3)
            try await claims
            for message in [offer(5), nothing, offer(6)] { await register.send(message) }
            // An answer to a call comes after everything that was sent before it.
            async let pong = gate.control.ping()
            try await server.expect("gate.v1.Control/Ping").respond(PingResponse(echo: [], revision: here))
            _ = try await pong
            #expect(await events.next().closed == 3)
            async let last: Void = server.grantClaim(of: question(6), on: register)
            #expect(await events.next().shown?.id == 6)
            try await last
            try await server.stop()
        }
    }

    @Test("a presentation that is withdrawn while it is shown is closed, and a waiting closure is told")
    func withdrawn() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            var events = gate.presentations.events(for: abilities).makeAsyncIterator()
            async let registered = server.register(offering: 3)
            #expect(await events.next().isRegistered)
            let register = try await registered
            async let claimed: Void = server.grantClaim(of: question(3), on: register)
            let open = try #require(await events.next().shown)
            try await claimed
            async let closing = open.waitUntilClosed()
            let watch = try await server.expect(watchMethod)
            #expect(watch.connection === register.connection)
            await watch.send(openNow([question(3).summary(.claimed)]))
            await watch.send(openNow([], number: 6))
            #expect(await closing.reason == .closed)
            await register.send(nothing)
            #expect(await events.next().closed == 3)
            try await server.stop()
        }
    }

    @Test(
        "a presentation that was handed back is closed for the program that showed it",
        arguments: [Presentation.Stage.offered, .waiting])
    func handedBack(stage: Presentation.Stage) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let beginning = gate.mode.beginToggle().presentation
            let toggle = try await server.expect("gate.v1.Mode/Toggle")
            await toggle.respond(ToggleResponse(revision: here, state: .closed, presentation: question()))
            let open = try #require(try await beginning)
            async let closing = open.waitUntilClosed()
            try await server.expect(watchMethod).send(openNow([question().summary(stage)]))
            #expect(await closing.reason == .closed)
            try await server.stop()
        }
    }

    @Test("after the daemon was lost it registers again, and what was on the screen is closed")
    func reconnects() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            var events = gate.presentations.events(for: abilities).makeAsyncIterator()
            async let registered = server.register(offering: 3)
            #expect(await events.next().isRegistered)
            let register = try await registered
            async let claimed: Void = server.grantClaim(of: question(3), on: register)
            let open = try #require(await events.next().shown)
            try await claimed
            await register.closeConnection()
            #expect(await events.next().closed == 3)
            #expect(await events.next().isLost)
            #expect(await open.waitUntilClosed().code == .unavailable)

            async let again = server.register(offering: 3)
            #expect(await events.next().isRegistered)
            #expect(try await again.connection !== register.connection)
            try await server.stop()
        }
    }

    @Test("without a daemon the loss is reported once, and cancelling ends the presenter")
    func nobodyThere() async throws {
        try await withSocketPath { path in
            let gate = client(of: path)
            let (told, tell) = AsyncStream.makeStream(of: PresenterEvent.self)
            let presenter = Task {
                for await event in gate.presentations.events(for: abilities) { tell.yield(event) }
                tell.finish()
            }
            var events = told.makeAsyncIterator()
            #expect(await events.next().isLost)
            presenter.cancel()
            #expect(await events.next() == nil)
        }
    }

    @Test("a program without the right to present gets the refusal, and its presenter ends")
    func refused() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let forbidden = GateError(.permissionDenied, .notPermitted, "You are no presenter.")
            var events = gate.presentations.events(for: abilities).makeAsyncIterator()
            async let refusal: Void = server.expect(registerMethod).fail(forbidden)
            guard case .refused(let error) = await events.next() else {
                Issue.record("it was not refused")
                return
            }
            try await refusal
            #expect(error == forbidden)
            #expect(await events.next() == nil)

            async let again: Void = server.expect(registerMethod).fail(forbidden)
            await #expect(throws: forbidden) { try await gate.presentations.present(abilities, nobodyAnswers) }
            try await again
            try await server.stop()
        }
    }

    @Test("a presenter that stops listening ends its stream at the daemon")
    func leaving() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let presenter = Task { try? await gate.presentations.present(abilities, nobodyAnswers) }
            let register = try await server.expect(registerMethod)
            await register.send(nothing)
            presenter.cancel()
            let cancel = try await server.expect("gate.v1.Control/Cancel")
            #expect(try CancelRequest(decoding: cancel.request.payload).streamID == register.request.streamID)
            _ = await presenter.value
            try await server.stop()
        }
    }

    @Test("closing the client ends its presenters")
    func closing() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let presenter: Void? = try? gate.presentations.present(abilities, nobodyAnswers)
            try await server.expect(registerMethod).send(nothing)
            await gate.close()
            _ = await presenter
            try await server.stop()
        }
    }

    @Test("present answers one question after another, and goes on after wrong answers, dismissals and withdrawals")
    func present() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let presenter = Task {
                try? await gate.presentations.present(abilities) { open in
                    switch open.id {
                    case 1: .answer(.text("41"))
                    case 2: .dismiss
                    case 3: await nobodyAnswers(open)
                    default: .answer(.text("yes"))
                    }
                }
            }
            let register = try await server.register(offering: 1)
            try await server.grantClaim(of: question(1), on: register)
            let wrong = GateError(.failedPrecondition, .wrongAnswer, "That is wrong.")
            try await server.expectIgnoringWatch("gate.v1.Presentations/Complete").fail(wrong)

            await register.send(offer(2))
            try await server.grantClaim(of: question(2), on: register)
            let dismiss = try await server.expectIgnoringWatch("gate.v1.Presentations/Dismiss")
            await dismiss.respond(DismissResponse(revision: here, state: .closed))

            await register.send(offer(3))
            try await server.grantClaim(of: question(3), on: register)
            try await server.watchOfQuestion().send(openNow([]))

            await register.send(offer(4))
            try await server.grantClaim(of: question(4), on: register)
            let complete = try await server.expectIgnoringWatch("gate.v1.Presentations/Complete")
            #expect(try CompleteRequest(decoding: complete.request.payload).cookie == question(4).cookie)
            presenter.cancel()
            _ = await presenter.value
            try await server.stop()
        }
    }

    @Test("a presenter that is stopped while it shows something does not dismiss it: the next one gets it")
    func stoppedWhileShowing() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let (shown, show) = AsyncStream.makeStream(of: Void.self)
            let presenter = Task {
                try? await gate.presentations.present(abilities) { open in
                    show.yield()
                    return await nobodyAnswers(open)
                }
            }
            let register = try await server.register(offering: 1)
            try await server.grantClaim(of: question(1), on: register)
            for await _ in shown { break }
            presenter.cancel()
            _ = await presenter.value
            // The stream is cancelled, and nothing else is asked: apart from that this is the next request.
            async let pong = gate.control.ping()
            let ping = try await server.expectIgnoringWatch("gate.v1.Control/Ping")
            await ping.respond(PingResponse(echo: [], revision: here))
            _ = try await pong
            try await server.stop()
        }
    }
}

extension ScriptedServer {
    /// The watch with which a client finds out whether what it shows now is still open.
    fileprivate func watchOfQuestion() async throws -> Exchange {
        while true {
            let exchange = try await next()
            if exchange.name == watchMethod { return exchange }
            guard exchange.name == "gate.v1.Control/Cancel" else { throw Unexpected(name: exchange.name) }
        }
    }
}

extension PresenterEvent? {
    fileprivate var isRegistered: Bool {
        if case .registered = self { true } else { false }
    }

    fileprivate var isLost: Bool {
        if case .lost = self { true } else { false }
    }

    fileprivate var shown: OpenPresentation? {
        if case .show(let open) = self { open } else { nil }
    }

    fileprivate var closed: UInt64? {
        if case .close(let id) = self { id } else { nil }
    }
}
