import GateCore
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Questions that wait for a grown-up, over the wire", .timeLimit(.minutes(10)))
struct WaitingQuestionTests {
    private static let users: [UInt32: String] = [1001: "anna", 1002: "ben", 1004: "mother", 0: "root"]

    private static let database = UserDatabase(
        uid: { name in users.first { $0.value == name }?.key }, name: { users[$0] }, hasAccount: { _ in true })

    private static let policy = """
        gated-actions:
          page.open: {title: Open a page, requires: {challenge: {kind: confirm, answered-by: grown-up, may-wait: 3d}}}

        """

    /// Mia and Otto are children: ben is Mia's user, and anna is Otto's.
    private static let people = [
        GatePerson(name: "mia", kind: .child(born: nil), user: .init(name: "ben", uid: 0)),
        GatePerson(name: "otto", kind: .child(born: nil), user: .init(name: "anna", uid: 0)),
        GatePerson(name: "mum", kind: .grownUp, user: .init(name: "mother", uid: 0)),
    ]

    private static let wish = {
        var request = AuthorizationRequest(gatedAction: "page.open", details: "a")
        request.mayWait = true
        return AuthorizeRequest(request: request, presenting: .elsewhere)
    }()

    private func asks(_ peer: Connected) async throws -> [Ask] {
        try await peer.call(Methods.Authorization.listAsks, ListAsksRequest()).elements
    }

    @Test(
        "a program is told the number, watchers hear each change, and the same request passes once after a yes (W-02)")
    func answered() async throws {
        try await LiveGate.with(policy: Self.policy, users: Self.database) { gate, _ in
            let root = try await gate.connect("root")
            for person in Self.people {
                _ = try await root.call(Methods.People.set, SetPersonRequest(person: ListedPerson(person)))
            }
            await gate.authority.settled()
            let (ben, anna) = (try await gate.connect("ben"), try await gate.connect("anna"))
            let mother = try await gate.connect("mother")
            let watch = WatchRequest(topics: [.asks])
            var (hers, his) = (
                try await mother.open(Methods.Watch.watch, watch), try await ben.open(Methods.Watch.watch, watch)
            )
            #expect(try await hers.next()?.asks == [])
            #expect(try await his.next()?.asks == [])

            let asked = await ben.refusal(of: Methods.Authorization.authorize, Self.wish)
            #expect(asked?.code == .failedPrecondition && asked?.reason == .asked && asked?.parameters["ask"] == "1")
            #expect(try await hers.next()?.asks?.map(\.state) == [.waiting])
            #expect(try await his.next()?.asks?.map(\.details) == ["a"])
            #expect(try await asks(mother).map(\.person) == ["mia"])
            #expect(try await asks(anna).isEmpty)

            let yes = AnswerAskRequest(number: 1, isAllowed: true)
            for child in [ben, anna] {
                let refusal = await child.refusal(of: Methods.Authorization.answerAsk, yes)
                #expect(refusal?.parameters["what"] == "grown-up-presenter")
            }
            _ = try await mother.call(Methods.Authorization.answerAsk, yes)
            #expect(try await hers.next()?.asks?.map(\.state) == [.allowed])

            guard case .grant(let grant) = try await ben.call(Methods.Authorization.authorize, Self.wish).result else {
                Issue.record("no grant")
                return
            }
            #expect(grant.details == "a")
            #expect(try await hers.next()?.asks == [])

            let again = await ben.refusal(of: Methods.Authorization.authorize, Self.wish)
            #expect(again?.parameters["ask"] == "2")
            _ = try await ben.call(Methods.Authorization.withdrawAsk, WithdrawAskRequest(number: 2))
            #expect(try await asks(root).isEmpty)
        }
    }

    @Test("a yes for today is listed with its choice, lasts, and what the policy does not offer is refused (W-04)")
    func chosen() async throws {
        try await LiveGate.with(policy: Self.policy, users: Self.database) { gate, _ in
            let root = try await gate.connect("root")
            for person in Self.people {
                _ = try await root.call(Methods.People.set, SetPersonRequest(person: ListedPerson(person)))
            }
            await gate.authority.settled()
            let (ben, mother) = (try await gate.connect("ben"), try await gate.connect("mother"))
            _ = await ben.refusal(of: Methods.Authorization.authorize, Self.wish)
            #expect(try await asks(mother).map(\.choices) == [[.once, .today]])

            let refusal = await mother.refusal(
                of: Methods.Authorization.answerAsk, AnswerAskRequest(number: 1, .yes(.always)))
            #expect(refusal?.code == .invalidArgument && refusal?.parameters["choices"] == "once, today")
            _ = try await mother.call(Methods.Authorization.answerAsk, AnswerAskRequest(number: 1, .yes(.today)))
            for _ in 0..<2 { _ = try await ben.call(Methods.Authorization.authorize, Self.wish) }
            let listed = try await asks(ben)
            #expect(listed.map(\.state) == [.allowed] && listed.map(\.choice) == [.today])
            #expect(listed.first?.choices.isEmpty == true && listed.first?.ends != nil)

            _ = try await mother.call(Methods.Authorization.answerAsk, AnswerAskRequest(number: 1, .no))
            #expect(await ben.refusal(of: Methods.Authorization.authorize, Self.wish)?.reason == .refused)
        }
    }
}
