package import GateModel

/// A requirement of a gated action, as part of a line: `parent mode or the passcode`.
package indirect enum RequirementWords {
    /// All of these requirements.
    case all([RequirementWords])
    /// Any one of these requirements.
    case any([RequirementWords])
    /// The device is in parent mode.
    case parentMode
    /// A question, depending on the child's age; the rule for the youngest is first.
    case challenge([ChallengeForAge])
    /// Somebody is signed in.
    case signedIn
    /// This entitlement is active.
    case entitlement(String)
    /// This form is filled in.
    case form(String)
    /// This schedule is open.
    case during(Schedule)
    /// There is time left of this allowance.
    case allowance(Allowance)

    package init(_ requirement: Requirement) {
        self =
            switch requirement {
            case .all(let parts): .all(parts.map { RequirementWords($0) })
            case .any(let parts): .any(parts.map { RequirementWords($0) })
            case .parentMode: .parentMode
            case .challenge(let rule): .challenge(ChallengeForAge.list(of: rule))
            case .signedIn: .signedIn
            case .entitlement(let name): .entitlement(name)
            case .form(let name): .form(name)
            case .during(let schedule): .during(schedule)
            case .allowance(let allowance): .allowance(allowance)
            }
    }

    /// What the words call questions, entitlements and forms.
    package struct Names {
        package var question: (Challenge.Kind) -> String
        package var entitlement: (String) -> String
        package var form: (String) -> String

        package init(
            question: @escaping (Challenge.Kind) -> String, entitlement: @escaping (String) -> String,
            form: @escaping (String) -> String
        ) {
            self.question = question
            self.entitlement = entitlement
            self.form = form
        }
    }

    /// The requirement in words.
    ///
    /// - Parameter visible: makes other people's words harmless for the place where they are shown.
    package func text(visible: @escaping (String) -> String = { $0 }) -> String {
        text(Names(question: ChallengeWords.name, entitlement: visible, form: visible))
    }

    package func text(_ names: Names) -> String {
        switch self {
        case .all(let parts): ListText.together(parts.map { $0.textOfPart(names) })
        case .any(let parts): ListText.alternatives(parts.map { $0.textOfPart(names) })
        case .parentMode: localized("parent mode")
        case .challenge(let challenges): PolicyWords.text(of: challenges, name: names.question)
        case .signedIn: localized("somebody is signed in")
        case .entitlement(let name): localized("somebody has bought {name}", ["name": names.entitlement(name)])
        case .form(let name): localized("{name} is filled in", ["name": names.form(name)])
        case .during(let schedule): ScheduleWords.text(schedule)
        case .allowance(let allowance): AllowanceWords.text(allowance)
        }
    }

    /// The words, in brackets if they would otherwise run into the words beside them.
    private func textOfPart(_ names: Names) -> String {
        let isLong =
            switch self {
            case .parentMode, .signedIn, .entitlement, .form, .allowance: false
            case .challenge(let challenges): challenges.count > 1
            case .during(let schedule): schedule.dayGroups.count > 1
            case .all(let parts), .any(let parts): parts.count > 1
            }
        return isLong ? localized("({text})", ["text": text(names)]) : text(names)
    }
}
