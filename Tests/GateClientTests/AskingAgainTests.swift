import GateProtocol
import Synchronization
import TTRPCTransport
import Testing

@testable import GateClient

private let completeMethod = "gate.v1.Presentations/Complete"
private let dismissMethod = "gate.v1.Presentations/Dismiss"
private let abilities = PresenterAbilities(challenges: [.arithmeticChoice], styles: [.sheet])
private let parent = ModeState(mode: .parent, deadline: BootTime(nanoseconds: 900))
private let senseless = GateError(.invalidArgument, .invalidRequest, "That is not a whole number.")
private let unchecked = GateError(.unavailable, .failed, "The answer could not be checked.")

/// Gives these answers one after the other, the last one again and again, and records the questions.
private final class Person: Sendable {
    private let remaining: Mutex<[ChallengeAnswer]>
    private let asked = Mutex<[Showing]>([])

    struct Showing: Hashable {
        let id: UInt64
        let refusal: GateError?
    }

    init(_ answers: ChallengeAnswer...) {
        remaining = Mutex(answers)
    }

    var showings: [Showing] { asked.withLock { $0 } }

    func answer(_ open: OpenPresentation) -> PresentationAnswer {
        asked.withLock { $0.append(Showing(id: open.id, refusal: open.refusal)) }
        return .answer(remaining.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] })
    }
}

@Suite("Asking again after an answer that is refused")
struct AskingAgainTests {
    @Test(
        "a question whose answer was refused is shown again with the refusal, and then answered right",
        arguments: [senseless, unchecked])
    func second(refusal: GateError) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let person = Person(.text("90x"), .text("42"))
            async let result = gate.mode.toggle { person.answer($0) }
            try await server.begin()
            try await server.expectAnswer(.text("90x")).fail(refusal)
            if refusal == unchecked { try await server.answerPing() }
            let complete = try await server.expectAnswer(.text("42"))
            await complete.respond(CompleteResponse(revision: here, state: parent))
            #expect(try await result.mode == .parent)
            #expect(
                person.showings == [
                    Person.Showing(id: 1, refusal: nil), Person.Showing(id: 1, refusal: refusal),
                ])
            try await server.nothingButWatches(from: gate)
            try await server.stop()
        }
    }

    @Test("a presenter also shows a question again after a refused answer, and then goes on to the next question")
    func claimed() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let person = Person(.text("90x"), .text("42"))
            let presenter = Task { try? await gate.presentations.present(abilities) { person.answer($0) } }
            let register = try await server.expect("gate.v1.Presentations/RegisterPresenter")
            try await server.handOver(1, on: register)
            try await server.expectAnswer(.text("90x")).fail(senseless)
            let complete = try await server.expectAnswer(.text("42"))
            await complete.respond(CompleteResponse(revision: here, state: .closed))
            try await server.handOver(2, on: register)
            _ = try await server.expectAnswer(.text("42"), to: 2)
            #expect(
                person.showings == [
                    Person.Showing(id: 1, refusal: nil), Person.Showing(id: 1, refusal: senseless),
                    Person.Showing(id: 2, refusal: nil),
                ])
            presenter.cancel()
            _ = await presenter.value
            try await server.stop()
        }
    }

    @Test("the following question is shown without the refusal of the one before")
    func next() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let person = Person(.text("90x"), .text("42"))
            async let result = gate.mode.toggle { person.answer($0) }
            try await server.begin()
            try await server.expectAnswer(.text("90x")).fail(senseless)
            try await server.expectAnswer(.text("42")).respond(
                CompleteResponse(revision: here, state: .closed, result: .next(question(2))))
            try await server.expectAnswer(.text("42"), to: 2).respond(
                CompleteResponse(revision: here, state: parent))
            _ = try await result
            #expect(person.showings.last == Person.Showing(id: 2, refusal: nil))
            try await server.stop()
        }
    }

    @Test("after ten refused answers the question is dismissed, and the last refusal is thrown")
    func tenTimes() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let person = Person(.text("90x"))
            async let result = gate.result { person.answer($0) }
            try await server.begin()
            for _ in 1...10 { try await server.expectAnswer(.text("90x")).fail(senseless) }
            let dismiss = try await server.expectIgnoringWatch(dismissMethod)
            await dismiss.respond(DismissResponse(revision: here, state: .closed))
            #expect(await result == .failure(senseless))
            #expect(person.showings.count == 10)
            try await server.stop()
        }
    }

    @Test(
        "a presenter that gives up on a question dismisses it, so that the screen becomes free",
        arguments: [
            senseless, unchecked,
            GateError(.resourceExhausted, .guessesUsedUp, "This secret takes no more answers now."),
        ])
    func claimedTenTimes(refusal: GateError) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let presenter = Task { try? await gate.presentations.present(abilities) { _ in .answer(.text("90x")) } }
            let register = try await server.expect("gate.v1.Presentations/RegisterPresenter")
            try await server.handOver(1, on: register)
            for _ in 1...10 {
                try await server.expectAnswer(.text("90x")).fail(refusal)
                if refusal == unchecked { try await server.answerPing() }
            }
            let dismiss = try await server.expectIgnoringWatch(dismissMethod)
            #expect(try DismissRequest(decoding: dismiss.request.payload).cookie == question(1).cookie)
            await dismiss.respond(DismissResponse(revision: here, state: .closed))
            presenter.cancel()
            _ = await presenter.value
            try await server.stop()
        }
    }

    @Test("a question that is closed during its second showing is not shown a third time")
    func closedMeanwhile() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let showings = Mutex(0)
            let (again, showAgain) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                await gate.result { open in
                    showings.withLock { $0 += 1 }
                    if open.refusal == nil { return .answer(.text("90x")) }
                    showAgain.yield()
                    return await nobodyAnswers(open)
                }
            }
            try await server.begin()
            // The watch and the answer come in either order.
            var exchanges: [String: ScriptedServer.Exchange] = [:]
            for _ in 1...2 {
                let exchange = try await server.next()
                exchanges[exchange.name] = exchange
            }
            await exchanges[completeMethod]?.fail(senseless)
            for await _ in again { break }
            await exchanges["gate.v1.Watch/Watch"]?.send(openNow([]))
            #expect(await task.value.reason == .closed)
            #expect(showings.withLock { $0 } == 2)
            try await server.stop()
        }
    }

    @Test("a question that died with the connection while its answer was on its way is not shown again")
    func lost() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let person = Person(.text("42"))
            async let result = gate.result { person.answer($0) }
            try await server.begin()
            try await server.expectAnswer(.text("42")).closeConnection()
            #expect(await result.code == .unavailable)
            #expect(person.showings.count == 1)
            try await server.stop()
        }
    }
}

