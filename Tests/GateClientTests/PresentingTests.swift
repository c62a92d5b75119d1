import GateProtocol
import TTRPCTransport
import Testing

@testable import GateClient

private func verifying(_ question: Presentation) -> ModeState {
    ModeState(mode: .verifying, deadline: question.deadline)
}

private let parent = ModeState(mode: .parent, deadline: BootTime(nanoseconds: 900))

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
            #expect(
                try ToggleRequest(decoding: toggle.request.payload) == ToggleRequest(presenting: .elsewhereIfPossible))
            await toggle.respond(ToggleResponse(revision: here, state: .closed))
            #expect(await result == .success(.closed))
            try await server.stop()
        }
    }

    @Test("if a presenter shows the question, this program shows nothing")
    func presenterFirst() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let wrong = GateError(.failedPrecondition, .wrongAnswer, "That is wrong.")
            async let result = gate.result { _ in
                Issue.record("a question was shown")
                return .dismiss
            }
            try await server.expect("gate.v1.Mode/Toggle").fail(wrong)
            #expect(await result == .failure(wrong))
            try await server.stop()
        }
    }

    @Test("a program that can't show questions is told if nobody else can")
    func withoutPresenting() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.result(nil)
            try await server.expect("gate.v1.Mode/Toggle").fail(.noPresenter)
            #expect(await result == .failure(.noPresenter))
            try await server.stop()
        }
    }

    @Test("an answer goes to the daemon with the question's cookie, on the connection that asked (F-07)")
    func answers() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.result { open in
                #expect(open.id == 1 && open.challenge == question().challenge && open.asked.program == "game")
                return .answer(.text("42"))
            }
            let toggle = try await server.begin()
            let complete = try await server.expectIgnoringWatch("gate.v1.Presentations/Complete")
            #expect(complete.connection === toggle.connection)
            #expect(
                try CompleteRequest(decoding: complete.request.payload)
                    == CompleteRequest(cookie: question().cookie, answer: .text("42")))
            await complete.respond(CompleteResponse(revision: here, state: parent))
            #expect(await result == .success(parent))
            try await server.stop()
        }
    }

    @Test("a wrong answer is thrown to the caller")
    func wrongAnswer() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let wrong = GateError(.failedPrecondition, .wrongAnswer, "That is wrong.")
            async let result = gate.result { _ in .answer(.text("41")) }
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

    @Test("a question that is withdrawn is taken off the screen")
    func withdrawn() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.result(nobodyAnswers)
            _ = try await server.begin()
            let watch = try await server.expect("gate.v1.Watch/Watch")
            #expect(try WatchRequest(decoding: watch.request.payload) == WatchRequest(topics: [.presentations]))
            await watch.send(openNow([question().summary(.claimed)]))
            await watch.send(openNow([question().summary(.shown), question(2).summary(.waiting)], number: 6))
            await watch.send(openNow([question(2).summary(.claimed)], number: 7))
            #expect(await result.reason == .closed)
            try await server.stop()
        }
    }

    @Test("a question ends when the daemon is lost")
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
                for await text in answers { return .answer(.text(text)) }
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

    @Test("a deadline that may be on another clock is left to the daemon")
    func otherClock() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let open = gate.mode.beginToggle().presentation
            let toggle = try await server.expect("gate.v1.Mode/Toggle")
            let past = question(deadline: BootTime(nanoseconds: 1))
            await toggle.respond(ToggleResponse(revision: here, state: verifying(past), presentation: past))
            #expect(try await open?.sharesClock == false)
            try await server.stop()
        }
    }

    @Test("extending a lease asks a question in the same way, and the mode stays parent meanwhile")
    func extends() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = try gate.mode.extend(for: .seconds(300)) { _ in .answer(.text("42")) }
            let extend = try await server.expect("gate.v1.Mode/Extend")
            #expect(
                try ExtendRequest(decoding: extend.request.payload)
                    == ExtendRequest(duration: .seconds(300), presenting: .elsewhereIfPossible))
            await extend.respond(
                ExtendResponse(revision: here, state: parent, presentation: question(1, .extendParentMode)))
            let complete = try await server.expectIgnoringWatch("gate.v1.Presentations/Complete")
            await complete.respond(CompleteResponse(revision: here, state: parent))
            #expect(try await result == parent)
            try await server.stop()
        }
    }

    @Test("two questions one after the other are both shown, each with its own cookie")
    func oneAfterTheOther() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.result { open in .answer(.text("\(open.id)")) }
            _ = try await server.begin()
            let first = try await server.expectIgnoringWatch("gate.v1.Presentations/Complete")
            #expect(
                try CompleteRequest(decoding: first.request.payload)
                    == CompleteRequest(cookie: question(1).cookie, answer: .text("1")))
            await first.respond(
                CompleteResponse(revision: here, state: verifying(question(2)), result: .next(question(2))))
            let second = try await server.expectIgnoringWatch("gate.v1.Presentations/Complete")
            #expect(
                try CompleteRequest(decoding: second.request.payload)
                    == CompleteRequest(cookie: question(2).cookie, answer: .text("2")))
            await second.respond(CompleteResponse(revision: here, state: parent))
            #expect(await result == .success(parent))
            try await server.stop()
        }
    }

    @Test("a hold is reported when it is pressed and when it is released")
    func hold() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.result { open in
                try? await open.report(.pressed)
                return .answer(.released)
            }
            _ = try await server.begin()
            let report = try await server.expectIgnoringWatch("gate.v1.Presentations/Report")
            #expect(
                try ReportRequest(decoding: report.request.payload)
                    == ReportRequest(cookie: question().cookie, input: .pressed))
            await report.respond(ReportResponse())
            let complete = try await server.expectIgnoringWatch("gate.v1.Presentations/Complete")
            #expect(try CompleteRequest(decoding: complete.request.payload).answer == .released)
            await complete.respond(CompleteResponse(revision: here, state: parent))
            #expect(await result == .success(parent))
            try await server.stop()
        }
    }
}

