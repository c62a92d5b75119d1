import CommandSupport
import GateModel
import Testing

@testable import GateCore

extension Peer {
    /// A broker, which asks for other users' processes.
    fileprivate static let power = Peer(connection: 20, uid: 997, pid: 120, roles: [.app, .broker], program: "powerd")
    /// Another broker, over a connection of its own.
    fileprivate static let login = Peer(connection: 21, uid: 998, pid: 121, roles: [.app, .broker], program: "login")

    /// The peer's process, asked for by this broker.
    fileprivate func asking(for peer: Peer) -> Peer {
        asking(
            for: Subject(uid: peer.uid, pid: peer.pid, startTime: 77), owner: peer.owner, program: "game")
    }
}

@Suite("Brokers ask for others (B-06)")
struct BrokerTests {
    private let store = Command.authorize(AuthorizationRequest(gatedAction: "store.open"), presenting: .here)

    @Test("the question and the journal name the process that is asked for, with the broker beside it")
    func shown() throws {
        var device = Device(configuration: .gates)
        let opened = try device.apply(store, as: .power.asking(for: .ben))
        let asked = try opened.presentation().summary.asked
        let broker = Broker(uid: 997, program: "powerd", startTime: 77)
        #expect(asked.uid == 1002 && asked.pid == 102 && asked.program == "game" && asked.broker == broker)
        #expect(opened.audit.map(\.actor) == [AuditEntry.Actor(uid: 1002, pid: 102, broker: broker)])
        #expect(opened.audit.map(\.owner) == [.user(1002)])
    }

    @Test("a kept grant belongs to the user that a broker asked for, and holds for every broker")
    func kept() throws {
        var device = Device(configuration: .gates)
        let shown = try device.apply(store, as: .power.asking(for: .ben)).presentation()
        try device.answerRight(shown, as: .power)
        func outcome(_ peer: Peer) -> AuthorizationOutlook.Outcome {
            device.state.outlook(of: "store.open", for: peer, at: device.now).outcome
        }
        #expect(outcome(.ben) == .granted && outcome(.login.asking(for: .ben)) == .granted)
        #expect(outcome(.power) == .personNeeded && outcome(.power.asking(for: .anna)) == .personNeeded)
    }

    @Test("no grant is kept for a user who is billed to another one, whichever broker asks")
    func keptForNoGuest() throws {
        var device = Device(configuration: .gates)
        let guest = Peer(connection: 30, uid: 100_000, owner: .user(1002), pid: 130, roles: .app)
        let shown = try device.apply(store, as: .power.asking(for: guest)).presentation()
        try device.answerRight(shown, as: .power)
        #expect(device.state.records.keptGrants.isEmpty)
    }

    @Test("wrong answers lock out the user that a broker asked for, over every connection, and nobody else")
    func billed() throws {
        var device = Device(configuration: .gates)
        for _ in 0..<3 {
            let shown = try device.apply(store, as: .power.asking(for: .ben)).presentation()
            try device.answerWrong(shown, as: .power)
        }
        for peer in [Peer.ben, .power.asking(for: .ben), .login.asking(for: .ben)] {
            device.refuses(store, as: peer, .resourceExhausted, .lockedOut)
        }
        for peer in [Peer.power, .power.asking(for: .anna), .anna] {
            var other = device
            _ = try other.apply(store, as: peer).presentation()
        }
    }

    @Test("taking questions back until one suits does not help a broker: each look counts for the user it asks for")
    func looks() throws {
        var device = Device(configuration: .gates)
        for _ in 0..<4 {
            let shown = try device.apply(store, as: .power.asking(for: .ben)).presentation()
            try device.apply(.dismiss(shown.cookie), as: .power)
        }
        device.refuses(store, as: .power.asking(for: .ben), .resourceExhausted, .lockedOut)
    }

    @Test("the grant is the broker's: neither the process that is asked for nor another broker takes it")
    func secrets() throws {
        var device = Device(configuration: .gates)
        let subject = Peer.power.asking(for: .ben)
        let shown = try device.apply(store, as: subject).presentation()
        for peer in [Peer.ben, .login, .login.asking(for: .ben)] {
            device.refuses(
                .complete(shown.cookie, .text(shown.question.solution)), as: peer, .permissionDenied, .wrongCookie)
        }
        let grant = try device.answerRight(shown, as: .power).grant()
        let redeem = Command.redeem(grant.proof, gatedAction: "store.open", details: "")
        for peer in [Peer.ben, .login, .root] { device.refuses(redeem, as: peer, .permissionDenied, .notPermitted) }
        let taken = try device.apply(redeem, as: .power)
        let process = Subject(uid: 1002, pid: 102, startTime: 77)
        #expect(taken.reply == Reply.redeemed(requesterUID: 1002, requesterPID: 102, subject: process))
    }

    @Test("a process that a broker asks for does not get the broker's rights as an administrator")
    func noRights() {
        let root = Peer(connection: 22, uid: 0, pid: 122, roles: [.app, .administrator, .broker])
        #expect(root.asking(for: .ben).roles == .app)
    }

    @Test("users that one broker asks for do not use up each other's grants or questions")
    func limits() throws {
        var device = Device(configuration: .gates)
        try device.enterParentMode(as: .anna)
        let photos = Command.authorize(AuthorizationRequest(gatedAction: "photos.delete"), presenting: .here)
        for _ in 0..<Limits.unusedGrants { try device.apply(photos, as: .power.asking(for: .ben)) }
        device.refuses(photos, as: .power.asking(for: .ben), .resourceExhausted, .limit)
        try device.apply(photos, as: .power.asking(for: .anna))
        try device.apply(photos, as: .power)
        try device.apply(store, as: .power.asking(for: .theo))
        device.refuses(store, as: .power.asking(for: .theo), .resourceExhausted, .limit)
        try device.apply(store, as: .power.asking(for: .mara))
    }

    @Test("a broker's requests for others end with its connection")
    func lost() throws {
        var device = Device(configuration: .gates)
        try device.apply(store, as: .power.asking(for: .ben))
        let lost = try device.apply(.peerDisconnected, as: .power)
        #expect(lost.audit.map(\.kind) == [.requesterLost] && device.state.connections.isEmpty)
    }
}
