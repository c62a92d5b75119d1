import GateClient
import GateProtocol
import Synchronization
import TTRPCTransport
import Testing

private let authorizeMethod = "gate.v1.Authorization/Authorize"
private let redeemMethod = "gate.v1.Authorization/Redeem"
private let completeMethod = "gate.v1.Presentations/Complete"

private let wanted = AuthorizationRequest(gatedAction: "link.open", details: "https://a.example")
private let granted = Grant(
    id: 9, proof: Grant.Proof(bytes: Array(1...24)), gatedAction: "link.open", details: "https://a.example",
    deadline: BootTime(nanoseconds: 1))
private let redeemed = RedeemResponse(revision: here, requesterUID: 1000, requesterPID: 7)

extension ScriptedServer {
    /// Expects the request for the grant, with this way of presenting.
    fileprivate func expectAuthorize(presenting: Presenting) async throws -> Exchange {
        let exchange = try await expectIgnoringWatch(authorizeMethod)
        #expect(
            try AuthorizeRequest(decoding: exchange.request.payload)
                == AuthorizeRequest(request: wanted, presenting: presenting))
        return exchange
    }

    /// Has the client show this itself, since nobody else can.
    fileprivate func expectSelfPresented(_ id: UInt64) async throws -> Exchange {
        let exchange = try await expectAuthorize(presenting: .elsewhereIfPossible)
        await exchange.respond(AuthorizeResponse(revision: here, result: .presentation(question(id, .authorize))))
        return exchange
    }
}

/// Counts how often a block ran.
private final class Runs: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    func ran() { count.add(1, ordering: .sequentiallyConsistent) }
}

@MainActor
private final class Screen {
    private var opened: [String] = []

    nonisolated init() {}

    func ask(_ question: OpenPresentation) async -> PresentationAnswer { .dismiss }

    func open(_ url: String, _ gate: GateClient) async throws -> [String] {
        try await gate.authorize("link.open", details: url, presenting: ask) {
            MainActor.assertIsolated()
            opened.append(url)
        }
        return opened
    }
}

extension GateClient {
    fileprivate func authorize(_ runs: Runs, presenting present: PresentationHandler? = nil) async -> Result<
        String, GateError
    > {
        do {
            let text = try await authorize("link.open", details: "https://a.example", presenting: present) {
                runs.ran()
                return "opened"
            }
            return .success(text)
        } catch let error as GateError {
            return .failure(error)
        } catch {
            return .failure(GateError(.unknown, .unspecified, "\(error)"))
        }
    }

    fileprivate func grantResult(presenting present: PresentationHandler? = nil) async -> Result<Grant, GateError> {
        do throws(GateError) {
            return .success(try await authorization.grant(wanted, presenting: present))
        } catch {
            return .failure(error)
        }
    }
}

