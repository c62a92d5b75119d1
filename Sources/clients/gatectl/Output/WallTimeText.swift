import ArgumentParser
import GateModel
import GateTexts

/// Moments of the wall clock, as people write and read them on the command line.
enum WallTimeText {
    private static let day: Int64 = 86_400_000

    /// `2027-01-31`, which lasts to the end of that day, or `2027-01-31T18:30:00Z`; both in UTC.
    static func parse(_ text: String) throws(ValidationError) -> WallTime {
        if let date = CivilDate(text) { return WallTime(unixMilliseconds: midnight(date) + day) }
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = CivilDate(String(parts[0])), let time = timeOfDay(parts[1]) else {
            throw ValidationError(
                "'\(text)' is no date. Say for example 2027-01-31, or 2027-01-31T18:30:00Z; both are in UTC.")
        }
        return WallTime(unixMilliseconds: midnight(date) + time)
    }

    /// `2027-01-31T18:30:00Z`
    static func utc(_ time: WallTime) -> String {
        let text = time.utcText
        return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
    }

    /// The same, in whole seconds as people of the language write it: `31.01.2027 18:30:00 UTC`.
    static func shown(_ time: WallTime) -> String {
        let text = utc(time)
        guard Localization.isTranslating else { return text }
        let seconds = text.prefix("2027-01-31T18:30:00".count).replacing("T", with: " ")
        return WritingHabits.ofPerson.date(atStartOf: "\(seconds) UTC")
    }

    private static func midnight(_ date: CivilDate) -> Int64 { date.daysSince1970 * day }

    /// `18:30:00Z` in milliseconds.
    private static func timeOfDay(_ text: Substring) -> Int64? {
        guard text.last == "Z" else { return nil }
        let parts = text.dropLast().split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let numbers = parts.compactMap { Int64($0) }
        guard numbers.count == 3, numbers[0] < 24, numbers[1] < 60, numbers[2] < 60 else { return nil }
        return ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1000
    }
}
