import GateClient
import TTRPCTransport
import Testing

private let here = Revision(epoch: 7, number: 5)

/// A question that can be answered for long enough, or whose deadline is past by this device's clock.
private func question(
    _ purpose: Presentation.Purpose = .enterParentMode, deadline: BootTime = .now().advanced(by: .seconds(3600))
) -> Presentation {
    Presentation(
        id: 1, cookie: Cookie(bytes: Array(1...24)), purpose: purpose, deadline: deadline, style: .sheet,
        isDismissible: true,
        challenge: .arithmeticChoice(ArithmeticProblem(left: 6, operator: .times, right: 7), choices: [41, 42, 48]))
}

private func verifying(_ question: Presentation) -> ModeState {
    ModeState(mode: .verifying, deadline: question.deadline)
}

private let parent = ModeState(mode: .parent, deadline: BootTime(nanoseconds: 900))

private func snapshot(_ state: ModeState) -> WatchResponse {
    WatchResponse(firstNumber: 5, revision: here, isSnapshot: true, mode: state)
}

/// A program that shows a question to nobody until it is told to take it away.
@Sendable private func nobodyAnswers(_ presentation: Presentation) async -> PresentationAnswer {
    let (never, _) = AsyncStream.makeStream(of: Void.self)
    for await _ in never {}
    return .dismiss
}

