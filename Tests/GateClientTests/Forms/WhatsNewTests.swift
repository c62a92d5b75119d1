import GateProtocol
import Synchronization
import TTRPCTransport
import Testing

@testable import GateClient

private let showMethod = "gate.v1.ReleaseNotes/ShowReleaseNotes"
private let getMethod = "gate.v1.ReleaseNotes/GetReleaseNotes"
private let completeMethod = "gate.v1.Presentations/Complete"
private let authorizeMethod = "gate.v1.Authorization/Authorize"
private let version = AppVersion(1, 2, 0)
private let url = "https://example.org/new"

private func notice(url: String? = url) -> WhatsNewNotice {
    WhatsNewNotice(
        app: "draw",
        entry: WhatsNew(
            version: version, title: "New",
            features: [WhatsNew.Feature(image: "", colour: "", title: "Layers", subtitle: "")],
            primary: WhatsNew.PrimaryAction(title: "Continue"),
            secondary: WhatsNew.SecondaryAction(title: "Learn more", url: url)))
}

private let shown = stateClosed(1, .whatsNew, .whatsNew(notice()))

/// What was opened, in order.
private final class Opened: Sendable {
    private let urls = Mutex<[String]>([])
    var value: [String] { urls.withLock { $0 } }
    func add(_ url: String) { urls.withLock { $0.append(url) } }
}

extension ScriptedServer {
    fileprivate func grantLink() async throws {
        let authorize = try await expectIgnoringWatch(authorizeMethod)
        #expect(
            try AuthorizeRequest(decoding: authorize.request.payload).request
                == AuthorizationRequest(gatedAction: "link.open", details: url))
        let grant = Grant(
            id: 9, proof: Grant.Proof(bytes: Array(1...24)), gatedAction: "link.open", details: url,
            deadline: BootTime(nanoseconds: 1))
        await authorize.respond(AuthorizeResponse(revision: here, result: .grant(grant)))
        try await expectIgnoringWatch("gate.v1.Authorization/Redeem").respond(
            RedeemResponse(revision: here, requesterUID: 1000, requesterPID: 7))
    }
}

