import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Calls that wait for a person", .timeLimit(.minutes(10)))
struct WaitTests {
    private let link = "https://example.org"

    @Test("a presenter's answer grants the requester, not the presenter")
    func granted() async throws {
        try await LiveGate.with { gate, _ in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            var stream = try await screen.register()
            async let answer = anna.call(
                Methods.Authorization.authorize, AuthorizeRequest("link.open", link), program: "browser")
            let shown = try await screen.claim(from: &stream)
            #expect(shown.summary.asked.details == link)
            #expect(shown.summary.asked.uid == 1001)
            #expect(shown.summary.asked.program == "browser")
            let completed = try await screen.complete(shown, shown.rightAnswer)
            #expect(completed.result == .done)
            let grant = try #require(try await answer.grant)
            let redeemed = try await anna.call(
                Methods.Authorization.redeem,
                RedeemRequest(proof: grant.proof, gatedAction: "link.open", details: link))
            #expect(redeemed.requesterUID == 1001)
        }
    }

    @Test("a wrong answer is told to both")
    func wrong() async throws {
        try await LiveGate.with { gate, _ in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            var stream = try await screen.register()
            async let refusal = anna.refusal(of: Methods.Authorization.authorize, AuthorizeRequest("link.open"))
            let shown = try await screen.claim(from: &stream)
            let told = await screen.refusal(
                of: Methods.Presentations.complete,
                CompleteRequest(cookie: shown.cookie, answer: shown.wrongAnswer))
            #expect(told?.reason == .wrongAnswer)
            #expect(await refusal?.reason == .wrongAnswer)
        }
    }

    @Test("a toggle call waits for a presenter's answer, and returns the new mode")
    func toggle() async throws {
        try await LiveGate.with { gate, _ in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            var stream = try await screen.register()
            async let answer = anna.call(Methods.Mode.toggle, ToggleRequest(presenting: .elsewhere))
            let shown = try await screen.claim(from: &stream)
            let completed = try await screen.complete(shown, shown.rightAnswer)
            let toggled = try await answer
            #expect(toggled.state.mode == .parent)
            #expect(toggled.presentation == nil)
            #expect(toggled.revision == completed.revision)
        }
    }

    @Test("without a presenter the call is refused at once")
    func noPresenter() async throws {
        try await LiveGate.with { gate, _ in
            let anna = try await gate.connect("anna")
            let refusal = await anna.refusal(of: Methods.Authorization.authorize, AuthorizeRequest("link.open"))
            #expect(refusal?.reason == .noPresenter)
            #expect(await gate.rememberedConnections().isEmpty)
        }
    }

    /// How a call can end before its answer.
    enum Ending: CaseIterable {
        case cancelled
        case timedOut
        case connectionClosed
    }

    @Test("a call that ends before its answer takes its question with it", arguments: Ending.allCases)
    func ended(ending: Ending) async throws {
        try await LiveGate.with { gate, store in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            var stream = try await screen.register()
            let call = Task {
                try await anna.call(
                    Methods.Authorization.authorize, AuthorizeRequest("link.open"),
                    timeout: ending == .timedOut ? .milliseconds(50) : nil)
            }
            #expect(try await stream.next()?.presentation != nil)
            switch ending {
            case .cancelled: call.cancel()
            case .timedOut: break
            case .connectionClosed: await anna.close()
            }
            let told = try await stream.next()
            #expect(told != nil)
            #expect(told?.presentation == nil)
            await #expect(throws: GateError.self) { try await call.value }
            #expect(store.kinds.last == (ending == .connectionClosed ? .requesterLost : .cancelled))
        }
    }

    @Test("a call that ends while its question is being committed leaves no question open")
    func endedOnItsWay() async throws {
        try await LiveGate.with { gate, store in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            let stream = try await screen.register()
            store.hold()
            let call = Task {
                try await anna.call(Methods.Authorization.authorize, AuthorizeRequest("link.open"))
            }
            try await PresenterTests.until { await gate.authority.isCommitting }
            call.cancel()
            await #expect(throws: GateError.self) { try await call.value }
            // The daemon has been told, because a later call of the same connection comes after that.
            _ = try await anna.call(Methods.Control.ping, PingRequest(echo: []))
            store.release()
            await gate.authority.settled()
            #expect(store.kinds.suffix(2) == [.challengeOpened, .cancelled])
            // The screen may have been told that there was a question, or not; in the end there is none.
            let list = try await screen.call(Methods.Presentations.list, ListPresentationsRequest())
            #expect(list.presentations.isEmpty)
            _ = stream
        }
    }

    @Test("anyone who waits when the daemon stops hears that it stops")
    func stopping() async throws {
        try await LiveGate.with { gate, _ in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            var stream = try await screen.register()
            async let refusal = anna.refusal(of: Methods.Authorization.authorize, AuthorizeRequest("link.open"))
            #expect(try await stream.next()?.presentation != nil)
            await gate.stop()
            #expect(await refusal?.reason == .stopping)
        }
    }

    @Test("a requester that shows its own question is answered at once, and granted with its answer")
    func presentsItself() async throws {
        try await LiveGate.with { gate, _ in
            let anna = try await gate.connect("anna")
            let opened = try await anna.call(
                Methods.Authorization.authorize, AuthorizeRequest("link.open", presenting: .here))
            let shown = try #require(opened.presentation)
            let completed = try await anna.complete(shown, shown.rightAnswer)
            guard case .grant = completed.result else {
                Issue.record("no grant: \(completed)")
                return
            }
        }
    }
}
