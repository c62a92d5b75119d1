import CGTK
import GateTexts

/// A date and a time as they were typed, with the time zone that this device has then.
enum LocalMoment {
    /// The text as it is where it names a time zone, or is no date with a time.
    static func withZone(_ text: String) -> String {
        let trimmed = text.split { $0.isWhitespace }.joined(separator: " ")
        let iso = WritingHabits.ofPerson.iso(dateAtStartOf: trimmed)
        guard
            let match = iso.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)[ T](\d{1,2}):(\d\d)(?::(\d\d))?/),
            let year = CInt(match.1), let month = CInt(match.2), let day = CInt(match.3), let hour = CInt(match.4),
            let minute = CInt(match.5), let moment = g_date_time_new_local(year, month, day, hour, minute, 0)
        else { return text }
        defer { g_date_time_unref(moment) }
        let minutes = Int(g_date_time_get_utc_offset(moment) / 60_000_000)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(iso)\(minutes < 0 ? "-" : "+")\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
    }
}
