package import GateModel

/// One half of a year: January to June, or July to December.
package struct HalfYear: Hashable, Sendable, Comparable {
    /// Twice the year, plus one for the second half.
    package let number: Int

    package init(number: Int) { self.number = number }

    package init(_ day: CivilDate) { number = day.year * 2 + (day.month > 6 ? 1 : 0) }

    package static func < (left: HalfYear, right: HalfYear) -> Bool { left.number < right.number }

    /// The minutes from 1970-01-01T00:00 to the end of this half, both by the local clock.
    var localMinutesOfEnd: Int64 {
        let next = number + 1
        let day = CivilDate(year: next >> 1, month: next & 1 == 0 ? 1 : 7, day: 1)
        return (day?.daysSince1970 ?? 0) * Int64(Schedule.minutesOfDay)
    }
}

/// What a range of ages says about a person. Only halves of years go in, so nobody can learn more of a birthday from the
/// answers of many years.
enum AgeRules {
    /// Somebody born within a half of a year counts as born on the first day of the next one, and today counts as the
    /// first day of the present one. So the age is never above the true one.
    ///
    /// - Returns: `nil` if the person would be born later, or more than 150 years ago: then a clock or a date is wrong.
    static func countedYears(bornIn birth: HalfYear, present: HalfYear) -> Int? {
        guard birth <= present else { return nil }
        let years = max(0, (present.number - birth.number - 1) / 2)
        return years <= ChallengeRule.maximumAge ? years : nil
    }

    /// - Parameter gates: ascending.
    /// - Returns: `nil` if nothing is known of the person.
    static func range(of kind: GatePerson.Kind, in present: HalfYear, gates: [Int]) -> AgeRange? {
        switch kind {
        case .child(let born?):
            guard let years = countedYears(bornIn: HalfYear(born), present: present) else { return nil }
            let (low, above) = (gates.last { $0 <= years }, gates.first { $0 > years })
            return AgeRange(low: low, high: above.map { $0 - 1 }, source: .guardian)
        case .grownUp:
            return gates.last { $0 <= fullAge }.map { AgeRange(low: $0, high: nil, source: .grownUp) }
        case .child(nil), .shared:
            return nil
        }
    }

    /// The least age of a grown-up, in years. The list of people has no dates of birth of grown-ups.
    private static let fullAge = 18
}
