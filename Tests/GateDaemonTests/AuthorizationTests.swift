import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Gated actions over the wire", .timeLimit(.minutes(10)))
struct AuthorizationTests {
    @Test(
        "a check returns the outcome and the need without asking anybody",
        arguments: [
            ("link.open", .personNeeded, .challenge(.arithmeticChoice)), ("photos.delete", .personNeeded, .parentMode),
            ("nothing.named", .denied, nil), ("", .denied, nil),
        ] as [(String, AuthorizationOutlook.Outcome, AuthorizationNeed?)])
    func check(gatedAction: String, expected: AuthorizationOutlook.Outcome, need: AuthorizationNeed?) async throws {
        try await LiveGate.with { gate, store in
            let anna = try await gate.connect("anna")
            let checked = try await anna.call(
                Methods.Authorization.check, CheckRequest(gatedAction: gatedAction))
            #expect(checked.outlook.outcome == expected && checked.outlook.need == need)
            #expect(!checked.outlook.explanation.isEmpty)
            #expect(store.kinds == [.started])
        }
    }

    @Test("a program can read what a gated action requires as data, without a sentence")
    func conditions() async throws {
        try await LiveGate.with { gate, _ in
            let anna = try await gate.connect("anna")
            let photos = try await anna.call(
                Methods.Authorization.getGatedAction, GetGatedActionRequest(name: "photos.delete"))
            #expect(photos.gatedAction.name == "photos.delete" && photos.conditions == [ListedCondition(.parentMode)])
            let request = GetGatedActionRequest(name: "nothing.named")
            let refusal = await anna.refusal(of: Methods.Authorization.getGatedAction, request)
            #expect(refusal?.code == .notFound && refusal?.reason == .unknown)
            #expect(refusal?.parameters == ["what": "gated-action", "name": "nothing.named"])
        }
    }

    @Test("a user lists and revokes their own kept grants, an administrator everybody's")
    func keptGrants() async throws {
        try await LiveGate.with { gate, _ in
            for person in ["anna", "ben"] { try await keep(for: person, gate) }
            let (anna, root) = (try await gate.connect("anna"), try await gate.connect("root"))
            let hers = try await anna.call(Methods.Authorization.listGrants, ListGrantsRequest())
            #expect(hers.elements.map(\.uid) == [1001])
            let first = try await root.call(Methods.Authorization.listGrants, ListGrantsRequest(pageSize: 1))
            #expect(first.elements.map(\.uid) == [1001])
            let second = try await root.call(
                Methods.Authorization.listGrants, ListGrantsRequest(pageToken: first.nextPageToken))
            #expect(second.elements.map(\.uid) == [1002])
            #expect(second.nextPageToken.isEmpty)
            let refusal = await anna.refusal(
                of: Methods.Authorization.revoke, RevokeRequest(uid: 1002, gatedAction: ""))
            #expect(refusal?.code == .permissionDenied)
            let revoked = try await anna.call(
                Methods.Authorization.revoke, RevokeRequest(uid: nil, gatedAction: "photos.send"))
            #expect(revoked.count == 1)
            let left = try await root.call(Methods.Authorization.listGrants, ListGrantsRequest())
            #expect(left.elements.map(\.uid) == [1002])
        }
    }

    private func keep(for person: String, _ gate: LiveGate) async throws {
        let peer = try await gate.connect(person)
        let opened = try await peer.call(
            Methods.Authorization.authorize, AuthorizeRequest("photos.send", presenting: .here))
        let shown = try #require(opened.presentation)
        _ = try await peer.complete(shown, shown.rightAnswer)
    }

    @Test("the policy's gated actions are listed by name, page by page")
    func gatedActions() async throws {
        try await LiveGate.with { gate, _ in
            let anna = try await gate.connect("anna")
            var (names, token): ([String], String) = ([], "")
            repeat {
                let page = try await anna.call(
                    Methods.Authorization.listGatedActions,
                    ListGatedActionsRequest(pageSize: 3, pageToken: token))
                names += page.elements.map(\.name)
                token = page.nextPageToken
            } while !token.isEmpty
            #expect(names == ["link.open", "photos.delete", "photos.send", "purchase"])
            let refusal = await anna.refusal(
                of: Methods.Authorization.listGatedActions, ListGatedActionsRequest(pageToken: "?"))
            #expect(refusal?.code == .invalidArgument)
        }
    }

    @Test("administrators list and clear wrong answers, and others may not")
    func lockouts() async throws {
        try await LiveGate.with { gate, _ in
            let (anna, root) = (try await gate.connect("anna"), try await gate.connect("root"))
            let opened = try await anna.call(
                Methods.Authorization.authorize, AuthorizeRequest("link.open", presenting: .here))
            let shown = try #require(opened.presentation)
            await #expect(throws: GateError.self) { try await anna.complete(shown, shown.wrongAnswer) }
            let listed = try await root.call(Methods.Authorization.listLockouts, ListLockoutsRequest())
            #expect(listed.elements.map(\.gate) == [.gatedAction("link.open")])
            #expect(listed.elements.map(\.wrongAnswers) == [1])
            #expect(listed.elements.map(\.remaining) == [nil])
            let refusals = [
                await anna.refusal(of: Methods.Authorization.listLockouts, ListLockoutsRequest()),
                await anna.refusal(
                    of: Methods.Authorization.clearLockout, ClearLockoutRequest(uid: nil, gate: nil)),
            ]
            #expect(refusals.map { $0?.code } == [.permissionDenied, .permissionDenied])
            let cleared = try await root.call(
                Methods.Authorization.clearLockout, ClearLockoutRequest(uid: 1001, gate: nil))
            #expect(cleared.count == 1)
        }
    }
}