@Suite("What is new")
struct WhatsNewTests {
    @Test("a presenter shows the news, and the outcome is returned", arguments: WhatsNewOutcome.allCases)
    func shownByOthers(outcome: WhatsNewOutcome) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.showWhatsNew(app: "draw", version: version)
            let show = try await server.expect(showMethod)
            #expect(
                try ShowReleaseNotesRequest(decoding: show.request.payload)
                    == ShowReleaseNotesRequest(app: "draw", version: version, presenting: .elsewhere))
            #expect(show.request.timeout == nil, "a person may take their time")
            await show.respond(ShowReleaseNotesResponse(revision: here, result: .outcome(outcome)))
            #expect(try await result == outcome)
            try await server.stop()
        }
    }

    @Test("the address behind the secondary button is opened only once link.open was granted (F-57)")
    func secondary() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let opened = Opened()
            async let result = gate.showWhatsNew(app: "draw", version: version, opening: { opened.add($0) })
            try await server.expect(getMethod).respond(GetReleaseNotesResponse(entry: notice()))
            try await server.expect(showMethod).respond(
                ShowReleaseNotesResponse(revision: here, result: .outcome(.secondaryChosen)))
            #expect(opened.value.isEmpty)
            try await server.grantLink()
            #expect(try await result == .secondaryChosen)
            #expect(opened.value == [url])
            try await server.stop()
        }
    }

    @Test("the news' address is opened only if it was chosen and granted")
    func notGranted() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let opened = Opened()
            let denied = GateError(.failedPrecondition, .denied, "The policy does not allow it.")
            let task = Task { try await gate.showWhatsNew(app: "draw", version: version, opening: { opened.add($0) }) }
            try await server.expect(getMethod).respond(GetReleaseNotesResponse(entry: notice()))
            try await server.expect(showMethod).respond(
                ShowReleaseNotesResponse(revision: here, result: .outcome(.secondaryChosen)))
            try await server.expect(authorizeMethod).fail(denied)
            await #expect(throws: denied) { try await task.value }

            async let primary = gate.showWhatsNew(app: "draw", version: version, opening: { opened.add($0) })
            try await server.expect(getMethod).respond(GetReleaseNotesResponse(entry: notice()))
            try await server.expect(showMethod).respond(
                ShowReleaseNotesResponse(revision: here, result: .outcome(.shown)))
            #expect(try await primary == .shown)

            async let withoutURL = gate.showWhatsNew(app: "draw", version: version, opening: { opened.add($0) })
            try await server.expect(getMethod).respond(GetReleaseNotesResponse(entry: notice(url: nil)))
            try await server.expect(showMethod).respond(
                ShowReleaseNotesResponse(revision: here, result: .outcome(.secondaryChosen)))
            #expect(try await withoutURL == .secondaryChosen)
            #expect(opened.value.isEmpty)
            try await server.stop()
        }
    }

    @Test("a program that shows the news itself acknowledges them with either button", arguments: [false, true])
    func presented(isSecondary: Bool) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            let opened = Opened()
            async let result = gate.showWhatsNew(
                app: "draw", version: version,
                presenting: { open in
                    guard case .whatsNew(notice()) = open.content, !open.isClosedByState else { return .dismiss }
                    return .answer(.acknowledged(isSecondary ? .secondary : .primary))
                },
                opening: { opened.add($0) })
            let show = try await server.expect(showMethod)
            #expect(try ShowReleaseNotesRequest(decoding: show.request.payload).presenting == .here)
            await show.respond(ShowReleaseNotesResponse(revision: here, result: .presentation(shown)))
            let complete = try await server.expectIgnoringWatch(completeMethod)
            #expect(
                try CompleteRequest(decoding: complete.request.payload)
                    == CompleteRequest(cookie: shown.cookie, answer: .acknowledged(isSecondary ? .secondary : .primary))
            )
            await complete.respond(CompleteResponse(revision: here, state: .closed))
            if isSecondary { try await server.grantLink() }
            #expect(try await result == (isSecondary ? .secondaryChosen : .shown))
            #expect(opened.value == (isSecondary ? [url] : []))
            try await server.stop()
        }
    }

    @Test("dismissing news is sent to the daemon, and counts like the button (F-58)")
    func dismissed() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.showWhatsNew(app: "draw", version: version, presenting: { _ in .dismiss })
            try await server.expect(showMethod).respond(
                ShowReleaseNotesResponse(revision: here, result: .presentation(shown)))
            try await server.expectIgnoringWatch("gate.v1.Presentations/Dismiss").respond(
                DismissResponse(revision: here, state: .closed))
            #expect(try await result == .shown)
            try await server.stop()
        }
    }

    @Test("if nothing is new, nothing is shown")
    func nothing() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let result = gate.showWhatsNew(
                app: "draw", version: version,
                presenting: { _ in
                    Issue.record("it was shown")
                    return .dismiss
                })
            try await server.expect(showMethod).respond(
                ShowReleaseNotesResponse(revision: here, result: .outcome(.nothingNew)))
            #expect(try await result == .nothingNew)
            try await server.stop()
        }
    }

    @Test("seen news can be acknowledged, reset and listed")
    func ledger() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let acknowledged = gate.releaseNotes.acknowledge(app: "draw", version: version)
            let acknowledge = try await server.expect("gate.v1.ReleaseNotes/AcknowledgeReleaseNotes")
            #expect(
                try AcknowledgeReleaseNotesRequest(decoding: acknowledge.request.payload)
                    == AcknowledgeReleaseNotesRequest(app: "draw", version: version))
            await acknowledge.respond(AcknowledgeReleaseNotesResponse(revision: here))
            #expect(
                try await acknowledged == SeenReleaseNotes(app: "draw", version: version, revision: here))

            async let reset = gate.releaseNotes.reset()
            let request = try await server.expect("gate.v1.ReleaseNotes/ResetReleaseNotes")
            #expect(try ResetReleaseNotesRequest(decoding: request.request.payload).app == nil)
            await request.respond(ResetReleaseNotesResponse(revision: here, count: 2))
            #expect(try await reset == UnseenReleaseNotes(entryCount: 2, revision: here))

            async let listed = gate.releaseNotes.list()
            let apps = ["a", "b"].map {
                ReleaseNotesSummary(app: $0, newest: version, entryCount: 1, seen: [])
            }
            try await server.expect("gate.v1.ReleaseNotes/ListReleaseNotes").respond(
                ListReleaseNotesResponse([apps[0]], nextPageToken: "after a"))
            let second = try await server.expect("gate.v1.ReleaseNotes/ListReleaseNotes")
            #expect(try ListReleaseNotesRequest(decoding: second.request.payload).pageToken == "after a")
            await second.respond(ListReleaseNotesResponse([apps[1]], nextPageToken: ""))
            #expect(try await listed == apps)
            try await server.stop()
        }
    }
}
