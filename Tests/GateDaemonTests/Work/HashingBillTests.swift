import GateModel
import Testing

@testable import GateDaemon

@Suite("How many passwords are hashed for a user at once")
struct HashingBillTests {
    private var bill = HashingBill()
    private var limits: DaemonLimits = {
        var limits = DaemonLimits()
        (limits.passwordsAtOnce, limits.passwordsWaiting, limits.passwordsPerUser) = (1, 5, 2)
        return limits
    }()

    private func peer(_ uid: UInt32, _ roles: Roles = .app) -> Peer {
        Peer(connection: 1, uid: uid, pid: 1, roles: roles)
    }

    @Test("a user's hashes are limited over all connections, without affecting others")
    mutating func ofUser() {
        var taken: [Bool] = []
        for uid in [1, 1, 1, 2, 2, 2] as [UInt32] { taken.append(bill.began(for: peer(uid), limits: limits)) }
        #expect(taken == [true, true, false, true, true, false])
        bill.ended(for: .user(1))
        let isTaken = bill.began(for: peer(1), limits: limits)
        #expect(isTaken)
    }

    @Test("administrators may use the whole limit, and no more")
    mutating func administrators() {
        var taken: [Bool] = []
        for _ in 1...8 { taken.append(bill.began(for: peer(0, [.app, .administrator]), limits: limits)) }
        #expect(taken == Array(repeating: true, count: 6) + [false, false])
        let isTaken = bill.began(for: peer(1), limits: limits)
        #expect(!isTaken)
        for _ in 1...6 { bill.ended(for: .user(0)) }
        #expect(bill.isEmpty)
    }
}
