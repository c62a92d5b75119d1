import GateModel

/// Asks for a date of birth, and believes the answer.
enum BirthdateChallenge {
    static func make(minimumAge: Int, calendar: BirthdateCalendar) -> SealedChallenge {
        SealedChallenge(.birthdate(calendar), solution: .birthdate(minimumAge: minimumAge, calendar))
    }

    /// The answer is right if a person born on that day has the minimum age today, by UTC dates. A date on which no
    /// living person can have been born is not an answer.
    static func verdict(
        on answer: ChallengeAnswer, minimumAge: Int, calendar: BirthdateCalendar, today wallTime: WallTime
    ) -> SealedChallenge.Verdict {
        guard let written = TypedAnswer(answer).flatMap({ WrittenDate($0.bytes) }) else {
            return .notAnAnswer(
                "Write the date of birth as year-month-day, like \(calendar.example). Try again.")
        }
        guard
            let birthdate = CivilDate(
                year: calendar.gregorianYear(written.year), month: written.month, day: written.day)
        else {
            return .notAnAnswer("The calendar has no such day. Try again.")
        }
        let today = CivilDate(wallTime)
        guard birthdate <= today else {
            return .notAnAnswer("That day is still to come. Try again.")
        }
        let age = birthdate.completedYears(on: today)
        guard age <= ChallengeRule.maximumAge else {
            return .notAnAnswer("Nobody is that old. Try again.")
        }
        return age >= minimumAge ? .right : .wrong
    }

    /// A year of up to four digits in the calendar's count, a month and a day of two digits each.
    private struct WrittenDate {
        let year: Int
        let month: Int
        let day: Int

        init?(_ bytes: [UInt8]) {
            let fields = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard fields.count == 3, fields[0].count <= 4, fields[1].count == 2, fields[2].count == 2,
                case .number(let year) = TypedAnswer.WholeNumber(fields[0]),
                case .number(let month) = TypedAnswer.WholeNumber(fields[1]),
                case .number(let day) = TypedAnswer.WholeNumber(fields[2])
            else { return nil }
            (self.year, self.month, self.day) = (year, month, day)
        }
    }
}

extension BirthdateCalendar {
    func gregorianYear(_ year: Int) -> Int {
        switch self {
        case .gregorian: year
        case .buddhist: year - 543
        case .minguo: year + 1911
        }
    }

    fileprivate var example: String {
        switch self {
        case .gregorian: "1979-05-01"
        case .buddhist: "2522-05-01"
        case .minguo: "68-05-01"
        }
    }
}