@Suite("Gated actions")
struct AuthorizingTests {
    @Test("what is granted runs once, after the grant was redeemed on the connection that got it (F-18, F-22)")
    func runsOnce() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            async let result = gate.authorize(runs)
            let authorize = try await server.expectAuthorize(presenting: .elsewhere)
            await authorize.respond(AuthorizeResponse(revision: here, result: .grant(granted)))
            let redeem = try await server.expect(redeemMethod)
            #expect(runs.value == 0)
            #expect(redeem.connection === authorize.connection)
            #expect(
                try RedeemRequest(decoding: redeem.request.payload)
                    == RedeemRequest(proof: granted.proof, gatedAction: "link.open", details: "https://a.example"))
            await redeem.respond(redeemed)
            #expect(await result == .success("opened"))
            #expect(runs.value == 1)
            try await server.stop()
        }
    }

    @Test(
        "nothing runs after a refusal, whichever it is (F-23)",
        arguments: [
            GateError(.failedPrecondition, .wrongAnswer, "Wrong."), GateError(.failedPrecondition, .denied, "No."),
            GateError(.failedPrecondition, .refused, "A grown-up said no."),
            GateError(.cancelled, .dismissed, "Dismissed."), GateError(.deadlineExceeded, .expired, "Too late."),
            GateError(.resourceExhausted, .lockedOut, "Wait.", retryAfter: .seconds(30)), .noPresenter,
            GateError(.aborted, .closed, "Withdrawn."),
        ])
    func refused(_ refusal: GateError) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            async let result = gate.authorize(runs)
            try await server.expectAuthorize(presenting: .elsewhere).fail(refusal)
            #expect(await result == .failure(refusal))
            #expect(runs.value == 0)
            try await server.stop()
        }
    }

    @Test("nothing runs when the grant can't be taken, or the daemon is lost before it was", arguments: [true, false])
    func notRedeemed(isLost: Bool) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            async let result = gate.authorize(runs)
            let authorize = try await server.expectAuthorize(presenting: .elsewhere)
            await authorize.respond(AuthorizeResponse(revision: here, result: .grant(granted)))
            let redeem = try await server.expect(redeemMethod)
            if isLost {
                await redeem.closeConnection()
                #expect(await result.code == .unavailable)
            } else {
                await redeem.fail(GateError(.failedPrecondition, .noGrant, "There is none."))
                #expect(await result.reason == .noGrant)
            }
            #expect(runs.value == 0)
            try await server.stop()
        }
    }

    @Test("nothing runs when the daemon is lost while somebody is asked, and it is not asked again")
    func lostWhileAsked() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            async let result = gate.authorize(runs) { _ in .dismiss }
            try await server.expectAuthorize(presenting: .elsewhereIfPossible).closeConnection()
            #expect(await result.code == .unavailable)
            #expect(runs.value == 0)
            try await server.stop()
        }
    }

    @Test("a cancelled task takes its request back, and nothing runs (F-23)")
    func cancelled() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            let task = Task { await gate.authorize(runs) }
            let authorize = try await server.expectAuthorize(presenting: .elsewhere)
            task.cancel()
            let cancel = try await server.expect("gate.v1.Control/Cancel")
            #expect(try CancelRequest(decoding: cancel.request.payload).streamID == authorize.request.streamID)
            #expect(await task.value.code == .cancelled)
            #expect(runs.value == 0)
            try await server.stop()
        }
    }

    @Test("a task that is cancelled while its grant is taken runs nothing")
    func cancelledWhileRedeeming() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            let task = Task { await gate.authorize(runs) }
            let authorize = try await server.expectAuthorize(presenting: .elsewhere)
            await authorize.respond(AuthorizeResponse(revision: here, result: .grant(granted)))
            let redeem = try await server.expect(redeemMethod)
            task.cancel()
            await redeem.respond(redeemed)
            #expect(await task.value.code == .cancelled)
            #expect(runs.value == 0)
            try await server.stop()
        }
    }

    @Test("an error of the closure is thrown to the caller, and the closure is not run again")
    func bodyThrows() async throws {
        struct Broken: Error {}
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            let task = Task {
                try await gate.authorize("link.open", details: "https://a.example") {
                    runs.ran()
                    throw Broken()
                }
            }
            let authorize = try await server.expectAuthorize(presenting: .elsewhere)
            await authorize.respond(AuthorizeResponse(revision: here, result: .grant(granted)))
            try await server.expect(redeemMethod).respond(redeemed)
            await #expect(throws: Broken.self) { try await task.value }
            #expect(runs.value == 1)
            try await server.stop()
        }
    }

    @Test("the closure runs in its caller's isolation, and may use the caller's state")
    func isolation() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let opened = Screen().open("https://a.example", gate)
            let authorize = try await server.expectAuthorize(presenting: .elsewhereIfPossible)
            await authorize.respond(AuthorizeResponse(revision: here, result: .grant(granted)))
            try await server.expect(redeemMethod).respond(redeemed)
            #expect(try await opened == ["https://a.example"])
            try await server.stop()
        }
    }

    @Test("without a presenter this program shows the question, and runs the closure after it left the screen")
    func presentsItself() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            let shown = Runs()
            async let result = gate.authorize(runs) { open in
                #expect(open.asked.gatedAction == "link.open" && runs.value == 0)
                shown.ran()
                return .answer(.text("42"))
            }
            _ = try await server.expectSelfPresented(1)
            let first = try await server.expectIgnoringWatch(completeMethod)
            #expect(shown.value == 1)
            await first.respond(
                CompleteResponse(revision: here, state: .closed, result: .next(question(2, .authorize))))
            let second = try await server.expectIgnoringWatch(completeMethod)
            #expect(try CompleteRequest(decoding: second.request.payload).cookie == question(2).cookie)
            #expect(shown.value == 2)
            await second.respond(CompleteResponse(revision: here, state: .closed, result: .grant(granted)))
            try await server.expectIgnoringWatch(redeemMethod).respond(redeemed)
            #expect(await result == .success("opened"))
            #expect(runs.value == 1)
            try await server.stop()
        }
    }

    @Test("nothing runs after a dismissal or a wrong answer to the program's own question", arguments: [true, false])
    func ownQuestionFails(isDismissed: Bool) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            async let result = gate.authorize(runs) { _ in isDismissed ? .dismiss : .answer(.text("41")) }
            _ = try await server.expectSelfPresented(1)
            if isDismissed {
                let dismiss = try await server.expectIgnoringWatch("gate.v1.Presentations/Dismiss")
                await dismiss.respond(DismissResponse(revision: here, state: .closed))
                #expect(await result.reason == .dismissed)
            } else {
                let wrong = GateError(.failedPrecondition, .wrongAnswer, "Wrong.")
                try await server.expectIgnoringWatch(completeMethod).fail(wrong)
                #expect(await result == .failure(wrong))
            }
            #expect(runs.value == 0)
            try await server.stop()
        }
    }

    @Test("a question of the program's own that is withdrawn is asked for once more, and may be granted now")
    func redecided() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.grantResult(presenting: nobodyAnswers)
            _ = try await server.expectSelfPresented(1)
            try await server.expect("gate.v1.Watch/Watch").send(openNow([]))
            let again = try await server.expectAuthorize(presenting: .elsewhereIfPossible)
            await again.respond(AuthorizeResponse(revision: here, result: .grant(granted)))
            #expect(await result == .success(granted))
            try await server.stop()
        }
    }

    @Test("a withdrawn question is asked for only once more")
    func redecidedTwice() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let closed = GateError(.aborted, .closed, "Withdrawn.")
            async let result = gate.grantResult { _ in .answer(.text("42")) }
            _ = try await server.expectSelfPresented(1)
            try await server.expectIgnoringWatch(completeMethod).fail(closed)
            let again = try await server.expectAuthorize(presenting: .elsewhereIfPossible)
            await again.respond(AuthorizeResponse(revision: here, result: .presentation(question(2, .authorize))))
            try await server.expectIgnoringWatch(completeMethod).fail(closed)
            #expect(await result == .failure(closed))
            try await server.stop()
        }
    }

    @Test("a reply that neither grants nor refuses grants nothing")
    func neither() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.grantResult { _ in .answer(.text("42")) }
            _ = try await server.expectSelfPresented(1)
            let complete = try await server.expectIgnoringWatch(completeMethod)
            await complete.respond(CompleteResponse(revision: here, state: .closed))
            #expect(await result.code == .internal)

            async let unasked = gate.grantResult()
            let authorize = try await server.expectAuthorize(presenting: .elsewhere)
            await authorize.respond(AuthorizeResponse(revision: here, result: .presentation(question(1, .authorize))))
            #expect(await unasked.code == .internal)
            try await server.stop()
        }
    }

    @Test("a program that shows everything itself begins a grant, and completes its questions one after the other")
    func twoSteps() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let beginning = gate.authorization.beginGrant(wanted)
            let authorize = try await server.expectAuthorize(presenting: .here)
            await authorize.respond(AuthorizeResponse(revision: here, result: .presentation(question(1, .authorize))))
            let open = try #require(try await beginning.presentation)
            async let answered = open.complete(.text("42"))
            let complete = try await server.expect(completeMethod)
            await complete.respond(
                CompleteResponse(revision: here, state: .closed, result: .next(question(2, .authorize))))
            let first = try await answered
            #expect(first.grant == nil)
            let next = try #require(first.next)
            #expect(next.id == 2)
            async let granting = next.complete(.text("42"))
            let last = try await server.expect(completeMethod)
            await last.respond(CompleteResponse(revision: here, state: .closed, result: .grant(granted)))
            #expect(try await granting.grant == granted)
            #expect(try await granting.next == nil)

            async let kept = gate.authorization.beginGrant(wanted)
            let second = try await server.expectAuthorize(presenting: .here)
            await second.respond(AuthorizeResponse(revision: here, result: .grant(granted)))
            #expect(try await kept.presentation == nil)
            try await server.stop()
        }
    }

    @Test(
        "a check shows nothing, and returns the outcome, what is missing and the refusal",
        arguments: AuthorizationOutlook.Outcome.allCases)
    func check(outcome: AuthorizationOutlook.Outcome) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let answer = gate.authorization.check("link.open")
            let check = try await server.expect("gate.v1.Authorization/Check")
            #expect(try CheckRequest(decoding: check.request.payload) == CheckRequest(gatedAction: "link.open"))
            let refusal = GateError(
                .resourceExhausted, .lockedOut, "Because.", retryAfter: .seconds(1), parameters: ["what": "link.open"])
            let outlook = AuthorizationOutlook(outcome, need: .wait, refusal: refusal, explanation: "Because.")
            await check.respond(CheckResponse(revision: here, outlook: outlook))
            #expect(try await answer == outlook)
            try await server.stop()
        }
    }
}
