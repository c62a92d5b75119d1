import GateCore
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Brokers ask grown-ups in a child's name, over the wire (W-08)", .timeLimit(.minutes(10)))
struct BrokerAskTests {
    private static let users: [UInt32: String] = [
        1001: "anna", 1002: "ben", 1004: "mother", 1005: "shop", 0: "root",
    ]

    private static let database = UserDatabase(
        uid: { name in users.first { $0.value == name }?.key }, name: { users[$0] }, hasAccount: { _ in true })

    private static let policy = """
        roles:
          broker: {users: [shop]}
        gated-actions:
          page.open: {title: Open a page, requires: {challenge: {kind: confirm, answered-by: grown-up, may-wait: 3d}}}

        """

    /// Mia and Otto are children: ben is Mia's user, and anna is Otto's.
    private static let people = [
        GatePerson(name: "mia", kind: .child(born: nil), user: .init(name: "ben", uid: 0)),
        GatePerson(name: "otto", kind: .child(born: nil), user: .init(name: "anna", uid: 0)),
        GatePerson(name: "mum", kind: .grownUp, user: .init(name: "mother", uid: 0)),
    ]

    private static let bens = Subject(uid: 1002, pid: 4242, startTime: 77)
    private static let annas = Subject(uid: 1001, pid: 4343, startTime: 78)

    private func withGate(
        _ body: (_ broker: Connected, _ gate: LiveGate, _ processes: SettableProcesses) async throws -> Void
    ) async throws {
        let processes = SettableProcesses([Self.bens: "pkexec", Self.annas: "pkexec"])
        try await LiveGate.with(policy: Self.policy, processes: processes, users: Self.database) { gate, _ in
            let root = try await gate.connect("root")
            for person in Self.people {
                _ = try await root.call(Methods.People.set, SetPersonRequest(person: ListedPerson(person)))
            }
            await gate.authority.settled()
            try await body(try await gate.connect("shop"), gate, processes)
        }
    }

    private func wish(_ subject: Subject?, _ details: String = "clean a") -> AuthorizeRequest {
        var request = AuthorizationRequest(gatedAction: "page.open", details: details, subject: subject)
        (request.mayWait, request.atOnce) = (true, true)
        return AuthorizeRequest(request: request, presenting: .elsewhere)
    }

    private func asks(_ peer: Connected) async throws -> [Ask] {
        try await peer.call(Methods.Authorization.listAsks, ListAsksRequest()).elements
    }

    @Test("a broker files the child's ask and is told its number, and after a yes gets the grant once")
    func answered() async throws {
        try await withGate { broker, gate, _ in
            let (ben, mother) = (try await gate.connect("ben"), try await gate.connect("mother"))
            // A screen is there, and shows nothing of it.
            let screen = try await mother.register()
            let asked = await broker.refusal(of: Methods.Authorization.authorize, wish(Self.bens))
            #expect(asked?.reason == .asked && asked?.parameters["ask"] == "1")
            #expect(try await asks(mother).map(\.person) == ["mia"])
            #expect(try await asks(ben).map(\.details) == ["clean a"])
            #expect(try await asks(broker).isEmpty)
            let open = try await mother.call(Methods.Presentations.list, ListPresentationsRequest())
            #expect(open.presentations.isEmpty)
            _ = screen

            _ = try await mother.call(Methods.Authorization.answerAsk, AnswerAskRequest(number: 1, isAllowed: true))
            let check = CheckRequest(gatedAction: "page.open", subject: Self.bens, details: "clean a")
            let outlook = try await broker.call(Methods.Authorization.check, check).outlook
            #expect(outlook.outcome == .personNeeded)
            let granted = try await broker.call(Methods.Authorization.authorize, wish(Self.bens))
            guard case .grant(let grant) = granted.result else {
                Issue.record("no grant")
                return
            }
            _ = try await broker.call(
                Methods.Authorization.redeem,
                RedeemRequest(proof: grant.proof, gatedAction: "page.open", details: "clean a"))
            let again = await broker.refusal(of: Methods.Authorization.authorize, wish(Self.bens))
            #expect(again?.reason == .asked)
        }
    }

    @Test("nobody files an ask in another user's name without the role of a broker")
    func role() async throws {
        try await withGate { _, gate, _ in
            for name in ["anna", "ben", "mother"] {
                let person = try await gate.connect(name)
                let refusal = await person.refusal(of: Methods.Authorization.authorize, wish(Self.bens))
                #expect(refusal?.code == .permissionDenied && refusal?.parameters == ["what": "broker"], "\(name)")
            }
            #expect(try await asks(try await gate.connect("root")).isEmpty)
        }
    }

    @Test("for a process that is gone, is another user's, or started at another time, nothing is asked")
    func subject() async throws {
        try await withGate { broker, gate, processes in
            let root = try await gate.connect("root")
            processes.end(Self.annas)
            for subject in [
                Self.annas, Subject(uid: 1001, pid: 4242, startTime: 77), Subject(uid: 1004, pid: 4242, startTime: 77),
                Subject(uid: 1002, pid: 4242, startTime: 78), Subject(uid: 1002, pid: 4343, startTime: 78),
            ] {
                let refusal = await broker.refusal(of: Methods.Authorization.authorize, wish(subject))
                #expect(refusal?.code == .notFound && refusal?.parameters["what"] == "process")
            }
            #expect(try await asks(root).isEmpty)
            // A broker is no person, so what it asks for itself does not wait.
            let own = await broker.refusal(of: Methods.Authorization.authorize, wish(nil))
            #expect(own?.reason == .noPresenter)
            #expect(try await asks(root).isEmpty)
        }
    }

    @Test("a process that ends after it was asked for leaves its person's ask, and a yes is for the next one")
    func ended() async throws {
        try await withGate { broker, gate, processes in
            let mother = try await gate.connect("mother")
            #expect(await broker.refusal(of: Methods.Authorization.authorize, wish(Self.bens))?.reason == .asked)
            processes.end(Self.bens)
            _ = try await mother.call(Methods.Authorization.answerAsk, AnswerAskRequest(number: 1, isAllowed: true))
            #expect(await broker.refusal(of: Methods.Authorization.authorize, wish(Self.bens))?.code == .notFound)
            #expect(try await asks(mother).map(\.state) == [.allowed])
            let ben = try await gate.connect("ben")
            #expect(await ben.refusal(of: Methods.Authorization.authorize, wish(nil)) == nil)
        }
    }

    @Test("a flood of different commands is refused for the child alone")
    func flood() async throws {
        try await withGate { broker, _, _ in
            for number in 0..<5 {
                let refusal = await broker.refusal(
                    of: Methods.Authorization.authorize, wish(Self.bens, "clean \(number)"))
                #expect(refusal?.reason == .asked)
            }
            for number in 5..<20 {
                let refusal = await broker.refusal(
                    of: Methods.Authorization.authorize, wish(Self.bens, "clean \(number)"))
                #expect(refusal?.code == .resourceExhausted && refusal?.parameters["what"] == "asks")
            }
            let other = await broker.refusal(of: Methods.Authorization.authorize, wish(Self.annas, "clean 5"))
            #expect(other?.reason == .asked)
        }
    }
}
