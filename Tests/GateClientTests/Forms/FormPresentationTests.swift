import GateProtocol
import TTRPCTransport
import Testing

@testable import GateClient

private let authorizeMethod = "gate.v1.Authorization/Authorize"
private let awaitMethod = "gate.v1.Presentations/AwaitClosing"
private let wanted = AuthorizationRequest(gatedAction: "trip.book", details: "")
private let granted = Grant(
    id: 9, proof: Grant.Proof(bytes: Array(1...24)), gatedAction: "trip.book", details: "",
    deadline: BootTime(nanoseconds: 1))

/// An invitation to fill the form in.
private func invitation(_ id: UInt64, _ purpose: Presentation.Purpose) -> Presentation {
    stateClosed(
        id, purpose,
        .form(FormInvitation(name: "order", title: "Order", holder: .account("anna"), isForGrownUps: false)))
}

@Suite("Forms that are shown to people")
struct FormPresentationTests {
    @Test("a form that a gated action requires is filled in and completed, and then the grant comes")
    func step() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let grant = gate.authorization.grant(
                wanted,
                presenting: { open in
                    guard open.isClosedByState, let form = try? await open.form() else { return .dismiss }
                    _ = try? await form.complete()
                    return .closedByState
                })
            let authorize = try await server.expect(authorizeMethod)
            await authorize.respond(AuthorizeResponse(revision: here, result: .presentation(invitation(1, .authorize))))
            // The request and the form's calls arrive in any order.
            var waiting: ScriptedServer.Exchange?
            var isCompleted = false
            while !isCompleted || waiting == nil {
                let exchange = try await server.next()
                switch exchange.name {
                case awaitMethod: waiting = exchange
                case "gate.v1.Questionnaires/OpenForm":
                    #expect(exchange.connection === authorize.connection)
                    #expect(
                        try OpenFormRequest(decoding: exchange.request.payload).target
                            == FormTarget(name: "order", cookie: invitation(1, .authorize).cookie))
                    await exchange.respond(OpenFormResponse(revision: here, draft: draft(order(), at: 1)))
                case "gate.v1.Questionnaires/GetQuestionnaire":
                    await exchange.respond(GetQuestionnaireResponse(questionnaire: orderJSON))
                default:
                    #expect(exchange.name == "gate.v1.Questionnaires/CompleteForm")
                    #expect(
                        try CompleteFormRequest(decoding: exchange.request.payload).target.cookie
                            == invitation(1, .authorize).cookie)
                    await exchange.respond(CompleteFormResponse(revision: here, responseID: 6))
                    isCompleted = true
                }
            }
            await waiting?.respond(AwaitClosingResponse(revision: here, state: .closed, result: .grant(granted)))
            #expect(try await grant == granted)
            try await server.stop()
        }
    }

    @Test("if somebody else completes the form, the closure is cancelled and the action is granted")
    func elsewhere() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let grant = gate.authorization.grant(wanted, presenting: nobodyAnswers)
            try await server.expect(authorizeMethod).respond(
                AuthorizeResponse(revision: here, result: .presentation(invitation(1, .authorize))))
            try await server.expect(awaitMethod).respond(
                AwaitClosingResponse(revision: here, state: .closed, result: .grant(granted)))
            #expect(try await grant == granted)
            try await server.stop()
        }
    }

    @Test("a presentation of another kind has no form")
    func noForm() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let opened = gate.mode.beginToggle()
            try await server.expect("gate.v1.Mode/Toggle").respond(
                ToggleResponse(revision: here, state: .closed, presentation: question()))
            let open = try #require(try await opened.presentation)
            let error = await #expect(throws: GateError.self) { try await open.form() }
            #expect(error?.code == .failedPrecondition)
            try await server.stop()
        }
    }

    @Test("a request for a form waits as long as the person takes")
    func requested() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let completed = gate.forms.request("order")
            let request = try await server.expect("gate.v1.Questionnaires/RequestForm")
            #expect(request.request.timeout == nil)
            await request.respond(RequestFormResponse(revision: here, responseID: 6))
            #expect(try await completed == ResponseChange(id: 6, revision: here))
            try await server.stop()
        }
    }
}

@Suite("Hearing of forms")
struct FormSequenceTests {
    private func told(_ number: UInt64, _ forms: [FormSummary]?, isSnapshot: Bool = false) -> WatchResponse {
        WatchResponse(
            firstNumber: number, revision: Revision(epoch: 7, number: number), isSnapshot: isSnapshot, mode: nil,
            presentations: nil, forms: forms)
    }

    @Test("a watcher gets the open forms at once and after each change, and none while the daemon is away")
    func sequence() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            var forms = gate.formUpdates.makeAsyncIterator()
            async let first = forms.next()
            let watch = try await server.expect("gate.v1.Watch/Watch")
            #expect(try WatchRequest(decoding: watch.request.payload) == WatchRequest(topics: [.forms]))
            await watch.send(told(5, [orderSummary(1)], isSnapshot: true))
            #expect(await first == [orderSummary(1)])
            await watch.send(told(6, nil))
            await watch.send(told(7, [orderSummary(2)]))
            #expect(await forms.next() == [orderSummary(2)])
            await watch.closeConnection()
            #expect(await forms.next() == [])
            try await server.stop()
        }
    }

    @Test("a watch of forms takes a new snapshot on each connection, since forms may belong to the connection")
    func notResumed() {
        var machine = WatchStateMachine(topics: [.forms])
        machine.streamOpened()
        _ = machine.messageReceived(told(5, [orderSummary(1)], isSnapshot: true), at: nil, jitter: 0)
        #expect(machine.failed(.clientClosed, jitter: 0)?.forms == [])
        machine.waited()
        #expect(machine.action == .open(after: nil))
    }

    @Test("a session re-reads its draft after each change, ignores other forms, and ends with its draft")
    func changes() async throws {
        try await withOrder { server, form in
            var changes = form.updates.makeAsyncIterator()
            async let first = changes.next()
            let watch = try await server.expect("gate.v1.Watch/Watch")
            let other = FormSummary(name: "consent", holder: .account("anna"), revision: 1)
            await watch.send(told(5, [other, orderSummary(1)], isSnapshot: true))
            try await server.read(order(), at: 1)
            #expect(await first == order())

            await watch.send(told(6, [orderSummary(1)]))
            await watch.send(told(7, [orderSummary(2)]))
            async let second = changes.next()
            try await server.read(order(name: "Tim"), at: 2)
            #expect(await second == order(name: "Tim"))
            #expect(form.revision == 2)

            await watch.send(told(8, [FormSummary(name: "order", holder: .account("ben"), revision: 9)]))
            #expect(await changes.next() == nil, "ben's form is not anna's")
        }
    }

    @Test("a session's changes end when its draft is gone")
    func gone() async throws {
        try await withOrder { server, form in
            var changes = form.updates.makeAsyncIterator()
            async let first = changes.next()
            let watch = try await server.expect("gate.v1.Watch/Watch")
            await watch.send(told(5, [orderSummary(2)], isSnapshot: true))
            try await server.expect("gate.v1.Questionnaires/ReadForm").fail(
                GateError(.notFound, .unknown, "There is no such draft."))
            #expect(await first == nil)
        }
    }
}
