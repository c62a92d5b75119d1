import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Reading a journal whose oldest entries are gone", .timeLimit(.minutes(10)))
struct AuditReadingTests {
    /// Reads to the end. Returns the numbers of the entries, and the error if it ended early.
    private func read(_ peer: Connected, after: Revision? = nil) async throws -> (numbers: [UInt64], end: GateError?) {
        var stream = try await peer.open(Methods.Watch.audit, AuditRequest(after: after, follow: false, last: nil))
        var numbers: [UInt64] = []
        do throws(GateError) {
            while let response = try await stream.next() { numbers += response.entries.map(\.number) }
            return (numbers, nil)
        } catch {
            return (numbers, error)
        }
    }

    @Test("reading from the beginning returns all kept entries; continuing after a gap is refused")
    func holes() async throws {
        var limits = DaemonLimits.ofTests
        limits.auditPageEntries = 2
        try await LiveGate.with(limits: limits) { gate, store in
            let root = try await gate.connect("root")
            var newest = Revision(epoch: 7, number: 0)
            for turn in 1...9 {
                newest = try await root.call(
                    Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: nil, reason: "\(turn)")
                ).revision
            }
            let all = try await read(root).numbers
            #expect(all.count > 9 && all.last == newest.number)
            // In the middle: so the beginning is kept, and the journal is whole only behind it.
            let gone = Set([newest.number - 6, newest.number - 4, newest.number - 3])
            store.forget(gone)
            let kept = try await read(root)
            #expect(kept.end == nil)
            #expect(kept.numbers == all.filter { !gone.contains($0) })
            let whole = try await read(root, after: Revision(epoch: 7, number: newest.number - 3))
            #expect(whole.end == nil)
            #expect(whole.numbers == [newest.number - 2, newest.number - 1, newest.number])
            let missed = try await read(root, after: Revision(epoch: 7, number: newest.number - 5))
            #expect(missed.numbers.isEmpty)
            #expect(missed.end?.code == .outOfRange)
            #expect(missed.end?.reason == .compacted)
        }
    }
}
