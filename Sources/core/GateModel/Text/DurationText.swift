/// Durations as people read and type them everywhere in Gate: "30s", "1m30s", "15m", "1h".
extension Duration {
    /// The duration in whole seconds, rounded up. A negative duration is "0s".
    package var shortText: String {
        let nanoseconds = max(0, clampedNanoseconds)
        let seconds = nanoseconds / 1_000_000_000 + (nanoseconds % 1_000_000_000 > 0 ? 1 : 0)
        var text = ""
        for (count, unit) in [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")] where count > 0 {
            text += "\(count)\(unit)"
        }
        return text.isEmpty ? "0s" : text
    }

    /// Reads what `shortText` writes: whole numbers with the units h, m and s, each unit once, the largest first. `nil`
    /// for anything else, and for durations of more nanoseconds than 64 bits hold (292 years).
    package init?(shortText: String) {
        var seconds: Int64 = 0
        var digits = ""
        var unitsLeft: [(unit: Character, seconds: Int64)] = [("h", 3600), ("m", 60), ("s", 1)]
        for character in shortText {
            if character.isASCII, character.isWholeNumber {
                digits.append(character)
                continue
            }
            guard let count = Int64(digits), let place = unitsLeft.firstIndex(where: { $0.unit == character }) else {
                return nil
            }
            let (product, overflow) = count.multipliedReportingOverflow(by: unitsLeft[place].seconds)
            let (sum, overflowOfSum) = seconds.addingReportingOverflow(product)
            guard !overflow, !overflowOfSum, sum <= .max / 1_000_000_000 else { return nil }
            seconds = sum
            digits = ""
            unitsLeft.removeFirst(place + 1)
        }
        guard digits.isEmpty, unitsLeft.count < 3 else { return nil }
        self = .seconds(seconds)
    }
}

/// Durations in a policy, which may be days.
extension Duration {
    /// Whole days as "30d" from two days on, everything else as `shortText`.
    package var textWithDays: String {
        let (seconds, attoseconds) = components
        let isWholeDays = attoseconds == 0 && seconds.isMultiple(of: Self.secondsOfDay)
        return isWholeDays && seconds >= 2 * Self.secondsOfDay ? "\(seconds / Self.secondsOfDay)d" : shortText
    }

    /// Reads what `textWithDays` writes, and days before `shortText`: "30d", "1d12h"; `nil` for anything else.
    package init?(textWithDays text: String) {
        guard let unit = text.firstIndex(of: "d") else {
            self.init(shortText: text)
            return
        }
        let rest = String(text[text.index(after: unit)...])
        guard let days = Int(wholeNumber: text[..<unit]), days <= 100_000,
            let remainder = rest.isEmpty ? .zero : Duration(shortText: rest)
        else { return nil }
        self = .seconds(Int64(days) * Self.secondsOfDay) + remainder
    }

    private static let secondsOfDay: Int64 = 24 * 3600
}