@Suite("Values that are never printed")
struct SecrecyTests {
    @Test("no description shows a cookie, a proof or a secret")
    func descriptions() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let beginning = gate.mode.beginToggle().presentation
            let toggle = try await server.expect("gate.v1.Mode/Toggle")
            await toggle.respond(ToggleResponse(revision: here, state: .closed, presentation: question(0xAB)))
            let open = try #require(try await beginning)
            let secret = GateSecret("hunter2".utf8)
            let proof = Grant.Proof(bytes: Array(repeating: 0xAB, count: 24))
            let values: [Any] = [
                open, BegunRequest<ModeState>.open(open), PresenterEvent.show(open),
                PresenterStateMachine.News.show(open.presentation),
                PresentationAnswer.answer(.secret(secret)), SetPasscodeRequest(passcode: secret),
                EnrolTOTPRequest(key: secret, code: secret),
                CompleteRequest(cookie: open.presentation.cookie, answer: .secret(secret)),
                RedeemRequest(proof: proof, gatedAction: "link.open", details: ""),
                Grant(id: 1, proof: proof, gatedAction: "link.open", details: "", deadline: .now()),
            ]
            for value in values {
                var dumped = ""
                dump(value, to: &dumped)
                for text in ["\(value)", String(reflecting: value), dumped] {
                    // The secret as text, as bytes in a row, and as bytes on lines of their own.
                    for bytes in ["hunter2", "104, 117", "- 104\n", "171, 171", "- 171\n", "abab"] {
                        #expect(!text.lowercased().contains(bytes), "\(text)")
                    }
                }
            }
            try await server.stop()
        }
    }
}

extension ScriptedServer {
    /// Opens a question that no other program can show.
    fileprivate func begin() async throws -> Exchange {
        let toggle = try await expect("gate.v1.Mode/Toggle")
        #expect(try ToggleRequest(decoding: toggle.request.payload) == ToggleRequest(presenting: .elsewhereIfPossible))
        let question = question()
        await toggle.respond(ToggleResponse(revision: here, state: verifying(question), presentation: question))
        return toggle
    }
}
