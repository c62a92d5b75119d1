import GateModel
import Testing

@Suite("Waiting between failed attempts")
struct BackoffTests {
    @Test("the first wait is 2 s, and each next one twice as long, up to 5 min")
    func doubling() {
        let delays = (1...10).map { Backoff.delay(after: $0, jitter: 1) }
        #expect(delays == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { .seconds($0) })
    }

    @Test("chance shortens a wait by up to half, and never below 2 s")
    func jitter() {
        #expect(Backoff.delay(after: 1, jitter: 0) == .seconds(2))
        #expect(Backoff.delay(after: 3, jitter: 0) == .seconds(4))
        #expect(Backoff.delay(after: 3, jitter: 0.5) == .seconds(6))
        #expect(Backoff.delay(after: 9, jitter: 0) == .seconds(150))
    }

    @Test("the wait is defined for any number of failures")
    func extremes() {
        #expect(Backoff.delay(after: .max, jitter: 1) == .seconds(300))
        #expect(Backoff.delay(after: .min, jitter: 1) == .seconds(2))
    }
}
