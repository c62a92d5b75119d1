import ArgumentParser

/// Durations as people write them: `90s`, `5m`, `1h30m`.
enum DurationText {
    private static let units: [(name: String, seconds: Duration)] = [
        ("d", .seconds(86_400)), ("h", .seconds(3600)), ("m", .seconds(60)), ("s", .seconds(1)),
        ("ms", .milliseconds(1)),
    ]

    /// Whole numbers with units, from the largest unit to the smallest, each at most once, and more than nothing in all.
    static func parse(_ text: String) throws(ValidationError) -> Duration {
        var rest = Substring(text)
        var sum = Duration.zero
        var unitsLeft = units[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { !($0.isASCII && $0.isNumber) }
            rest = rest.dropFirst(name.count)
            // Nine digits of days are more than anybody asks for, and can't overflow.
            guard let number = Int64(digits), digits.count <= 9,
                let index = unitsLeft.firstIndex(where: { $0.name == name })
            else { throw refusal(of: text) }
            sum += unitsLeft[index].seconds * number
            unitsLeft = unitsLeft[(index + 1)...]
        }
        guard sum > .zero else { throw refusal(of: text) }
        return sum
    }

    /// The same the other way; what is less than a millisecond is left out.
    static func text(_ duration: Duration) -> String {
        var rest = duration
        var text = ""
        for unit in units {
            let number = Int64(rest / unit.seconds)
            guard number > 0 else { continue }
            text += "\(number)\(unit.name)"
            rest -= unit.seconds * number
        }
        return text.isEmpty ? "0s" : text
    }

    /// How long something still runs, for a line that is read in passing: `0:59`, `14:59`, `1:00:00`. Rounded up to whole
    /// seconds; nothing below zero.
    static func clock(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let whole = max(0, attoseconds > 0 ? seconds + 1 : seconds)
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return hours > 0
            ? "\(hours):\(twoDigits(minutes)):\(twoDigits(whole % 60))" : "\(minutes):\(twoDigits(whole % 60))"
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    private static func refusal(of text: String) -> ValidationError {
        ValidationError("'\(text)' is no duration. Say for example 90s, 5m or 1h30m; the units are d, h, m, s and ms.")
    }
}
