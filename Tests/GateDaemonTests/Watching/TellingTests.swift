import GateCore
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Telling watchers in slices", .timeLimit(.minutes(10)))
struct TellingTests {
    private typealias Streams = [OpenStream<WatchResponse>]

    private func watch(_ peer: Connected, _ streams: inout Streams) async throws {
        var stream = try await peer.open(Methods.Watch.watch, WatchRequest(topics: [.mode], after: nil))
        _ = try await stream.next()
        streams.append(stream)
    }

    @Test("changes during a slice are told together after it, with none left out or repeated")
    func together() async throws {
        var limits = DaemonLimits.ofTests
        limits.toldAtOnce = 1
        try await LiveGate.with(limits: limits) { gate, _ in
            var (peers, streams) = ([Connected](), Streams())
            for person in [String](repeating: "anna", count: 20) + ["ben", "ben", "mother"] {
                let peer = try await gate.connect(person)
                try await watch(peer, &streams)
                peers.append(peer)
            }
            let root = try await gate.connect("root")
            for _ in 0..<20 {
                _ = try await root.call(
                    Methods.Mode.override, OverrideModeRequest(mode: .parent, duration: nil, reason: "test"))
                _ = try await root.call(Methods.Mode.lock, LockRequest())
            }
            let last = await gate.authority.durable.revision.number
            for index in streams.indices {
                var known: UInt64?
                repeat {
                    let message = try #require(try await streams[index].next())
                    #expect(message.firstNumber == (known ?? message.firstNumber - 1) + 1)
                    #expect(message.firstNumber <= message.revision.number)
                    known = message.revision.number
                } while known ?? 0 < last
            }
            for peer in peers { await peer.close() }
        }
    }
}
