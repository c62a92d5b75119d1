import GateModel

/// Keeps others from filling this device's log: members of the household decide how often gated refuses something, and
/// the broker how often it refuses. Each subject gets one line in a minute, and then a count of those left out.
struct RepeatedLines: Hashable, Sendable {
    static let interval = Duration.seconds(60)

    enum Subject: Hashable, Sendable, Comparable {
        case refused(DaemonCall)
        case unavailable(DaemonCall)
        case publication

        fileprivate var text: String {
            switch self {
            case .refused(let call): "gated refuses this (\(call))"
            case .unavailable(let call): "gated can't take this now (\(call))"
            case .publication: "The broker refuses what this device publishes"
            }
        }

        static func < (left: Subject, right: Subject) -> Bool { left.text < right.text }
    }

    private struct Written: Hashable {
        var at: BootTime
        var omittedCount = 0
    }

    private var written: [Subject: Written] = [:]

    /// When `timePassed` has lines; `nil` if nothing was left out.
    var deadline: BootTime? {
        written.values.filter { $0.omittedCount > 0 }.map { $0.at.advanced(by: Self.interval) }.min()
    }

    /// Whether a line about this is to be written now. If not, it is counted as left out.
    mutating func mayWrite(_ subject: Subject, at now: BootTime) -> Bool {
        if let last = written[subject], last.omittedCount > 0 || last.at.duration(to: now) < Self.interval {
            written[subject]?.omittedCount += 1
            return false
        }
        written[subject] = Written(at: now)
        return true
    }

    /// The lines about what was left out until now.
    mutating func timePassed(at now: BootTime) -> [String] {
        let due = written.filter { $0.value.omittedCount > 0 && $0.value.at.duration(to: now) >= Self.interval }
        for subject in due.keys { written[subject] = Written(at: now) }
        return due.sorted { $0.key < $1.key }.map {
            "\($0.key.text); further such lines that were left out: \($0.value.omittedCount)"
        }
    }
}
