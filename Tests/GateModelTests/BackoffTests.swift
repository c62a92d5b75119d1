import GateModel
import Testing

@Suite("Waiting after failures")
struct BackoffTests {
    @Test("it takes 2 s at first, and twice as long each time, to 5 min")
    func doubling() {
        let delays = (1...10).map { Backoff.delay(after: $0, jitter: 1) }
        #expect(delays == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { .seconds($0) })
    }

    @Test("chance takes up to half of it, and never less than 2 s")
    func jitter() {
        #expect(Backoff.delay(after: 1, jitter: 0) == .seconds(2))
        #expect(Backoff.delay(after: 3, jitter: 0) == .seconds(4))
        #expect(Backoff.delay(after: 3, jitter: 0.5) == .seconds(6))
        #expect(Backoff.delay(after: 9, jitter: 0) == .seconds(150))
    }

    @Test("any number of failures has an answer")
    func extremes() {
        #expect(Backoff.delay(after: .max, jitter: 1) == .seconds(300))
        #expect(Backoff.delay(after: .min, jitter: 1) == .seconds(2))
    }
}
