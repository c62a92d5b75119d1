// Writes values in the notation of policy files, on one line, so that reading the text gives the same value again. What
// is as usual is left out, so a text stays the same when a later version of Gate knows more settings. Asks and the
// yeses to them depend on that (`GatedAction.mark`).

extension GatedAction {
    /// The gated action as a policy file has it after the name and the colon.
    package var notation: String {
        var parts = ["title: \(titles.notation)", "requires: \(requirement.notation)"]
        if let keep { parts.append("keep: \(keep.textWithDays)") }
        if style != .sheet { parts.append("style: \(style.rawValue)") }
        if !moreTime.isEmpty { parts.append("more-time: [\(moreTime.map(\.text).joined(separator: ", "))]") }
        return "{\(parts.joined(separator: ", "))}"
    }
}

extension Requirement {
    package var notation: String {
        switch self {
        case .parentMode: "{mode: parent}"
        case .challenge(let rule): "{challenge: \(rule.notation)}"
        case .signedIn: "signed-in"
        case .entitlement(let name): "{entitlement: \(JSONString.quoted(name))}"
        case .form(let name): "{form: \(JSONString.quoted(name))}"
        case .during(let schedule): "{during: \(JSONString.quoted(schedule.name))}"
        case .allowance(let allowance): "{allowance: \(JSONString.quoted(allowance.name))}"
        case .all(let parts): "{all: [\(parts.map(\.notation).joined(separator: ", "))]}"
        case .any(let parts): "{any: [\(parts.map(\.notation).joined(separator: ", "))]}"
        }
    }
}

extension ChallengeRule {
    fileprivate var notation: String {
        if bands.count == 1, let only = bands.first { return only.challenge.notation }
        let ages = bands.map { band in
            let last = band.ages.upperBound
            let name =
                last >= Self.maximumAge ? "\(band.ages.lowerBound)+" : "\(band.ages.lowerBound)-\(last)"
            return "\(name): \(band.challenge.notation)"
        }
        return "{ages: {\(ages.joined(separator: ", "))}}"
    }
}

extension ChallengeSpecification {
    fileprivate var notation: String {
        let usual = ChallengeSpecification(kind)
        var parts = ["kind: \(kind.rawValue)"]
        if difficulty != usual.difficulty { parts.append("difficulty: \(difficulty.rawValue)") }
        if answeredBy != usual.answeredBy { parts.append("answered-by: \(answeredBy.rawValue)") }
        if minimumAge != usual.minimumAge { parts.append("minimum-age: \(minimumAge)") }
        if calendar != usual.calendar { parts.append("calendar: \(calendar.rawValue)") }
        if holdDuration != usual.holdDuration { parts.append("hold: \(holdDuration.textWithDays)") }
        if let mayWait { parts.append("may-wait: \(mayWait.textWithDays)") }
        if mayWait != nil, choices != AskChoice.usual {
            parts.append("choices: [\(choices.map(\.text).joined(separator: ", "))]")
        }
        return parts.count == 1 ? kind.rawValue : "{\(parts.joined(separator: ", "))}"
    }
}

extension LocalizedText {
    fileprivate var notation: String {
        guard !translations.isEmpty else { return JSONString.quoted(text) }
        let texts = translations.map { "\($0.language): \(JSONString.quoted($0.text))" }
        return "{\(texts.joined(separator: ", "))}"
    }
}

extension Allowance {
    /// The allowance as a policy file has it after the name and the colon.
    package var notation: String {
        var parts = dayGroups.map { "\(Schedule.notation(of: $0.days)): \(Duration.seconds($0.seconds).shortText)" }
        if let secondsOfWeek { parts.append("week: \(Duration.seconds(secondsOfWeek).shortText)") }
        if dayStart > 0 { parts.append("day-starts: \(Schedule.Span.clock(dayStart))") }
        return "{\(parts.joined(separator: ", "))}"
    }
}

extension Schedule {
    /// The schedule as a policy file has it after the name and the colon.
    package var notation: String {
        let parts = dayGroups.map { group in
            let spans = group.spans.map { "\(Span.clock($0.begin))-\(Span.clock($0.end))" }
            return "\(Self.notation(of: group.days)): "
                + (spans.count == 1 ? spans[0] : "[\(spans.joined(separator: ", "))]")
        }
        return "{\(parts.joined(separator: ", "))}"
    }

    /// Weekdays as a key: `mon-fri`, `"tue, sat-sun"`.
    fileprivate static func notation(of days: [ClosedRange<Int>]) -> String {
        let parts = days.map { run in
            run.count == 1 ? weekdays[run.lowerBound] : "\(weekdays[run.lowerBound])-\(weekdays[run.upperBound])"
        }
        return parts.count == 1 ? parts[0] : "\"\(parts.joined(separator: ", "))\""
    }
}
