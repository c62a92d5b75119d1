import GateProtocol
import Synchronization
import TTRPCTransport
import Testing

@testable import GateClient

private let requestMethod = "gate.v1.Entitlements/RequestPaywall"
private let requireMethod = "gate.v1.Entitlements/RequirePremium"
private let awaitMethod = "gate.v1.Presentations/AwaitClosing"

private let dismissed = GateError(.cancelled, .dismissed, "The paywall was dismissed.")

/// What ran, in order.
private final class Runs: Sendable {
    private let names = Mutex<[String]>([])
    var value: [String] { names.withLock { $0 } }
    func ran(_ name: String) { names.withLock { $0.append(name) } }
}

private struct AppsOwn: Error {}

extension GateClient {
    /// Asks for premium. Returns the outcome, nothing, or the error.
    fileprivate func require(_ runs: Runs, presenting present: PresentationHandler? = nil) async -> String {
        do {
            let outcome = try await requirePremium(
                presenting: present, onCancelPaywall: { runs.ran("cancel \($0.reason)") },
                onPaySuccess: { runs.ran("paid") }
            ) {
                runs.ran("content")
            }
            return outcome.map { "\($0)" } ?? "nothing"
        } catch let error as GateError {
            return "\(error.code)"
        } catch {
            return "\(error)"
        }
    }
}

