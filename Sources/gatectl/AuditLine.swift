import GateModel

/// One entry of the journal for people:
/// `2026-01-01T00:00:00.000Z  rev 12  answered wrong  uid 1000 pid 4242  child  detail`.
struct AuditLine {
    let entry: AuditEntry

    func text(colours: Colours) -> String {
        let actor = entry.actor.map { "uid \($0.uid) pid \($0.pid)" } ?? "gated"
        let columns = [
            Self.utc(entry.time), "rev \(entry.number)", Self.words(entry.kind), actor,
            colours.paint(entry.mode.rawValue, for: entry.mode),
        ]
        return (columns + (entry.detail.isEmpty ? [] : [VisibleText.line(entry.detail)])).joined(separator: "  ")
    }

    /// `answeredWrong` as `answered wrong`.
    static func words(_ kind: AuditEntry.Kind) -> String {
        kind.rawValue.reduce(into: "") { words, character in
            words += character.isUppercase ? " \(character.lowercased())" : String(character)
        }
    }

    /// ISO 8601 in UTC, with milliseconds.
    static func utc(_ time: WallTime) -> String {
        func floorDivision(_ number: Int64, _ divisor: Int64) -> (Int64, Int64) {
            let remainder = (number % divisor + divisor) % divisor
            return ((number - remainder) / divisor, remainder)
        }
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        // What no calendar holds is shown as the number it is.
        guard abs(time.unixMilliseconds / 1000) < 250_000_000_000 else { return "\(time.unixMilliseconds)ms" }
        let (seconds, milliseconds) = floorDivision(time.unixMilliseconds, 1000)
        let (_, secondOfDay) = floorDivision(seconds, 86_400)
        let clock =
            "\(padded(secondOfDay / 3600, 2)):\(padded(secondOfDay / 60 % 60, 2)):\(padded(secondOfDay % 60, 2))"
        return "\(CivilDate(time))T\(clock).\(padded(milliseconds, 3))Z"
    }
}
