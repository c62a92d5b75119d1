import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("Unused grants are counted and dropped without looking at the others (F-18)")
struct GrantLedgerTests {
    private var random = SeededGenerator(seed: 1)

    private func request() -> AuthorizationRequest {
        AuthorizationRequest(gatedAction: "link.open", details: "")
    }

    @Test("a user has at most 256 unused grants, over all connections, and keeps nobody else from theirs")
    func userLimit() throws {
        var device = Device(configuration: .gates)
        try device.enterParentMode(as: .anna)
        let more = Command.authorize(
            AuthorizationRequest(gatedAction: "photos.delete", details: ""), presenting: .here)
        for number in 0..<256 as Range<UInt64> {
            try device.apply(more, as: Peer(connection: 100 + number / 64, uid: 1002, pid: 1, roles: .app))
        }
        let again = Peer(connection: 200, uid: 1002, pid: 1, roles: .app)
        device.refuses(more, as: again, .resourceExhausted, .limit)
        try device.apply(more, as: .anna)
        #expect(device.state.connections == [1, 100, 101, 102, 103])
        try device.apply(.peerDisconnected, as: Peer(connection: 101, uid: 1002, pid: 1, roles: .app))
        try device.apply(more, as: again)
        #expect(device.state.connections == [1, 100, 102, 103, 200])
    }

    @Test("an open request counts against the limit of unused grants like a grant")
    func pending() throws {
        var device = Device(configuration: .gates)
        try device.enterParentMode(as: .anna)
        let parent = Command.authorize(
            AuthorizationRequest(gatedAction: "photos.delete", details: ""), presenting: .here)
        for number in 0..<255 as Range<UInt64> {
            try device.apply(parent, as: Peer(connection: 100 + number / 64, uid: 1002, pid: 1, roles: .app))
        }
        _ = try device.authorize("link.open", as: .ben).presentation()
        let again = Peer(connection: 200, uid: 1002, pid: 1, roles: .app)
        device.refuses(parent, as: again, .resourceExhausted, .limit)
    }

    @Test("all grants whose time is over are dropped together, even if they ended at different moments")
    func expiry() throws {
        var device = Device(configuration: .gates)
        try device.enterParentMode(as: .anna)
        for _ in 0..<50 {
            _ = try device.authorize("photos.delete", as: .anna).grant()
            device.now = device.now.advanced(by: .milliseconds(10))
        }
        let last = try device.authorize("photos.delete", as: .anna).grant()
        var context = Context(
            now: last.deadline, localTime: LocalTime(device.wallTime), peer: .daemon, random: device.random)
        var draft = TransitionDraft()
        var state = device.state
        state.settleDeadlines(&context, &draft)
        #expect(state.grants == device.state.grants.without(until: last.deadline))
        #expect(state.grants.nextDeadline == nil && state.grants.connections.isEmpty && !draft.isChange)
        device.now = BootTime(nanoseconds: last.deadline.nanoseconds - 1)
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.state.grants.unusedCount(of: .user(1001)) == 1)
        #expect(device.state.grants.nextDeadline == last.deadline)
    }

    @Test("a grant never expires before an older one, even if it was settled as of an earlier moment")
    func order() {
        var random = random
        var ledger = GrantLedger()
        let first = ledger.granted(request(), to: .anna, at: .seconds(105), using: &random)
        let second = ledger.granted(request(), to: .anna, at: .seconds(100), using: &random)
        #expect(first.deadline == .seconds(165) && second.deadline == .seconds(165))
        ledger.deadlineReached(.seconds(164))
        #expect(ledger.unusedCount(of: .anna) == 2)
        ledger.deadlineReached(.seconds(165))
        #expect(ledger.nextDeadline == nil)
    }

    @Test(
        "after any events the ledger has the same counts, connections and deadline as a plain list", arguments: 1...20)
    func plainList(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var ledger = GrantLedger()
        var list: [(grant: Grant, peer: Peer)] = []
        var now = BootTime.seconds(1)
        let peers = [Peer.anna, .annasOther, .ben, .store]
        for _ in 0..<300 {
            let peer = peers[Int.random(in: 0..<4, using: &random)]
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<6:
                list.append((ledger.granted(request(), to: peer, at: now, using: &random), peer))
            case 6..<9 where !list.isEmpty:
                let (grant, peer) = list.remove(at: Int.random(in: 0..<list.count, using: &random))
                let result = ledger.redeemed(grant.proof, gatedAction: "link.open", details: "", by: peer, at: now)
                #expect(result == .taken(grant, requester: peer))
            case 9:
                ledger.requesterLost(peer)
                list.removeAll { $0.peer.connection == peer.connection }
            default:
                now = now.advanced(by: .seconds(Int64.random(in: 0...20, using: &random)))
                ledger.deadlineReached(now)
                list.removeAll { $0.grant.deadline <= now }
            }
            #expect(ledger.nextDeadline == list.map(\.grant.deadline).min())
            #expect(ledger.connections == Set(list.map(\.peer.connection)))
            for peer in peers {
                #expect(ledger.unusedCount(of: peer.owner) == list.count { $0.peer.uid == peer.uid })
                #expect(
                    ledger.unusedCount(of: peer)
                        == list.count { $0.peer.connection == peer.connection })
            }
        }
    }
}

extension GrantLedger {
    fileprivate func without(until now: BootTime) -> GrantLedger {
        var ledger = self
        ledger.deadlineReached(now)
        return ledger
    }
}