@Suite("Programs that show their questions themselves")
struct PresentingTests {
    @Test("parent mode is left without a question (F-04)")
    func leaving() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.result { _ in
                Issue.record("a question was shown")
                return .dismiss
            }
            let toggle = try await server.expect("gate.v1.Mode/Toggle")
            #expect(try ToggleRequest(decoding: toggle.request.payload).presentsItself)
            await toggle.respond(ToggleResponse(revision: here, state: .closed))
            #expect(await result == .success(.closed))
            try await server.stop()
        }
    }

    @Test("an answer goes to the daemon with the question's cookie, on the connection that asked (F-07)")
    func answers() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.result { presentation in
                #expect(presentation.id == 1)
                return .answer("42")
            }
            let toggle = try await server.begin()
            let complete = try await server.expectIgnoringWatch("gate.v1.Presentations/Complete")
            #expect(complete.connection === toggle.connection)
            #expect(
                try CompleteRequest(decoding: complete.request.payload)
                    == CompleteRequest(cookie: question().cookie, answer: "42"))
            await complete.respond(CompleteResponse(revision: here, state: parent))
            #expect(await result == .success(parent))
            try await server.stop()
        }
    }

    @Test("a wrong answer is thrown")
    func wrongAnswer() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let wrong = GateError(.failedPrecondition, .wrongAnswer, "That is wrong.")
            async let result = gate.result { _ in .answer("41") }
            _ = try await server.begin()
            try await server.expectIgnoringWatch("gate.v1.Presentations/Complete").fail(wrong)
            #expect(await result == .failure(wrong))
            try await server.stop()
        }
    }

    @Test("a dismissal is told to the daemon, and thrown (F-07)")
    func dismissal() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.result { _ in .dismiss }
            _ = try await server.begin()
            let dismiss = try await server.expectIgnoringWatch("gate.v1.Presentations/Dismiss")
            await dismiss.respond(DismissResponse(revision: here, state: .closed))
            guard case .failure(let error) = await result else {
                Issue.record("it succeeded")
                return
            }
            #expect(error.code == .cancelled && error.reason == .dismissed)
            try await server.stop()
        }
    }

    @Test("an answer that is none is thrown, and the question is not left open")
    func senseless() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let senseless = GateError(.invalidArgument, .invalidRequest, "Not a number.")
            async let result = gate.result { _ in .answer("abc") }
            _ = try await server.begin()
            try await server.expectIgnoringWatch("gate.v1.Presentations/Complete").fail(senseless)
            let dismiss = try await server.expectIgnoringWatch("gate.v1.Presentations/Dismiss")
            await dismiss.respond(DismissResponse(revision: here, state: .closed))
            #expect(await result == .failure(senseless))
            try await server.stop()
        }
    }

    @Test("a question that is withdrawn is taken off the screen")
    func withdrawn() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.result(nobodyAnswers)
            _ = try await server.begin()
            let watch = try await server.expect("gate.v1.Watch/Watch")
            await watch.send(snapshot(verifying(question())))
            await watch.send(WatchResponse(firstNumber: 6, revision: here, isSnapshot: false, mode: .closed))
            guard case .failure(let error) = await result else {
                Issue.record("it succeeded")
                return
            }
            #expect(error.code == .aborted && error.reason == .closed)
            try await server.stop()
        }
    }

    @Test("a question dies with the daemon")
    func daemonLost() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.result(nobodyAnswers)
            let toggle = try await server.begin()
            _ = try await server.expect("gate.v1.Watch/Watch")
            await toggle.closeConnection()
            #expect(await result.code == .unavailable)
            try await server.stop()
        }
    }

    @Test("a cancelled task dismisses its question")
    func cancelled() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let task = Task { await gate.result(nobodyAnswers) }
            _ = try await server.begin()
            _ = try await server.expect("gate.v1.Watch/Watch")
            task.cancel()
            var names: [String] = []
            while names.last != "gate.v1.Presentations/Dismiss" {
                let exchange = try await server.next()
                names.append(exchange.name)
                if exchange.name == "gate.v1.Presentations/Dismiss" {
                    await exchange.respond(DismissResponse(revision: here, state: .closed))
                }
            }
            #expect(await task.value.code == .cancelled)
            try await server.stop()
        }
    }

    @Test("a daemon that refuses the watch does not take the question away")
    func withoutWatch() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let (answers, answer) = AsyncStream.makeStream(of: String.self)
            async let result = gate.result { _ in
                for await text in answers { return .answer(text) }
                return .dismiss
            }
            _ = try await server.begin()
            try await server.expect("gate.v1.Watch/Watch").fail(GateError(.resourceExhausted, .limit, "Too many."))
            answer.yield("42")
            let complete = try await server.expectIgnoringWatch("gate.v1.Presentations/Complete")
            await complete.respond(CompleteResponse(revision: here, state: parent))
            #expect(await result == .success(parent))
            try await server.stop()
        }
    }

    @Test("a deadline on another clock than ours is left to the daemon")
    func otherClock() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let open = gate.beginToggle().open
            let toggle = try await server.expect("gate.v1.Mode/Toggle")
            let past = question(deadline: BootTime(nanoseconds: 1))
            await toggle.respond(ToggleResponse(revision: here, state: verifying(past), presentation: past))
            #expect(try await open?.sharesClock == false)
            try await server.stop()
        }
    }

    @Test("a longer lease is asked for in the same way, and stays parent meanwhile")
    func extends() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = try gate.extend(for: .seconds(300)) { _ in .answer("42") }
            let extend = try await server.expect("gate.v1.Mode/Extend")
            #expect(
                try ExtendRequest(decoding: extend.request.payload)
                    == ExtendRequest(duration: .seconds(300), presentsItself: true))
            await extend.respond(
                ExtendResponse(revision: here, state: parent, presentation: question(.extendParentMode)))
            let complete = try await server.expectIgnoringWatch("gate.v1.Presentations/Complete")
            await complete.respond(CompleteResponse(revision: here, state: parent))
            #expect(try await result == parent)
            try await server.stop()
        }
    }
}

extension GateClient {
    fileprivate func result(
        _ present: @escaping @Sendable (Presentation) async -> PresentationAnswer
    ) async -> Result<ModeState, GateError> {
        do throws(GateError) {
            return .success(try await toggle(present))
        } catch {
            return .failure(error)
        }
    }
}

extension ScriptedServer {
    /// Opens the question.
    fileprivate func begin() async throws -> Exchange {
        let toggle = try await expect("gate.v1.Mode/Toggle")
        let question = question()
        await toggle.respond(ToggleResponse(revision: here, state: verifying(question), presentation: question))
        return toggle
    }

    /// The client also watches whether the question is withdrawn, and gives that up; when is its own affair.
    fileprivate func expectIgnoringWatch(_ name: String) async throws -> Exchange {
        while true {
            let exchange = try await next()
            if exchange.name == name { return exchange }
            guard ["gate.v1.Watch/Watch", "gate.v1.Control/Cancel"].contains(exchange.name) else {
                throw Unexpected(name: exchange.name)
            }
        }
    }
}
