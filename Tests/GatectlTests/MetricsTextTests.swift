import GateModel
import GateProtocol
import Testing

@testable import gatectl

@Suite("Statistics as text")
struct MetricsTextTests {
    private static let statistics = DaemonStatistics(
        uptime: .milliseconds(61_500), connections: 2, watchers: 3, transitions: 5, commits: 6, conflated: 7,
        refused: 8, anonymousBytes: 9 << 10, presenters: 10,
        callsOfMethods: [
            StatisticsCount(label: "gate.v1.Mode/GetMode", count: 3), StatisticsCount(label: "a\"b\\\n", count: 9),
            StatisticsCount(label: "a\"\u{327}b\\\u{327}", count: 12),
        ],
        closed: [StatisticsCount(label: "peer-left", count: 12), StatisticsCount(label: "failed", count: 0)],
        commitMicroseconds: StatisticsHistogram(counts: [0, 98, 1, 0, 1], sum: 300),
        pushMicroseconds: StatisticsHistogram(), commandsPerCommit: StatisticsHistogram(counts: [5, 1], sum: 7),
        commandsWaiting: 11)

    /// The grammar of OpenMetrics 1.0, without exemplars and timestamps, which are not written.
    private struct Parsed {
        var kinds: [String: String] = [:]
        var samples: [(name: String, labels: [String: String], value: Double)] = []

        init(_ text: String) throws {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            try #require(lines.suffix(2) == ["# EOF", ""])
            var family = ""
            for line in lines.dropLast(2) {
                if let match = line.wholeMatch(of: /# TYPE ([a-z_]+) (gauge|counter|histogram)/) {
                    family = String(match.1)
                    try #require(kinds.updateValue(String(match.2), forKey: family) == nil, "a family twice")
                } else if let match = line.wholeMatch(of: /# HELP ([a-z_]+) [^\n]+/) {
                    try #require(match.1 == family)
                } else {
                    let pattern = /([a-z_]+)(?:\{([a-z]+)="((?:[^"\\]|\\["\\n])*)"\})? ([0-9.e+-]+)/
                        .matchingSemantics(.unicodeScalar)
                    let match = try #require(try pattern.wholeMatch(in: line), "\(line)")
                    let name = String(match.1)
                    try #require(name.hasPrefix(family))
                    let allowed = ["gauge": [""], "counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]]
                    try #require(allowed[kinds[family] ?? ""]?.contains(String(name.dropFirst(family.count))) == true)
                    let labels = match.2.map { [String($0): String(match.3 ?? "")] } ?? [:]
                    samples.append((name, labels, try #require(Double(match.4))))
                }
            }
        }

        func values(_ name: String) -> [Double] { samples.filter { $0.name == name }.map(\.value) }
    }

    @Test("the OpenMetrics text keeps to its grammar, and has every number")
    func openMetrics() throws {
        let parsed = try Parsed(MetricsText(Self.statistics).openMetrics)
        #expect(parsed.values("gate_uptime_seconds") == [61.5])
        #expect(parsed.values("gate_connections") == [2] && parsed.values("gate_watchers") == [3])
        #expect(parsed.values("gate_presenters") == [10] && parsed.values("gate_anonymous_bytes") == [9216])
        #expect(parsed.values("gate_commands_waiting") == [11] && parsed.values("gate_refused_total") == [8])
        #expect(parsed.values("gate_calls_total") == [3, 9, 12])
        #expect(parsed.samples.contains { $0.labels == ["method": "a\\\"b\\\\\\n"] })
        #expect(parsed.samples.contains { $0.labels == ["method": "a\\\"\u{327}b\\\\\u{327}"] })
        #expect(parsed.values("gate_connections_closed_total") == [12, 0])
    }

    @Test("each bucket of a histogram includes those before it, and the last one counts all")
    func histogram() throws {
        let parsed = try Parsed(MetricsText(Self.statistics).openMetrics)
        #expect(parsed.values("gate_commit_seconds_bucket") == [0, 98, 99, 99, 100])
        #expect(parsed.values("gate_commit_seconds_count") == [100])
        #expect(abs(try #require(parsed.values("gate_commit_seconds_sum").first) - 0.0003) < 1e-9)
        let depths = parsed.samples.filter { $0.name == "gate_queue_depth_commands_bucket" }
        let bounds = depths.compactMap { $0.labels["le"] }
        #expect(bounds == ["1.0", "+Inf"])
        #expect(parsed.values("gate_push_seconds_bucket") == [0], "a histogram has its last bucket at least")
        let histograms = parsed.kinds.filter { $0.value == "histogram" }.keys
        #expect(histograms.count == 3)
        for name in histograms {
            let buckets = parsed.samples.filter { $0.name == "\(name)_bucket" }
            #expect(buckets.map(\.value) == buckets.map(\.value).sorted(), "\(name) is not cumulative")
            let bounds = buckets.dropLast().compactMap { Double($0.labels["le"] ?? "") }
            #expect(bounds.count == buckets.count - 1 && zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 })
            #expect(buckets.last?.labels == ["le": "+Inf"])
            #expect(parsed.values("\(name)_count") == buckets.suffix(1).map(\.value))
            #expect(parsed.values("\(name)_sum").count == 1)
        }
    }

    @Test("for people the metrics show the median commit, why connections closed and the busiest callers")
    func people() {
        let lines = MetricsText(Self.statistics).forPeople.split(separator: "\n")
        #expect(lines.contains("commits: half at most 2 µs, 99 % at most 4 µs"))
        #expect(lines.contains("queue depth, in commands: half at most 1, 99 % more than is counted"))
        #expect(lines.contains("pushes: none"))
        #expect(lines.contains("connections closed: peer-left 12"))
        #expect(lines.suffix(1) == ["  gate.v1.Mode/GetMode: 3"])
    }
}
