import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("How many watches a user has", .timeLimit(.minutes(10)))
struct WatchLimitTests {
    /// The streams that a test keeps open: releasing one ends it.
    private typealias Streams = [OpenStream<WatchResponse>]

    /// Opens a watch. Returns the refusal; nil if the stream was opened.
    private func refusal(of peer: Connected, _ streams: inout Streams) async throws -> GateError? {
        var stream = try await peer.open(Methods.Watch.watch, WatchRequest(topics: [.mode], after: nil))
        do throws(GateError) {
            _ = try await stream.next()
        } catch {
            return error
        }
        streams.append(stream)
        return nil
    }

    @Test("a user's watches are limited over all connections, without affecting others, and ended ones make room")
    func ofUser() async throws {
        var limits = DaemonLimits.ofTests
        limits.watchesPerUser = 3
        try await LiveGate.with(limits: limits) { gate, _ in
            let (first, second) = (try await gate.connect("anna"), try await gate.connect("anna"))
            let (ben, root) = (try await gate.connect("ben"), try await gate.connect("root"))
            var (streams, others) = (Streams(), Streams())
            for peer in [first, second, second] { #expect(try await refusal(of: peer, &streams) == nil) }
            for peer in [first, second] {
                let refusal = try await refusal(of: peer, &streams)
                #expect(refusal?.code == .resourceExhausted)
                #expect(refusal?.reason == .limit)
            }
            // The connection stays usable, and others are not affected.
            _ = try await first.call(Methods.Mode.get, GetModeRequest())
            for peer in [ben, root, root, root, root] { #expect(try await refusal(of: peer, &others) == nil) }
            // One watcher leaves with its connection, and one stream is released; the daemon notices both after a
            // while.
            await first.close()
            _ = streams.popLast()
            while streams.count < 4 { _ = try await refusal(of: second, &streams) }
            #expect(try await refusal(of: second, &streams)?.code == .resourceExhausted)
        }
    }
}
