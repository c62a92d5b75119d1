import GateModel

/// Allowances in words.
enum AllowanceWords {
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
