package import GateModel

/// What a grown-up can allow, or has allowed, with a yes to an ask.
package enum AskChoiceWords {
    /// The choice by itself, for a button or a list: `Once`, `Today`, `For 30 minutes`.
    package static func label(_ choice: AskChoice) -> String {
        switch choice {
        case .once: localized("Once")
        case .today: localized("Today")
        case .always: localized("Always")
        case .thisSite: localized("Always on this site")
        case .time(let duration): localized("For {time}", ["time": DurationWords.text(duration)])
        case .unrecognized: localized("Something else")
        }
    }

    /// The yes that was given, in words.
    ///
    /// - Parameters:
    ///   - choice: `nil` if the daemon does not say.
    ///   - details: what was asked for, as it may be shown.
    package static func allowed(_ choice: AskChoice?, _ details: String) -> String {
        switch choice {
        case .once: localized("allowed once")
        case .today: localized("allowed today")
        case .always: localized("allowed always")
        case .thisSite: localized("always allowed on {site}", ["site": site(details)])
        case .time(let duration): localized("allowed for {time}", ["time": DurationWords.text(duration)])
        case .unrecognized, nil: localized("allowed")
        }
    }

    /// What a yes to an ask for more time does.
    ///
    /// - Parameter name: the person who asked, as it may be shown.
    package static func reachOfMoreTime(_ name: String) -> String {
        localized("For that long, {name}'s time does not run out. Everything else is asked as before.", ["name": name])
    }

    /// The site of a link, like "https://example.org".
    package static func site(_ details: String) -> String { WebOrigin(details)?.text ?? details }

    /// Says who can use a yes to a question that waits. It is shown wherever a person can give such a yes.
    ///
    /// - Parameter name: the person who asked, as it may be shown.
    package static func reach(_ name: String) -> String {
        localized("Any program that {name} runs can use it.", ["name": name])
    }
}