@Suite("Premium")
struct PaywallTests {
    @Test(
        "goPaywall returns whether premium was active or was paid for now, and runs the closure once (F-51)",
        arguments: PaywallOutcome.allCases)
    func goPaywall(outcome: PaywallOutcome) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            async let result = gate.goPaywall("premium", provider: .storeKit, style: .fullScreenCover) {
                runs.ran("body")
            }
            let request = try await server.expect(requestMethod)
            #expect(
                try RequestPaywallRequest(decoding: request.request.payload).paywall
                    == PaywallRequest(entitlement: "premium", provider: .storeKit, style: .fullScreenCover))
            #expect(request.request.timeout == nil, "a person may take their time")
            #expect(runs.value.isEmpty)
            await request.respond(RequestPaywallResponse(revision: here, outcome: outcome))
            #expect(try await result == outcome)
            #expect(runs.value == ["body"])
            try await server.stop()
        }
    }

    @Test("goPaywall throws the refusal, and runs nothing (F-51, F-53)", arguments: [dismissed, .noPresenter])
    func goPaywallRefused(error: GateError) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            let task = Task { try await gate.goPaywall { runs.ran("body") } }
            let request = try await server.expect(requestMethod)
            #expect(try RequestPaywallRequest(decoding: request.request.payload).paywall == PaywallRequest())
            await request.fail(error)
            await #expect(throws: error) { try await task.value }
            #expect(runs.value.isEmpty)
            try await server.stop()
        }
    }

    @Test("if premium is active, requirePremium runs the content alone (F-54)")
    func active() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            async let result = gate.require(runs)
            let require = try await server.expect(requireMethod)
            #expect(
                try RequirePremiumRequest(decoding: require.request.payload)
                    == RequirePremiumRequest(paywall: PaywallRequest(), presenting: .elsewhere))
            await require.respond(RequirePremiumResponse(revision: here, result: .outcome(.activeAlready)))
            #expect(await result == "activeAlready")
            #expect(runs.value == ["content"])
            try await server.stop()
        }
    }

    @Test(
        "after a payment requirePremium runs the success closure once and then the content, but no cancellation (F-54)")
    func paid() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            async let result = gate.require(runs)
            let require = try await server.expect(requireMethod)
            await require.respond(RequirePremiumResponse(revision: here, result: .outcome(.paid)))
            #expect(await result == "paid")
            #expect(runs.value == ["paid", "content"])
            try await server.stop()
        }
    }

    @Test(
        "after any refusal requirePremium runs the cancellation once and nothing else (F-54)",
        arguments: [
            dismissed, .noPresenter, GateError(.deadlineExceeded, .expired, "Over."),
            GateError(.notFound, .unknown, "No such entitlement."), GateError(.unavailable, .stopping, "Stopping."),
        ])
    func cancelled(error: GateError) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            async let result = gate.require(runs)
            try await server.expect(requireMethod).fail(error)
            #expect(await result == "nothing")
            #expect(runs.value == ["cancel \(error.reason)"])
            try await server.stop()
        }
    }

    @Test("without the daemon requirePremium runs the cancellation once (F-54, F-71)")
    func noDaemon() async throws {
        try await withSocketPath { path in
            let runs = Runs()
            #expect(await client(of: path).require(runs) == "nothing")
            #expect(runs.value == ["cancel unspecified"])

            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let lost = Runs()
            async let result = gate.require(lost)
            await (try await server.expect(requireMethod)).closeConnection()
            #expect(await result == "nothing")
            #expect(lost.value == ["cancel unspecified"])
            try await server.stop()
        }
    }

    @Test("a cancelled requirePremium runs its cancellation once and no content, even if the payment succeeds")
    func taskCancelled() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            let task = Task { await gate.require(runs) }
            _ = try await server.expect(requireMethod)
            task.cancel()
            #expect(await task.value == "nothing")
            #expect(runs.value == ["cancel unspecified"])
            _ = try await server.expect("gate.v1.Control/Cancel")

            let late = Runs()
            let paying = Task {
                do {
                    try await gate.requirePremium(
                        onCancelPaywall: { _ in late.ran("cancel") },
                        onPaySuccess: {
                            late.ran("paid")
                            withUnsafeCurrentTask { $0?.cancel() }
                        }
                    ) {
                        late.ran("content")
                    }
                } catch {
                    late.ran("thrown")
                }
            }
            let require = try await server.expect(requireMethod)
            await require.respond(RequirePremiumResponse(revision: here, result: .outcome(.paid)))
            await paying.value
            #expect(late.value == ["paid", "thrown"])
            try await server.stop()
        }
    }

    @Test("without a cancellation closure the refusal is thrown, and an error of the app's closure is passed on (F-54)")
    func thrown() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            let task = Task { _ = try await gate.requirePremium { runs.ran("content") } }
            try await server.expect(requireMethod).fail(dismissed)
            await #expect(throws: dismissed) { try await task.value }
            #expect(runs.value.isEmpty)

            let own = Task {
                _ = try await gate.requirePremium(
                    onCancelPaywall: { _ in runs.ran("cancel") }, onPaySuccess: { throw AppsOwn() }
                ) {
                    runs.ran("content")
                }
            }
            let require = try await server.expect(requireMethod)
            await require.respond(RequirePremiumResponse(revision: here, result: .outcome(.paid)))
            await #expect(throws: AppsOwn.self) { try await own.value }
            #expect(runs.value.isEmpty)
            try await server.stop()
        }
    }

    @Test("a program that shows the paywall itself waits for the state, and closes it when the payment arrives (F-54)")
    func presentsItself() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let runs = Runs()
            async let result = gate.require(runs) { open in
                guard case .paywall(let paywall) = open.content else { return .dismiss }
                runs.ran("shown \(paywall.title)")
                let answer = await nobodyAnswers(open)
                runs.ran("taken away")
                return answer
            }
            let require = try await server.expect(requireMethod)
            #expect(try RequirePremiumRequest(decoding: require.request.payload).presenting == .here)
            await require.respond(RequirePremiumResponse(revision: here, result: .presentation(paywall(3))))
            let waiting = try await server.expect(awaitMethod)
            #expect(waiting.connection === require.connection)
            #expect(
                try AwaitClosingRequest(decoding: waiting.request.payload)
                    == AwaitClosingRequest(cookie: paywall(3).cookie))
            await waiting.respond(AwaitClosingResponse(revision: here, state: .closed))
            #expect(await result == "paid")
            // The paywall may have been paid for before it was on the screen.
            #expect(runs.value.filter { $0 == "paid" || $0 == "content" } == ["paid", "content"])
            #expect(runs.value.last { $0 != "paid" && $0 != "content" } == "taken away")
            try await server.stop()
        }
    }

    @Test("requestPaywall prefers a presenter over this program's closure, and requirePremium does not (F-54)")
    func presenterFirst() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let premium = PaywallRequest(entitlement: "premium")
            async let result = gate.entitlements.requestPaywall(premium) { _ in .dismiss }
            let require = try await server.expect(requireMethod)
            #expect(
                try RequirePremiumRequest(decoding: require.request.payload)
                    == RequirePremiumRequest(paywall: premium, presenting: .elsewhereIfPossible))
            await require.respond(RequirePremiumResponse(revision: here, result: .outcome(.activeAlready)))
            #expect(try await result == .activeAlready)
            try await server.stop()
        }
    }
}
