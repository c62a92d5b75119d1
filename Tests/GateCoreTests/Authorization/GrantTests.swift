import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("Grants (F-18)")
struct GrantTests {
    @Test("a grant is for its requester, its gated action and its exact details, and works once")
    func once() throws {
        var device = Device(configuration: .gates)
        let grant = try device.grant("https://example.org/", to: .anna)
        #expect(grant.id == 1 && grant.deadline == .seconds(1060) && device.mode == .child)
        let redeem = Command.redeem(grant.proof, gatedAction: "link.open", details: "https://example.org/")
        for peer in [Peer.annasOther, .ben, .root] {
            device.refuses(redeem, as: peer, .permissionDenied, .notPermitted)
        }
        for (gatedAction, details) in [
            ("store.open", "https://example.org/"), ("link.open", "https://example.org"), ("link.open", ""),
        ] {
            device.refuses(
                .redeem(grant.proof, gatedAction: gatedAction, details: details), as: .anna, .failedPrecondition,
                .noGrant)
        }
        let taken = try device.apply(redeem, as: .anna)
        #expect(taken.reply == .redeemed(requesterUID: 1001, requesterPID: 101))
        #expect(taken.audit.map(\.kind) == [.redeemed])
        #expect(taken.audit.first?.detail == "link.open: https://example.org/")
        device.refuses(redeem, as: .anna, .failedPrecondition, .noGrant)
    }

    @Test("details are compared byte by byte, so that texts which only look the same differ")
    func bytes() throws {
        var device = Device(configuration: .gates)
        let grant = try device.grant("caf\u{e9}", to: .anna)
        device.refuses(
            .redeem(grant.proof, gatedAction: "link.open", details: "cafe\u{301}"), as: .anna, .failedPrecondition,
            .noGrant)
    }

    @Test("a grant for another user is for that user, over any connection, and for nobody else")
    func redeemer() throws {
        var device = Device(configuration: .gates)
        let grant = try device.grant("beach.jpg", redeemer: Peer.store.uid, to: .ben)
        let redeem = Command.redeem(grant.proof, gatedAction: "link.open", details: "beach.jpg")
        for peer in [Peer.ben, .anna, .root] { device.refuses(redeem, as: peer, .permissionDenied, .notPermitted) }
        let stores = Peer(connection: 44, uid: Peer.store.uid, pid: 1, roles: .app)
        #expect(try device.apply(redeem, as: stores).reply == .redeemed(requesterUID: 1002, requesterPID: 102))
        device.refuses(redeem, as: .store, .failedPrecondition, .noGrant)
    }

    @Test("a made-up proof is no grant, by one bit as by all")
    func forged() throws {
        var device = Device(configuration: .gates)
        let grant = try device.grant(to: .anna)
        var forged: [[UInt8]] = [[], Array(grant.proof.bytes.dropLast()), Array(repeating: 0, count: 24)]
        for index in 0..<24 {
            forged.append(grant.proof.bytes)
            forged[forged.count - 1][index] ^= 1
        }
        for bytes in forged {
            let redeem = Command.redeem(Grant.Proof(bytes: bytes), gatedAction: "link.open", details: "")
            device.refuses(redeem, as: .anna, .failedPrecondition, .noGrant)
        }
        try device.apply(.redeem(grant.proof, gatedAction: "link.open", details: ""), as: .anna)
    }

    @Test("after its time a grant is gone, in silence")
    func deadline() throws {
        var device = Device(configuration: .gates)
        let grant = try device.grant(to: .anna)
        let redeem = Command.redeem(grant.proof, gatedAction: "link.open", details: "")
        #expect(device.state.nextDeadline == grant.deadline)
        device.now = BootTime(nanoseconds: grant.deadline.nanoseconds - 1)
        var inTime = device
        try inTime.apply(redeem, as: .anna)
        device.now = grant.deadline
        device.refuses(redeem, as: .anna, .failedPrecondition, .noGrant)
        let settled = try device.apply(.deadlineReached, as: .daemon)
        #expect(!settled.isChange && device.state.nextDeadline == nil && device.state.connections.isEmpty)
    }

