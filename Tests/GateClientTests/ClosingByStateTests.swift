import GateProtocol
import Synchronization
import TTRPCTransport
import Testing

@testable import GateClient

private let authorizeMethod = "gate.v1.Authorization/Authorize"
private let awaitMethod = "gate.v1.Presentations/AwaitClosing"
private let dismissMethod = "gate.v1.Presentations/Dismiss"
private let completeMethod = "gate.v1.Presentations/Complete"
private let logInMethod = "gate.v1.SignIn/LogIn"
private let reportMethod = "gate.v1.Presentations/Report"
private let watchMethod = "gate.v1.Watch/Watch"

private let wanted = AuthorizationRequest(gatedAction: "premium.filters", details: "")
private let granted = Grant(
    id: 9, proof: Grant.Proof(bytes: Array(1...24)), gatedAction: "premium.filters", details: "",
    deadline: BootTime(nanoseconds: 1))
private let anna = SignInState(
    session: SignInState.Session(name: "anna", isChild: true, deadline: BootTime(nanoseconds: 900)),
    isAuthenticating: false, needsAuthentication: false)
private let notDismissible = GateError(.failedPrecondition, .notDismissible, "Only signing in closes it.")
private let covers = PresenterAbilities(kinds: [.signIn, .paywall], styles: [.sheet, .fullScreenCover])

extension GateClient {
    fileprivate func grantResult(_ present: @escaping PresentationHandler) async -> Result<Grant, GateError> {
        do throws(GateError) {
            return .success(try await authorization.grant(wanted, presenting: present))
        } catch {
            return .failure(error)
        }
    }
}

extension ScriptedServer {
    /// Has the client show this itself, since nobody else can.
    fileprivate func present(_ presentation: Presentation) async throws -> Exchange {
        let exchange = try await expect(authorizeMethod)
        await exchange.respond(AuthorizeResponse(revision: here, result: .presentation(presentation)))
        return exchange
    }

    /// The next two requests, which have these names in either order.
    fileprivate func take(_ name: String, and other: String) async throws -> (Exchange, Exchange) {
        let first = try await next()
        let second = try await next()
        if first.name == name, second.name == other { return (first, second) }
        guard first.name == other, second.name == name else { throw Unexpected(name: first.name) }
        return (second, first)
    }
}

/// What happened, in order.
private final class Notes: Sendable {
    private let notes = Mutex<[String]>([])
    var value: [String] { notes.withLock { $0 } }
    func add(_ note: String) { notes.withLock { $0.append(note) } }
}