extension ScriptedServer {
    /// Opens question 1 for a program that shows it itself.
    fileprivate func begin() async throws {
        try await expect("gate.v1.Mode/Toggle").respond(
            ToggleResponse(revision: here, state: .closed, presentation: question()))
    }

    /// Offers a presentation to a presenter, and gives it when it is claimed.
    fileprivate func handOver(_ id: UInt64, on register: Exchange) async throws {
        await register.send(RegisterPresenterResponse(presentation: question(id).summary(.offered)))
        let claim = try await expectIgnoringWatch("gate.v1.Presentations/Claim")
        await register.send(RegisterPresenterResponse(presentation: question(id).summary(.claimed)))
        await claim.respond(ClaimResponse(presentation: question(id)))
    }

    fileprivate func expectAnswer(_ answer: ChallengeAnswer, to id: UInt64 = 1) async throws -> Exchange {
        let complete = try await expectIgnoringWatch(completeMethod)
        #expect(
            try CompleteRequest(decoding: complete.request.payload)
                == CompleteRequest(cookie: question(id).cookie, answer: answer))
        return complete
    }

    fileprivate func answerPing() async throws {
        let ping = try await expectIgnoringWatch("gate.v1.Control/Ping")
        await ping.respond(PingResponse(echo: [], revision: here))
    }

    /// Expects only watches until a ping arrives.
    fileprivate func nothingButWatches(from gate: GateClient) async throws {
        async let pong = gate.control.ping()
        try await answerPing()
        _ = try await pong
    }
}
