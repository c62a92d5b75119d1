import GateModel
import Testing

@testable import GateDaemon

@Suite("The order in which receipts are verified")
struct VerificationQueueTests {
    private let administrator = Peer(connection: 1, uid: 0, pid: 1, roles: [.app, .administrator])

    private func provider(_ uid: UInt32) -> Peer {
        Peer(connection: UInt64(uid), uid: uid, pid: 1, roles: [.app, .provider])
    }

    private func queue(atOnce: Int, waiting: Int, perUser: Int = 100) -> VerificationQueue<Int> {
        var limits = DaemonLimits()
        limits.verificationsAtOnce = atOnce
        limits.verificationsWaiting = waiting
        limits.verificationsPerUser = perUser
        return VerificationQueue(limits)
    }

    @Test("some receipts begin, some wait in order, and the rest is refused")
    func bounds() {
        var queue = queue(atOnce: 2, waiting: 3)
        #expect(queue.isIdle)
        var (begun, waiting, refused) = ([Int](), 0, [Int]())
        for element in 1...7 {
            switch queue.submitted(element, by: provider(1000)) {
            case .begin(let element): begun.append(element)
            case .wait: waiting += 1
            case .refuse(let element): refused.append(element)
            }
        }
        #expect(begun == [1, 2])
        #expect(waiting == 3)
        #expect(refused == [6, 7])
        #expect((0..<4).map { _ in queue.ended(for: .user(1000)) } == [3, 4, 5, nil])
        #expect(!queue.isIdle)
        #expect(queue.ended(for: .user(1000)) == nil)
        #expect(queue.isIdle)
    }

    @Test("a receipt that is done makes room for the next")
    func room() {
        var queue = queue(atOnce: 1, waiting: 0)
        for element in 1...3 {
            guard case .begin(element) = queue.submitted(element, by: provider(1000)) else {
                Issue.record("\(element) did not begin")
                return
            }
            guard case .refuse = queue.submitted(0, by: provider(1000)) else {
                Issue.record("there was room beside \(element)")
                return
            }
            #expect(queue.ended(for: .user(1000)) == nil)
        }
    }

    @Test("one provider does not keep others out, and has room again when one of its own is done")
    func bill() {
        var queue = queue(atOnce: 1, waiting: 10, perUser: 2)
        func isTaken(_ element: Int, by peer: Peer) -> Bool {
            switch queue.submitted(element, by: peer) {
            case .begin, .wait: true
            case .refuse: false
            }
        }
        #expect((1...4).map { isTaken($0, by: provider(1000)) } == [true, true, false, false])
        #expect(isTaken(5, by: provider(1001)))
        #expect((6...8).map { isTaken($0, by: administrator) } == [true, true, true])
        #expect(queue.ended(for: .user(1000)) == 2)
        #expect((9...10).map { isTaken($0, by: provider(1000)) } == [true, false])
    }
}
