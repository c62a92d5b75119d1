package import GateModel
import GateTexts

/// Adds the device's time zone to a date and a time that were typed without one.
package enum LocalMoment {
    /// The date and time in ISO 8601 with the time zone. The text as it is, if it names a time zone already, is not a
    /// date with a time, or `offset` returns `nil`. `offset` returns by how many minutes the device's clock is ahead of
    /// UTC at that time; `nil` if there is no such time.
    package static func withZone(
        _ text: String, offset: (_ day: CivilDate, _ hour: Int, _ minute: Int) -> Int?
    ) -> String {
        let trimmed = text.split { $0.isWhitespace }.joined(separator: " ")
        let iso = WritingHabits.ofPerson.iso(dateAtStartOf: trimmed)
        guard
            let match = iso.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)[ T](\d{1,2}):(\d\d)(?::(\d\d))?/),
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3), let hour = Int(match.4),
            let minute = Int(match.5), let date = CivilDate(year: year, month: month, day: day),
            let minutes = offset(date, hour, minute)
        else { return text }
        let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
        return "\(iso)\(minutes < 0 ? "-" : "+")\(hours.padded(to: 2)):\(rest.padded(to: 2))"
    }
}
