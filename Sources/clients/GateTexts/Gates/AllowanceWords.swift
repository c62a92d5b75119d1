package import GateModel

/// Allowances in words.
package enum AllowanceWords {
    /// How much time there is, in the middle of a sentence for parents, like `1 hour a day`.
    package static func amounts(_ allowance: Allowance) -> String {
        let days = allowance.secondsOfDays ?? []
        guard allowance.secondsOfWeek == nil, let seconds = days.first, seconds > 0,
            days == Array(repeating: seconds, count: 7)
        else {
            let parts = parts(allowance)
            return parts.isEmpty ? localized("at no time") : ListText.remarks(parts)
        }
        return localized("{duration} a day", ["duration": DurationWords.text(.seconds(seconds))])
    }

    /// How much time there is, like `time is left (Monday to Friday 1h; Saturday, Sunday 2h; 7h a week)`.
    static func text(_ allowance: Allowance) -> String {
        let parts = parts(allowance)
        return parts.isEmpty
            ? localized("at no time") : localized("time is left ({times})", ["times": ListText.remarks(parts)])
    }

    private static func parts(_ allowance: Allowance) -> [String] {
        let days = allowance.dayGroups.map { group in
            "\(ScheduleWords.text(group.days)) \(DurationWords.short(.seconds(group.seconds)))"
        }
        let week = allowance.secondsOfWeek.map {
            localized("{duration} a week", ["duration": DurationWords.short(.seconds($0))])
        }
        return days + [week].compactMap(\.self)
    }
}
