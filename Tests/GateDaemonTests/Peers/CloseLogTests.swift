import GateModel
import GateProtocol
import Glibc
import Logging
import TTRPC
import Testing

@testable import GateDaemon
@testable import TTRPCTransport

@Suite("Counting and logging connections that end")
struct CloseLogTests {
    private let log = LogLines()
    private let logger: Logger
    private var closes = CloseLog()
    private var peer = Peer(connection: 7, uid: 1001, owner: .user(1000), pid: 4711, roles: .app)
    private let start = BootTime(nanoseconds: 3_600_000_000_000)

    init() {
        logger = Logger(label: "test") { [log] _ in log }
        peer.program = "game"
    }

    private var lines: [Substring] { log.text.split(separator: "\n") }

    private mutating func close(_ reason: CloseReason, afterSeconds seconds: Int64 = 0, _ logger: Logger? = nil) {
        closes.closed(reason, of: peer, at: start.advanced(by: .seconds(seconds)), logger ?? self.logger)
    }

    @Test(
        "each reason is counted under its name, and told once with who it was and why",
        arguments: [
            (CloseReason.peerLeft, "peer-left", "debug", "the peer left"),
            (.truncatedFrame, "truncated-frame", "warning", "in the middle of a frame"),
            (.writeDeadline, "write-deadline", "warning", "did not read what was sent to it in time"),
            (.queueLimit, "queue-limit", "warning", "too much was waiting to be sent to the peer"),
            (.closedHere, "closed-here", "debug", "gated closed it"),
            (.failed("EBADF"), "failed", "warning", "the socket failed: EBADF"),
        ])
    mutating func reasons(reason: CloseReason, name: String, level: String, text: String) throws {
        close(reason)
        #expect(closes.counts == CloseReason.kindNames.map { $0 == name ? 1 : 0 })
        try #require(lines.count == 1)
        #expect(lines[0].hasPrefix("\(level) connection closed: ") && lines[0].contains(text))
        for word in ["\"reason\": \(name)", "\"uid\": 1001", "\"pid\": 4711", "\"program\": game", "1000"] {
            #expect(lines[0].contains(word), "\(lines[0])")
        }
    }

    @Test("up to 30 closed connections a minute are logged, and the next minute's log counts the others")
    mutating func rate() {
        for second in 0..<50 { close(.queueLimit, afterSeconds: Int64(second)) }
        #expect(lines.count == CloseLog.entriesPerMinute && CloseLog.entriesPerMinute == 30)
        close(.queueLimit, afterSeconds: 59)
        #expect(lines.count == 30)
        close(.truncatedFrame, afterSeconds: 60)
        #expect(lines.count == 32 && lines[30].contains("\"count\": 21") && lines[31].contains("truncated-frame"))
        #expect(closes.counts == [0, 1, 0, 51, 0, 0])
        // Nothing was left out in that minute.
        close(.truncatedFrame, afterSeconds: 200)
        #expect(lines.count == 33)
    }

    @Test("ordinary ends are counted but not logged at the usual level, and use up no warnings")
    mutating func ordinary() {
        let quiet = Logger(label: "test") { [log] _ in UsualLevel(log: log) }
        for _ in 0..<100 { close(.peerLeft, quiet) }
        #expect(lines.isEmpty && closes.counts[0] == 100)
        close(.writeDeadline, quiet)
        #expect(lines.count == 1)
    }

    @Test("a peer that leaves in the middle of a frame is in the log and in the statistics")
    func daemon() async throws {
        let log = LogLines()
        try await LiveGate.with(log: log) { gate, _ in
            let child = try await gate.connect("anna")
            _ = try await child.call(Methods.Mode.get, GetModeRequest(), program: "game")
            await child.close()
            try Self.leaveWithinFrame(gate.socketPath(of: "ben"))
            let root = try await gate.connect("root")
            var closed: [String: UInt64] = [:]
            while closed["truncated-frame"] != 1 || closed["peer-left"] != 1 {
                let statistics = try await root.call(Methods.Control.statistics, GetStatisticsRequest())
                closed = Dictionary(uniqueKeysWithValues: statistics.closed.map { ($0.label, $0.count) })
            }
            #expect(closed.values.reduce(0, +) == 2)
        }
        let lines = log.text.split(separator: "\n").filter { $0.contains("connection closed") }
        #expect(lines.count { $0.hasPrefix("debug") && $0.contains("1001") && $0.contains("game") } == 1)
        #expect(lines.count { $0.hasPrefix("warning") && $0.contains("1002") } == 1)
    }

    private static func leaveWithinFrame(_ path: String) throws {
        let descriptor = unixSocket()
        defer { Glibc.close(descriptor) }
        var address = try #require(sockaddr_un(path: path))
        try #require(address.withSocketAddress { connect(descriptor, $0, $1) } == 0)
        let header: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 1, 1, 0]
        #expect(write(descriptor, header, header.count) == header.count)
    }
}

/// A log at the level that services have by default.
private struct UsualLevel: LogHandler {
    let log: LogLines
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) { log.log(event: event) }
}
