import GateProtocol
import TTRPCTransport
import Testing

@testable import GateClient

private let watchMethod = "gate.v1.Watch/Watch"
private let logInMethod = "gate.v1.SignIn/LogIn"

private let anna = SignInState(
    session: SignInState.Session(name: "anna", isChild: true, deadline: .never),
    isAuthenticating: false, needsAuthentication: false)
private let needed = SignInState(session: nil, isAuthenticating: false, needsAuthentication: true)
private let premium = EntitlementsState(
    entitlements: [Entitlement(id: "premium", title: "Premium", source: nil)], isSubscriptionActive: true)

private func told(_ number: UInt64, isSnapshot: Bool = false) -> WatchResponse {
    WatchResponse(
        firstNumber: number, revision: Revision(epoch: 7, number: number), isSnapshot: isSnapshot, mode: nil,
        presentations: nil)
}

@Suite("Signing in")
struct SignInTests {
    @Test("a watcher learns who is signed in at once and at each change; once the daemon is lost it is nobody (F-71)")
    func signIns() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let seen = gate.firstSignIns(4)
            let watch = try await server.expect(watchMethod)
            #expect(try WatchRequest(decoding: watch.request.payload) == WatchRequest(topics: [.signIn]))
            var snapshot = told(5, isSnapshot: true)
            snapshot.signIn = needed
            await watch.send(snapshot)
            // A change of another topic is told.
            await watch.send(told(6))
            var signedIn = told(7)
            signedIn.signIn = anna
            await watch.send(signedIn)
            await watch.closeConnection()
            // Nothing has changed, so the earlier state is true again.
            try await server.expect(watchMethod).send(WatchResponse(current: Revision(epoch: 7, number: 7)))
            #expect(await seen == [needed, anna, .closed, anna])
            try await server.stop()
        }
    }

    @Test("a watcher learns what is paid for at once and at each change; once the daemon is lost it is nothing")
    func entitlementChanges() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let seen = gate.firstEntitlements(3)
            let watch = try await server.expect(watchMethod)
            #expect(try WatchRequest(decoding: watch.request.payload) == WatchRequest(topics: [.entitlements]))
            var snapshot = told(5, isSnapshot: true)
            snapshot.entitlements = EntitlementsState(entitlements: [], isSubscriptionActive: false)
            await watch.send(snapshot)
            var paid = told(6)
            paid.entitlements = premium
            await watch.send(paid)
            await watch.closeConnection()
            #expect(await seen == [.closed, premium, .closed])
            try await server.stop()
        }
    }

    @Test("a log-in sends what was typed, unchanged, and may take as long as the daemon gives it (F-67, F-70)")
    func logIn() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            var options = patientOptions(path)
            options.callTimeout = .seconds(1)
            let gate = GateClient(options)
            async let state = gate.signIn.logIn(name: " Anna ", password: GateSecret("Pass word".utf8))
            let logIn = try await server.expect(logInMethod)
            #expect(
                try LogInRequest(decoding: logIn.request.payload)
                    == LogInRequest(name: " Anna ", password: GateSecret("Pass word".utf8)))
            #expect((logIn.request.timeout ?? .zero) > .seconds(30))
            await logIn.respond(LogInResponse(revision: here, state: anna))
            #expect(try await state == anna)
            try await server.stop()
        }
    }

    @Test("all pages of people and of claims are read")
    func pages() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let people = gate.people.list()
            for (name, next) in [("anna", "anna"), ("ben", "")] {
                let list = try await server.expect("gate.v1.People/ListPeople")
                await list.respond(
                    ListPeopleResponse(
                        [ListedPerson(GatePerson(name: name, kind: .grownUp))], nextPageToken: next))
            }
            #expect(try await people.map(\.name) == ["anna", "ben"])
            async let claims = gate.entitlements.claims()
            let list = try await server.expect("gate.v1.Entitlements/ListClaims")
            await list.respond(ListClaimsResponse([], nextPageToken: ""))
            #expect(try await claims.isEmpty)
            try await server.stop()
        }
    }
}

extension GateClient {
    fileprivate func firstSignIns(_ count: Int) async -> [SignInState] {
        var seen: [SignInState] = []
        for await state in signInUpdates {
            seen.append(state)
            if seen.count == count { break }
        }
        return seen
    }

    fileprivate func firstEntitlements(_ count: Int) async -> [EntitlementsState] {
        var seen: [EntitlementsState] = []
        for await state in entitlementUpdates {
            seen.append(state)
            if seen.count == count { break }
        }
        return seen
    }
}
