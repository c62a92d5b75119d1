import Dispatch
import Testing

@testable import GateDaemon

@Suite("Threads for blocking work", .timeLimit(.minutes(10)))
struct SystemThreadsTests {
    @Test("threads that have ended do no more work and are not replaced")
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
