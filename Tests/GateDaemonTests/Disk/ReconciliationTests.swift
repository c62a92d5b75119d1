import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("After a commit has failed", .timeLimit(.minutes(10)))
struct ReconciliationTests {
    /// Reads until a watching presenter sees that nothing is open.
    private func untilNothingIsOpen(_ stream: inout OpenStream<RegisterPresenterResponse>) async throws {
        while let told = try await stream.next(), told.presentation != nil {}
    }

    @Test("a departure that could not be recorded is recorded when the store works again")
    func departureIsToldAgain() async throws {
        try await LiveGate.with { gate, store in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            var stream = try await screen.register()
            let call = Task { try await anna.call(Methods.Authorization.authorize, AuthorizeRequest("link.open")) }
            #expect(try await stream.next()?.presentation != nil)
            store.setFull(true)
            await anna.close()
            _ = await call.result
            #expect(await gate.rememberedConnections().count == 2)
            store.setFull(false)
            try await untilNothingIsOpen(&stream)
            #expect(await gate.rememberedConnections().count == 1)
            #expect(store.kinds.last == .requesterLost)
        }
    }

    @Test("a peer that leaves during a commit is forgotten afterwards, even if the commit fails")
    func forgottenInWhatWasLost() async throws {
        try await LiveGate.with { gate, store in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            var stream = try await screen.register()
            let call = Task { try await anna.call(Methods.Mode.toggle, ToggleRequest(presenting: .elsewhere)) }
            #expect(try await stream.next()?.presentation != nil)
            store.hold()
            store.setFull(true)
            // The newest state has nothing of Anna's left, but it is never stored.
            let root = try await gate.connect("root")
            let cancel = Task { await root.refusal(of: Methods.Mode.cancel, CancelVerifyingRequest()) }
            try await PresenterTests.until { await gate.authority.isCommitting }
            await anna.close()
            _ = await call.result
            store.release()
            #expect(await cancel.value?.reason == .storeFailed)
            store.setFull(false)
            try await untilNothingIsOpen(&stream)
            #expect(await gate.rememberedConnections().count == 1)
        }
    }

    @Test("the end of a call is applied again after a failed commit, even if its connection is open")
    func endedCallIsToldAgain() async throws {
        try await LiveGate.with { gate, store in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            var stream = try await screen.register()
            let call = Task { try await anna.call(Methods.Authorization.authorize, AuthorizeRequest("link.open")) }
            #expect(try await stream.next()?.presentation != nil)
            store.setFull(true)
            call.cancel()
            _ = await call.result
            _ = try await anna.call(Methods.Control.ping, PingRequest(echo: []))
            store.setFull(false)
            try await untilNothingIsOpen(&stream)
            #expect(store.kinds.last == .cancelled)
        }
    }

    @Test("a question whose commit failed is refused with that reason, and leaves nothing open")
    func lostQuestion() async throws {
        try await LiveGate.with { gate, store in
            let (anna, screen) = (try await gate.connect("anna"), try await gate.connect("screen"))
            var stream = try await screen.register()
            store.setFull(true)
            let refusal = await anna.refusal(of: Methods.Authorization.authorize, AuthorizeRequest("link.open"))
            #expect(refusal?.reason == .storeFailed)
            store.setFull(false)
            async let answer = anna.call(Methods.Authorization.authorize, AuthorizeRequest("link.open"))
            let shown = try await screen.claim(from: &stream)
            _ = try await screen.complete(shown, shown.rightAnswer)
            #expect(try await answer.grant != nil)
        }
    }
}