@Suite("Sign-ins and paywalls, which the state closes")
struct ClosingByStateTests {
    @Test("after a sign-in the state closes that step, the paywall follows, and then the grant")
    func signInThenPaywall() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.grantResult { open in
                guard case .signIn = open.content else { return await nobodyAnswers(open) }
                _ = try? await open.logIn(name: "anna", password: GateSecret("hunter2".utf8))
                return .closedByState
            }
            let authorize = try await server.present(signIn(1))
            let (signingIn, logIn) = try await server.take(awaitMethod, and: logInMethod)
            #expect(logIn.connection === authorize.connection)
            #expect(
                try LogInRequest(decoding: logIn.request.payload)
                    == LogInRequest(name: "anna", password: GateSecret("hunter2".utf8)))
            await logIn.respond(LogInResponse(revision: here, state: anna))
            await signingIn.respond(
                AwaitClosingResponse(revision: here, state: .closed, result: .next(paywall(2, .authorize))))
            let paying = try await server.expect(awaitMethod)
            #expect(
                try AwaitClosingRequest(decoding: paying.request.payload)
                    == AwaitClosingRequest(cookie: paywall(2).cookie))
            await paying.respond(AwaitClosingResponse(revision: here, state: .closed, result: .grant(granted)))
            #expect(await result == .success(granted))
            try await server.stop()
        }
    }

    @Test("after a wrong password the sign-in stays open, and the closure may try again")
    func wrongPassword() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let notes = Notes()
            async let result = gate.grantResult { open in
                notes.add("shown")
                for password in ["hunter1", "hunter2"] {
                    do throws(GateError) {
                        try await open.logIn(name: "anna", password: GateSecret(password.utf8))
                        return .closedByState
                    } catch {
                        notes.add("\(error.reason)")
                    }
                }
                return .dismiss
            }
            _ = try await server.present(signIn(1))
            let (waiting, first) = try await server.take(awaitMethod, and: logInMethod)
            await first.fail(GateError(.unauthenticated, .wrongPassword, "Wrong name or password."))
            try await server.expect(logInMethod).respond(LogInResponse(revision: here, state: anna))
            await waiting.respond(AwaitClosingResponse(revision: here, state: .closed, result: .grant(granted)))
            #expect(await result == .success(granted))
            #expect(notes.value == ["shown", "wrongPassword"])
            try await server.stop()
        }
    }

    @Test("a password that the daemon was too busy to check is sent again, but not once the sign-in is closed")
    func busy() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let notes = Notes()
            async let result = gate.grantResult { open in
                do throws(GateError) {
                    try await open.logInAfterOthers(name: "anna", password: GateSecret("hunter2".utf8))
                } catch {
                    notes.add("\(error.reason)")
                }
                return .dismiss
            }
            _ = try await server.present(signIn(1))
            let (_, first) = try await server.take(awaitMethod, and: logInMethod)
            let busy = GateError(.failedPrecondition, .authenticating, "Wait for the result.")
            await first.fail(busy)
            let open = try await server.expect(reportMethod)
            #expect(try ReportRequest(decoding: open.request.payload).cookie == signIn(1).cookie)
            await open.respond(ReportResponse())
            try await server.expect(logInMethod).fail(busy)
            try await server.expect(reportMethod).fail(GateError(.aborted, .closed, "It is closed."))
            try await server.expect(dismissMethod).respond(DismissResponse(revision: here, state: .closed))
            #expect(await result.reason == .dismissed)
            #expect(notes.value == ["closed"])
            try await server.stop()
        }
    }

    @Test("if somebody signs in elsewhere, the closure's task is cancelled and the action is granted")
    func elsewhere() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.grantResult(nobodyAnswers)
            _ = try await server.present(signIn(1))
            let waiting = try await server.expect(awaitMethod)
            await waiting.respond(AwaitClosingResponse(revision: here, state: .closed, result: .grant(granted)))
            #expect(await result == .success(granted))
            try await server.stop()
        }
    }

    @Test("a dismissal is sent to the daemon and thrown, whichever call is answered first", arguments: [true, false])
    func dismissal(awaitFirst: Bool) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.grantResult { _ in .dismiss }
            _ = try await server.present(signIn(1))
            let (waiting, dismiss) = try await server.take(awaitMethod, and: dismissMethod)
            let dismissed = GateError(.cancelled, .dismissed, "It was dismissed.")
            if awaitFirst { await waiting.fail(dismissed) }
            await dismiss.respond(DismissResponse(revision: here, state: .closed))
            #expect(await result.reason == .dismissed)
            try await server.stop()
        }
    }

    @Test("an answer to a sign-in is refused, and the sign-in is shown again with the refusal")
    func answered() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let refusal = GateError(.invalidArgument, .invalidRequest, "A sign-in has no answer.")
            async let result = gate.grantResult { open in
                open.refusal == nil ? .answer(.text("anna")) : .dismiss
            }
            _ = try await server.present(signIn(1))
            let (_, complete) = try await server.take(awaitMethod, and: completeMethod)
            await complete.fail(refusal)
            try await server.expect(dismissMethod).respond(DismissResponse(revision: here, state: .closed))
            #expect(await result.reason == .dismissed)
            try await server.stop()
        }
    }

    @Test("a cover that a program dismisses is shown again up to ten times, and then waits for the state (F-64)")
    func coverIsNotDismissed() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let notes = Notes()
            let presenting = Task {
                try await gate.presentations.present(covers) { open in
                    notes.add(open.refusal.map { "\($0.reason)" } ?? "shown \(open.id)")
                    return .dismiss
                }
            }
            let register = try await server.expect("gate.v1.Presentations/RegisterPresenter")
            await register.send(RegisterPresenterResponse(presentation: signIn(3, .signIn).summary(.offered)))
            let claim = try await server.expect("gate.v1.Presentations/Claim")
            await register.send(RegisterPresenterResponse(presentation: signIn(3, .signIn).summary(.claimed)))
            await claim.respond(ClaimResponse(presentation: signIn(3, .signIn)))
            let (watch, first) = try await server.take(watchMethod, and: dismissMethod)
            await first.fail(notDismissible)
            for _ in 1..<10 { try await server.expect(dismissMethod).fail(notDismissible) }
            await watch.send(openNow([signIn(3, .signIn).summary(.claimed)]))

            // Another request comes first; after that the cover is another presentation, with a claim of its own.
            await watch.send(openNow([paywall(4).summary(.offered), signIn(3, .signIn).summary(.waiting)], number: 6))
            await register.send(RegisterPresenterResponse(presentation: signIn(3, .signIn).summary(.offered)))
            let again = try await server.expectIgnoringWatch("gate.v1.Presentations/Claim")
            #expect(try ClaimRequest(decoding: again.request.payload) == ClaimRequest(id: 3))
            #expect(notes.value == ["shown 3"] + Array(repeating: "notDismissible", count: 9))
            presenting.cancel()
            try await server.stop()
        }
    }

    @Test("a cancelled task dismisses the presentation that it shows")
    func cancelled() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let task = Task { await gate.grantResult(nobodyAnswers) }
            _ = try await server.present(signIn(1))
            _ = try await server.expect(awaitMethod)
            task.cancel()
            #expect(await task.value.code == .cancelled)
            var names: Set<String> = []
            while !names.contains(dismissMethod) { names.insert(try await server.next().name) }
            #expect(names.isSubset(of: [dismissMethod, "gate.v1.Control/Cancel"]))
            try await server.stop()
        }
    }

    @Test("a presentation is dismissed if the daemon refuses to let the program wait for it")
    func overLimit() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.grantResult(nobodyAnswers)
            _ = try await server.present(signIn(1))
            try await server.expect(awaitMethod).fail(GateError(.resourceExhausted, .limit, "Too many calls."))
            #expect(await result.reason == .limit)
            _ = try await server.expect(dismissMethod)
            try await server.stop()
        }
    }
}
