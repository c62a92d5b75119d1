import ArgumentParser
import GateModel
import GateTexts

/// How a date of birth is written.
enum BirthdateText {
    /// The same day in each.
    static func example(_ calendar: BirthdateCalendar) -> String {
        switch calendar {
        case .gregorian: "1979-05-01"
        case .buddhist: "2522-05-01"
        case .minguo: "68-05-01"
        }
    }

    /// Reads a date of the command line, in the calendar of all: 2015-03-02.
    static func parse(_ text: String) throws(ValidationError) -> CivilDate {
        guard let date = CivilDate(text) else {
            throw ValidationError("'\(text)' is no day. Say year-month-day, like 2015-03-02.")
        }
        return date
    }
}
