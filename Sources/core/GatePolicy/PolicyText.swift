import GateModel

extension Policy {
    /// The policy in force as English lines for people, except its roles, which `RolePolicy.description` describes.
    public var description: [String] {
        let source = files.isEmpty ? "none (the built-in policy)" : files.joined(separator: ", ")
        return ["policy: \(source)"] + configuration.policyLines + providers.policyLines
            + ["browser: \(browser ?? "none")"]
    }
}

extension Configuration {
    public var policyLines: [String] {
        let lock = "\(lockout.duration.shortText), each later one \(lockout.factor) times as long, at most"
        var lines = [
            "mode: challenge \(modeChallenge.text); lease \(lease.shortText), at most \(maximumLease.shortText); "
                + "\(answerTime.shortText) to answer" + (modeStyle == .sheet ? "" : "; style \(modeStyle.rawValue)"),
            "lockout: \(lockout.after) wrong \(lockout.after == 1 ? "answer locks" : "answers in a row lock") for "
                + "\(lock) \(lockout.maximum.shortText)",
            "sign-in: \(signIn.isRequired ? "required" : "not required"); a session lasts \(signIn.session.textWithDays) "
                + "after its last use, at most \(signIn.maximumSession.textWithDays)",
        ]
        lines += entitlementLines
        if gatedActions.isEmpty { lines.append("gated actions: none; all are denied") }
        for (name, gatedAction) in gatedActions.sorted(by: { $0.key < $1.key }) {
            let keep = gatedAction.keep.map { "; not asked again for \($0.shortText)" } ?? ""
            let more = gatedAction.moreTime.isEmpty ? "" : "; more time \(gatedAction.moreTime.moreTimeText)"
            let app = GatedAction.guardedApp(by: name).map { "; guards the app \($0)" } ?? ""
            lines.append(
                "gated action \(name) (\(gatedAction.title)): \(gatedAction.requirement.text)\(keep)\(more)\(app)")
        }
        if !questions.isEmpty {
            let languages = Set(questions.flatMap { $0.texts.map(\.language) }).sorted()
            lines.append("questions: \(questions.count) in \(languages.joined(separator: ", "))")
        }
        return lines + formLines + releaseNotesLines + [household?.policyLine].compactMap(\.self)
    }
}

extension RolePolicy {
    public var description: [String] {
        [
            "role administrator: \((["root"] + administrators.names).joined(separator: ", "))",
            "role presenter: \(presenters.text)",
            "role grown-up-presenter: \(grownUpPresenters.text)",
            "role provider: \(providers.text)",
            "role broker: \(brokers.text)", "role household: \(households.text)",
        ] + (timekeepers.names.isEmpty ? [] : ["role timekeeper: \(timekeepers.text)"])
    }
}

extension Principals {
    fileprivate var names: [String] { users.map { "user \($0)" } + groups.map { "group \($0)" } }
    fileprivate var text: String { names.isEmpty ? "nobody beside administrators" : names.joined(separator: ", ") }
}

extension Requirement {
    /// In English for people: "parent mode", "challenge passcode", "signed in and entitlement premium".
    public var text: String {
        switch self {
        case .parentMode: "parent mode"
        case .challenge(let rule): "challenge \(rule.text)"
        case .signedIn: "signed in"
        case .entitlement(let name): "entitlement \(name)"
        case .form(let name): "form \(name)"
        case .during(let schedule): "during \(schedule.name) (\(schedule.text))"
        case .allowance(let allowance): "allowance \(allowance.name) (\(allowance.text))"
        case .all(let requirements): requirements.map(\.textOfPart).joined(separator: " and ")
        case .any(let requirements): requirements.map(\.textOfPart).joined(separator: " or ")
        }
    }

    /// In brackets if it could be misread next to other parts.
    private var textOfPart: String {
        switch self {
        case .parentMode, .signedIn, .entitlement, .form, .during, .allowance: text
        case .challenge(let rule): rule.bands.count == 1 ? text : "(\(text))"
        case .all(let parts), .any(let parts): parts.count == 1 ? text : "(\(text))"
        }
    }
}

extension [AskChoice] {
    /// For people: "15m, 30m, 1h, today".
    package var moreTimeText: String { map(\.text).joined(separator: ", ") }
}

extension Schedule {
    /// In English for people: "Monday to Friday 15:00–19:00; Saturday, Sunday 9:00–20:00".
    package var text: String {
        let groups = dayGroups.map { group in
            let days = group.days.map(Self.text)
            let times = group.spans.map(\.text).joined(separator: ", ")
            return "\(days.joined(separator: ", ")) \(times)"
        }
        return groups.isEmpty ? "never" : groups.joined(separator: "; ")
    }

    /// Weekdays in a row: "Monday to Friday".
    fileprivate static func text(_ run: ClosedRange<Int>) -> String {
        let names = run.map { weekdayNames[$0] }
        return names.count > 2 ? "\(names[0]) to \(names[names.count - 1])" : names.joined(separator: ", ")
    }
}

extension Allowance {
    /// In English for people: "Monday to Friday 1h; Saturday, Sunday 2h; 7h a week; days begin at 4:00".
    package var text: String {
        var parts = dayGroups.map { group in
            let days = group.days.map(Schedule.text).joined(separator: ", ")
            return "\(days) \(Duration.seconds(group.seconds).shortText)"
        }
        if let secondsOfWeek { parts.append("\(Duration.seconds(secondsOfWeek).shortText) a week") }
        if parts.isEmpty { return "no time" }
        if dayStart > 0 { parts.append("days begin at \(Schedule.Span.clock(dayStart))") }
        return parts.joined(separator: "; ")
    }
}

extension ChallengeRule {
    /// For people: "arithmetic-choice; 9 to 11: arithmetic-entry; 12 and older: passcode". The first begins at 0.
    public var text: String {
        bands.map { band in
            if band.ages.lowerBound == 0 { return band.challenge.text }
            let ages =
                band.ages.upperBound >= Self.maximumAge
                ? "\(band.ages.lowerBound) and older" : "\(band.ages.lowerBound) to \(band.ages.upperBound)"
            return "\(ages): \(band.challenge.text)"
        }
        .joined(separator: "; ")
    }
}

extension ChallengeSpecification {
    public var text: String {
        var details: [String] = []
        switch kind.settings {
        case .none: break
        case .difficulty:
            if difficulty != .medium { details.append(difficulty.rawValue) }
        case .minimumAge:
            details.append("\(minimumAge) years")
            if calendar != .gregorian { details.append("\(calendar.rawValue) calendar") }
        case .duration: details.append(holdDuration.shortText)
        }
        switch answeredBy {
        case .anybody: break
        case .grownUp: details.append("answered by a grown-up's presenter")
        }
        if let mayWait { details.append("may wait \(mayWait.textWithDays)") }
        if mayWait != nil, choices != AskChoice.usual {
            details.append("choices \(choices.map(\.text).joined(separator: ", "))")
        }
        return details.isEmpty ? kind.rawValue : "\(kind.rawValue) (\(details.joined(separator: ", ")))"
    }
}
