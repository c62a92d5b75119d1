import Dispatch
import Testing

@testable import GateDaemon

@Suite("Threads that may wait", .timeLimit(.minutes(10)))
struct SystemThreadsTests {
    @Test("they do no more work once they have ended, and begin no more threads")
    func ended() async {
        let threads = SystemThreads(count: 1, niceness: 0)
        await withCheckedContinuation { done in threads.submit { done.resume() } }
        await threads.end()
        let isBegun = DispatchSemaphore(value: 0)
        threads.submit { isBegun.signal() }
        #expect(isBegun.wait(timeout: .now() + 0.5) == .timedOut)
        await threads.end()
    }
}
