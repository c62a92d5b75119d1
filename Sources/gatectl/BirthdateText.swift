import GateModel

/// How a date of birth is written.
enum BirthdateText {
    static func question(_ calendar: BirthdateCalendar) -> String {
        switch calendar {
        case .gregorian: "When were you born?"
        case .buddhist: "When were you born, in the Buddhist calendar?"
        case .minguo: "When were you born, in the Minguo calendar?"
        }
    }

    /// The same day in each.
    static func example(_ calendar: BirthdateCalendar) -> String {
        switch calendar {
        case .gregorian: "1979-05-01"
        case .buddhist: "2522-05-01"
        case .minguo: "68-05-01"
        }
    }
}
