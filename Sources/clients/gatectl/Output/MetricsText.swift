import GateModel

/// The daemon's statistics, for people and for Prometheus.
struct MetricsText {
    private let statistics: DaemonStatistics

    init(_ statistics: DaemonStatistics) {
        self.statistics = statistics
    }

    // MARK: - For people

    var forPeople: String {
        var lines = [
            "up: \(statistics.uptime.shortText)", "connections: \(statistics.connections)",
            "watchers: \(statistics.watchers)", "presenters: \(statistics.presenters)",
            "memory: \(statistics.anonymousBytes / 1024) KiB", "calls: \(statistics.calls)",
            "changes: \(statistics.transitions) in \(statistics.commits) commits",
            "commits: \(Self.spread(statistics.commitMicroseconds, DurationText.measured))",
            "pushes: \(Self.spread(statistics.pushMicroseconds, DurationText.measured))",
            "queue depth, in commands: \(Self.spread(statistics.commandsPerCommit) { "\($0)" })",
            "commands that wait for the disk now: \(statistics.commandsWaiting)",
            "messages that slow watchers did not get one by one: \(statistics.conflated)",
            "refused for a limit: \(statistics.refused)",
        ]
        let closed = statistics.closed.filter { $0.count > 0 }.map { "\($0.label) \($0.count)" }
        lines.append("connections closed: \(closed.isEmpty ? "none" : closed.joined(separator: ", "))")
        lines += statistics.callsOfMethods.sorted { ($0.count, $1.label) > ($1.count, $0.label) }
            .map { "  \($0.label): \($0.count)" }
        return lines.joined(separator: "\n")
    }

    /// Upper bounds for half of the values, and for 99 % of them.
    private static func spread(_ histogram: StatisticsHistogram, _ text: (UInt64) -> String) -> String {
        guard histogram.count > 0 else { return "none" }
        return [(50 as UInt64, "half"), (99, "99 %")].map { share, name in
            "\(name) \(histogram.bound(ofShare: share).map { "at most \(text($0))" } ?? "more than is counted")"
        }.joined(separator: ", ")
    }

    // MARK: - OpenMetrics

    /// OpenMetrics 1.0. Every line is also valid in Prometheus' older text format.
    var openMetrics: String {
        var text = ""
        func family(_ name: String, _ kind: String, _ help: String, _ samples: [String]) {
            text += "# TYPE gate_\(name) \(kind)\n# HELP gate_\(name) \(help)\n"
            for sample in samples { text += "gate_\(name)\(sample)\n" }
        }
        func counts(_ label: String, _ counts: [StatisticsCount]) -> [String] {
            counts.map { "_total{\(label)=\"\(Self.escaped($0.label))\"} \($0.count)" }
        }
        let seconds = Double(statistics.uptime.clampedNanoseconds) / 1e9
        family("uptime_seconds", "gauge", "Since the daemon was ready.", [" \(seconds)"])
        family("connections", "gauge", "Peers that are connected.", [" \(statistics.connections)"])
        family("watchers", "gauge", "Watches of the state that are open.", [" \(statistics.watchers)"])
        family("presenters", "gauge", "Presenters that are registered.", [" \(statistics.presenters)"])
        family("anonymous_bytes", "gauge", "Anonymous memory of the daemon.", [" \(statistics.anonymousBytes)"])
        family("commands_waiting", "gauge", "Commands that wait for the disk.", [" \(statistics.commandsWaiting)"])
        family("transitions", "counter", "Durable changes.", ["_total \(statistics.transitions)"])
        family("commits", "counter", "Transactions that carried them.", ["_total \(statistics.commits)"])
        family(
            "conflated", "counter", "Messages that slow watchers did not get one by one.",
            ["_total \(statistics.conflated)"])
        family("refused", "counter", "Connections and requests refused for a limit.", ["_total \(statistics.refused)"])
        family("calls", "counter", "Calls and streams.", counts("method", statistics.callsOfMethods))
        family("connections_closed", "counter", "Connections that ended.", counts("reason", statistics.closed))
        family(
            "commit_seconds", "histogram", "From a batch given to the disk until it was durable.",
            Self.samples(of: statistics.commitMicroseconds, unit: 1e-6))
        family(
            "push_seconds", "histogram", "From durable until all watchers were told.",
            Self.samples(of: statistics.pushMicroseconds, unit: 1e-6))
        family(
            "queue_depth_commands", "histogram",
            "Commands that waited when a commit began. It takes all of them to the disk.",
            Self.samples(of: statistics.commandsPerCommit, unit: 1))
        return text + "# EOF\n"
    }

    /// Each bucket includes the counts of the buckets before it; the last one has all.
    private static func samples(of histogram: StatisticsHistogram, unit: Double) -> [String] {
        var samples: [String] = []
        var sum: UInt64 = 0
        for (bucket, count) in histogram.counts.dropLast().enumerated() {
            sum += count
            samples.append("_bucket{le=\"\(Double(histogram.upperBound(of: bucket)) * unit)\"} \(sum)")
        }
        let total = histogram.count
        return samples + [
            "_bucket{le=\"+Inf\"} \(total)", "_count \(total)", "_sum \(Double(histogram.sum) * unit)",
        ]
    }

    private static func escaped(_ label: String) -> String {
        label.unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case "\n": "\\n"
            default: String(scalar)
            }
        }.joined()
    }
}

extension StatisticsHistogram {
    /// The largest value of a bucket. The last bucket has none.
    fileprivate func upperBound(of bucket: Int) -> UInt64 { 1 << UInt64(min(max(0, bucket), 62)) }

    /// An upper bound for this percentage of the values; `nil` if it lies in the last bucket, which has no bound.
    fileprivate func bound(ofShare percent: UInt64) -> UInt64? {
        let wanted = (count * percent + 99) / 100
        var sum: UInt64 = 0
        for (bucket, count) in counts.dropLast().enumerated() {
            sum += count
            if sum >= wanted { return upperBound(of: bucket) }
        }
        return nil
    }
}