    @Test("a grant ends with its requester's connection, even if another user may redeem it")
    func requesterLost() throws {
        var device = Device(configuration: .gates)
        let grant = try device.grant(redeemer: Peer.store.uid, to: .anna)
        #expect(device.state.connections == [Peer.anna.connection])
        try device.apply(.peerDisconnected, as: .annasOther)
        #expect(device.state.connections == [Peer.anna.connection])
        try device.apply(.peerDisconnected, as: .anna)
        device.refuses(
            .redeem(grant.proof, gatedAction: "link.open", details: ""), as: .store, .failedPrecondition, .noGrant)
        #expect(device.state.connections.isEmpty)
    }

    @Test("a connection can't hoard grants: the 65th is refused, until one is used or the first runs out")
    func hoarding() throws {
        var device = Device(configuration: .gates)
        try device.enterParentMode(as: .anna)
        var grants: [Grant] = []
        for number in 0..<64 {
            grants.append(try device.authorize("photos.delete", as: .anna).grant())
            if number == 0 { try device.turn(by: .seconds(10)) }
        }
        let more = Command.authorize(
            AuthorizationRequest(gatedAction: "photos.delete", details: ""), presenting: .here)
        device.refuses(more, as: .anna, .resourceExhausted, .limit)
        let wait = try #require(device.refusal(more, as: .anna)?.retryAfter)
        #expect(wait == Limits.grantTime - .seconds(10))
        var later = device
        try later.turn(by: wait)
        try later.apply(more, as: .anna)
        try device.apply(more, as: .ben)
        try device.apply(.redeem(grants[0].proof, gatedAction: "photos.delete", details: ""), as: .anna)
        try device.apply(more, as: .anna)
    }

    @Test("neither journal nor dump shows a proof")
    func proofIsSecret() throws {
        var device = Device(configuration: .gates)
        let grant = try device.grant("https://example.org/", to: .anna)
        #expect("\(grant.proof)" == "(proof)")
        #expect(device.journal.suffix(2).map(\.kind) == [.answeredRight, .granted])
        #expect(device.journal.last?.detail == "link.open: https://example.org/")
    }

    // MARK: - Kept

    @Test("a kept grant lets its user through without a question until it ends or is revoked")
    func kept() throws {
        var device = Device(configuration: .gates)
        try device.answerRight(try device.authorize("store.open", as: .ben).presentation(), as: .ben)
        let key = KeptGrant.Key(uid: Peer.ben.uid, gatedAction: "store.open")
        #expect(device.stored.keptGrants == KeptGrants([key: KeptGrant(deadline: .seconds(1300))]))
        #expect(device.state.outlook(of: "store.open", for: .ben, at: device.now).outcome == .granted)
        #expect(device.state.outlook(of: "store.open", for: .anna, at: device.now).outcome == .personNeeded)
        let again = Peer(connection: 70, uid: Peer.ben.uid, pid: 9, roles: .app)
        let granted = try device.authorize("store.open", "something else", as: again)
        #expect(try granted.grant().details == "something else" && granted.audit.map(\.kind) == [.granted])
        // A grant given at once from a kept one does not lengthen it.
        #expect(device.stored.keptGrants[key]?.deadline == .seconds(1300))

        var revoked = device
        revoked.refuses(.revoke(uid: Peer.ben.uid, gatedAction: nil), as: .anna, .permissionDenied, .notPermitted)
        #expect(try revoked.apply(.revoke(uid: nil, gatedAction: nil), as: .anna).reply == .count(0))
        #expect(try revoked.apply(.revoke(uid: nil, gatedAction: "link.open"), as: .ben).reply == .count(0))
        let transition = try revoked.apply(.revoke(uid: Peer.ben.uid, gatedAction: nil), as: .root)
        #expect(transition.reply == .count(1) && transition.audit.map(\.detail) == ["store.open, user 1002"])
        _ = try revoked.authorize("store.open", as: .ben).presentation()

        try device.turn(by: .seconds(300))
        #expect(device.kinds().last == .grantExpired && device.stored.keptGrants.isEmpty)
        _ = try device.authorize("store.open", as: .ben).presentation()
    }

