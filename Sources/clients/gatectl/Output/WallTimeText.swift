import ArgumentParser
import GateClient
import GateModel
import GateTexts

/// Dates and times as people read them, and write them on the command line.
enum WallTimeText {
    private static let day: Int64 = 86_400_000

    /// Reads `2027-01-31`, which means the end of that day, or `2027-01-31T18:30:00Z`; both in UTC.
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
        time.briefUTCText
    }

    /// In English as `utc`; in other languages as people write it there, in whole seconds: `31.01.2027 18:30:00 UTC`.
    static func shown(_ time: WallTime) -> String {
        let text = utc(time)
        guard Localization.isTranslating else { return text }
        let seconds = text.prefix("2027-01-31T18:30:00".count).replacing("T", with: " ")
        return WritingHabits.ofPerson.date(atStartOf: "\(seconds) UTC")
    }

    /// In the device's time zone and in whole minutes, for times that somebody waits for: `2027-01-31 18:30`, in other
    /// languages than English with the date as people write it there.
    static func local(_ time: WallTime) -> String {
        let local = LocalTime(time, minutesEastOfUTC: time.secondsEastOfUTC / 60)
        let minutes = local.millisecondsOfDay / 60_000
        let text = "\(local.day) \((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2))"
        return Localization.isTranslating ? WritingHabits.ofPerson.date(atStartOf: text) : text
    }

    private static func midnight(_ date: CivilDate) -> Int64 { date.daysSince1970 * day }

    /// Milliseconds since midnight of `18:30:00Z`; `nil` if the text is not such a time.
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
