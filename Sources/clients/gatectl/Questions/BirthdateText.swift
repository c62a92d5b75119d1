import ArgumentParser
import GateModel

/// How people write a date of birth.
enum BirthdateText {
    /// The same day in each calendar.
    static func example(_ calendar: BirthdateCalendar) -> String {
        switch calendar {
        case .gregorian: "1979-05-01"
        case .buddhist: "2522-05-01"
        case .minguo: "68-05-01"
        }
    }

    /// Reads a Gregorian date from the command line: 2015-03-02.
    static func parse(_ text: String) throws(ValidationError) -> CivilDate {
        guard let date = CivilDate(text) else {
            throw ValidationError("'\(text)' is no day. Say year-month-day, like 2015-03-02.")
        }
        return date
    }
}