    @Test("a kept grant survives a restart of the daemon, and ends when the device reboots")
    func restart() throws {
        var device = Device(configuration: .gates)
        try device.answerRight(try device.authorize("store.open", as: .ben).presentation(), as: .ben)
        var again = Device(device.stored, configuration: .gates)
        try again.apply(.start, as: .daemon)
        _ = try again.authorize("store.open", as: .ben).grant()
        var stored = device.stored
        stored.deviceRebooted(at: .seconds(3))
        #expect(stored.keptGrants.isEmpty)
    }

    @Test("a kept grant is revoked if the policy removes its gated action, or changes its requirement or its duration")
    func policy() throws {
        let changes: [(inout GatedAction?) -> Void] = [
            { $0 = nil }, { $0?.requirement = .parentMode }, { $0?.keep = nil }, { $0?.keep = .seconds(299) },
        ]
        for change in changes {
            var device = Device(configuration: .gates)
            try device.answerRight(try device.authorize("store.open", as: .ben).presentation(), as: .ben)
            var configuration = Configuration.gates
            change(&configuration.gatedActions["store.open"])
            let reloaded = try device.apply(.configure(configuration, detail: "SIGHUP"), as: .root)
            #expect(reloaded.audit.map(\.kind) == [.reloaded, .revoked])
            #expect(reloaded.audit.last?.actor == nil && reloaded.audit.last?.detail == "store.open, user 1002")
            #expect(device.stored.keptGrants.isEmpty)
            #expect(device.state.outlook(of: "store.open", for: .ben, at: device.now).outcome != .granted)
        }
    }

    @Test("a kept grant stays if a reload changes only its title and style, or other gated actions")
    func samePolicy() throws {
        var device = Device(configuration: .gates)
        try device.answerRight(try device.authorize("store.open", as: .ben).presentation(), as: .ben)
        var configuration = Configuration.gates
        configuration.gatedActions["link.open"] = nil
        configuration.gatedActions["store.open"]?.titles = "Open the shop"
        configuration.gatedActions["store.open"]?.style = .fullScreenCover
        let reloaded = try device.apply(.configure(configuration, detail: ""), as: .root)
        #expect(reloaded.audit.map(\.kind) == [.reloaded] && device.stored.keptGrants.count == 1)
        _ = try device.authorize("store.open", as: .ben).grant()
    }

    @Test("the journal shows the first 200 bytes of what was granted and redeemed, the grant all of it")
    func longDetails() throws {
        var device = Device(configuration: .gates)
        let details = String(repeating: "ж", count: 2000)
        let grant = try device.grant(details, to: .anna)
        #expect(grant.details == details)
        try device.apply(.redeem(grant.proof, gatedAction: "link.open", details: details), as: .anna)
        let shown = "link.open: " + String(repeating: "ж", count: 98) + "…"
        #expect(device.journal.suffix(2).map(\.kind) == [.granted, .redeemed])
        #expect(device.journal.suffix(2).allSatisfy { $0.detail == shown })
    }

    @Test("a grant that only parent mode allowed is not kept")
    func notKeptByParentMode() throws {
        var configuration = Configuration.gates
        configuration.gatedActions["photos.send"]?.keep = .seconds(300)
        var device = Device(configuration: configuration)
        try device.enterParentMode(as: .anna)
        _ = try device.authorize("photos.send", as: .ben).grant()
        #expect(device.stored.keptGrants.isEmpty)
    }
}
