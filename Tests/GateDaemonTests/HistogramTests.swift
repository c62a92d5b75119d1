import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("What the daemon measures of itself")
struct HistogramTests {
    private static let change = OverrideModeRequest(mode: .child, duration: nil, reason: "again")
    private static let last = Histogram.bucketCount - 1

    private func bucket(of value: UInt64) -> Int? {
        var histogram = Histogram()
        histogram.add(value)
        #expect(histogram.sum == value && histogram.counts.reduce(0, +) == 1)
        return histogram.counts.firstIndex(of: 1)
    }

    @Test("a bucket counts values up to its bound, and the last one all others")
    func boundaries() {
        #expect(Histogram().counts == Array(repeating: 0, count: Histogram.bucketCount))
        #expect(bucket(of: 0) == 0 && bucket(of: 1) == 0)
        for index in 1..<Self.last {
            let bound = Histogram.upperBound(of: index)
            #expect(bound == 2 * Histogram.upperBound(of: index - 1))
            #expect(bucket(of: bound) == index && bucket(of: bound - (index == 1 ? 0 : 1)) == index)
            #expect(bucket(of: bound + 1) == index + 1)
        }
        #expect(bucket(of: 1 << 40) == Self.last && bucket(of: .max) == Self.last)
    }

    @Test("a sum that grows past what a number holds begins anew, and nothing else happens")
    func overflow() {
        var histogram = Histogram()
        for _ in 0..<3 { histogram.add(.max) }
        #expect(histogram.counts[Self.last] == 3 && histogram.sum == .max - 2)
    }

    @Test("commits are measured from their begin, and pushes from the moment they are durable")
    func times() {
        var statistics = Statistics()
        let start = BootTime(nanoseconds: 1_000_000_000)
        func later(_ microseconds: Int64) -> BootTime { start.advanced(by: .microseconds(microseconds)) }
        statistics.commitBegan(commands: 3, at: start)
        statistics.commitEnded(at: later(500))
        // The next commit is under way when the first is reported.
        statistics.commitBegan(commands: 1, at: later(510))
        statistics.watchersTold(at: later(530))
        #expect(statistics.commits == 2 && statistics.commandsPerCommit.sum == 4)
        #expect(statistics.commitMicroseconds.sum == 500 && statistics.commitMicroseconds.counts[9] == 1)
        #expect(statistics.pushMicroseconds.sum == 30 && statistics.pushMicroseconds.counts[5] == 1)
    }

    @Test("the queue's depth counts the commands that wait when a commit begins, including its own")
    func queueDepth() async throws {
        try await LiveGate.with { gate, store in
            let before = await gate.authority.depths()
            store.hold()
            let root = try await gate.connect("root")
            async let first = root.call(Methods.Mode.override, Self.change)
            while await gate.authority.commandCount() < 1 { await Task.yield() }
            var others: [Task<Void, any Error>] = []
            for number in 1...5 {
                others.append(Task { _ = try await root.call(Methods.Mode.override, Self.change) })
                while await gate.authority.commandCount() < 1 + number { await Task.yield() }
            }
            store.release()
            _ = try await first
            for other in others { try await other.value }
            let after = await gate.authority.depths()
            #expect(after.sum - before.sum == 6)
            // The first command was committed alone, and the five that came meanwhile together.
            #expect(after.counts[0] - before.counts[0] == 1 && after.counts[3] - before.counts[3] == 1)
        }
    }
}

extension Authority {
    fileprivate func depths() -> Histogram { context.statistics.commandsPerCommit }

    fileprivate func commandCount() -> Int { pipeline.bill.ofAll.commands }
}
