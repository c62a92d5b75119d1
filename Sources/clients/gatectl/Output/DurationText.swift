import ArgumentParser
import GateModel

/// Durations as people read them, and write them on the command line.
enum DurationText {
    /// Reads `90s`, `5m` or `1h30m`. Zero is refused.
    static func parse(_ text: String) throws(ValidationError) -> Duration {
        guard let duration = Duration(shortText: text), duration > .zero else {
            throw ValidationError(
                "'\(text)' is no duration. Say for example 90s, 5m or 1h30m; the units are h, m and s.")
        }
        return duration
    }

    /// A measured time with two or three digits: `512 µs`, `2.0 ms`, `33 ms`, `4.2 s`.
    static func measured(microseconds: UInt64) -> String {
        let units: [(size: UInt64, name: String)] = [(1, "µs"), (1000, "ms"), (1_000_000, "s")]
        let unit = units.last { microseconds >= $0.size } ?? units[0]
        let value = Double(microseconds) / Double(unit.size)
        let tenths = Int((value * 10).rounded())
        guard unit.size > 1, tenths < 100 else { return "\(Int(value.rounded())) \(unit.name)" }
        return "\(tenths / 10).\(tenths % 10) \(unit.name)"
    }
}
