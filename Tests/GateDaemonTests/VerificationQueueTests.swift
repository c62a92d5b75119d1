import Testing

@testable import GateDaemon

@Suite("The order in which receipts are verified")
struct VerificationQueueTests {
    @Test("so many begin, so many wait in their order, and the rest is refused")
    func bounds() {
        var queue = VerificationQueue<Int>(atOnce: 2, waiting: 3)
        #expect(queue.isIdle)
        var (begun, waiting, refused) = ([Int](), 0, [Int]())
        for element in 1...7 {
            switch queue.submitted(element) {
            case .begin(let element): begun.append(element)
            case .wait: waiting += 1
            case .refuse(let element): refused.append(element)
            }
        }
        #expect(begun == [1, 2])
        #expect(waiting == 3)
        #expect(refused == [6, 7])
        #expect([queue.ended(), queue.ended(), queue.ended(), queue.ended()] == [3, 4, 5, nil])
        #expect(!queue.isIdle)
        #expect(queue.ended() == nil)
        #expect(queue.isIdle)
    }

    @Test("what ends makes room for what comes")
    func room() {
        var queue = VerificationQueue<Int>(atOnce: 1, waiting: 0)
        for element in 1...3 {
            guard case .begin(element) = queue.submitted(element) else {
                Issue.record("\(element) did not begin")
                return
            }
            guard case .refuse = queue.submitted(0) else {
                Issue.record("there was room beside \(element)")
                return
            }
            #expect(queue.ended() == nil)
        }
    }
}
