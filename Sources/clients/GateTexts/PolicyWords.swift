package import GateModel

/// The parts of a policy in words, for every screen.
package enum PolicyWords {
    /// Questions by age, like `a sum with three answers; from 9 years: the passcode`.
    ///
    /// - Parameter name: the words for a kind of question.
    package static func text(
        of challenges: [ChallengeForAge], name: (Challenge.Kind) -> String = ChallengeWords.name
    ) -> String {
        ListText.remarks(
            challenges.map { rule in
                let kind =
                    rule.challenge.map(name) ?? localized("a question that this version does not know")
                let question =
                    rule.isForGrownUps ? ListText.noted(kind, localized("answered on a grown-up's screen")) : kind
                guard rule.fromAge > 0 else { return question }
                return localized(
                    "from {count} year: {question}", plural: "from {count} years: {question}", count: rule.fromAge,
                    ["question": question])
            })
    }

    package static func role(_ role: RoleHolders.Role) -> String {
        switch role {
        case .administrator: localized("Administrators")
        case .presenter: localized("Show questions")
        case .grownUpPresenter: localized("Show questions for grown-ups, and secrets")
        case .provider: localized("Report purchases")
        case .broker: localized("Ask for other programs")
        case .household: localized("Look after other devices of the household")
        case .timekeeper: localized("Add the time that was allowed")
        case .unrecognized: localized("Something that this version does not know")
        }
    }

    package static func names(of holders: RoleHolders) -> String {
        ListText.things(holders.users + holders.groups.map { localized("the group {name}", ["name": $0]) })
    }

    // MARK: Parent mode

    package static func lease(_ summary: PolicySummary) -> String {
        localized(
            "{time}, and {maximum} at most",
            ["time": DurationWords.text(summary.lease), "maximum": DurationWords.text(summary.maximumLease)])
    }

    package static func lockout(_ rule: PolicySummary.LockoutRule) -> String {
        localized(
            "After {count} wrong answer: a wait of {time}, and {maximum} at most",
            plural: "After {count} wrong answers: a wait of {time}, and {maximum} at most",
            count: rule.after,
            ["time": DurationWords.text(rule.duration), "maximum": DurationWords.text(rule.maximum)])
    }

    package static func signIn(_ rule: PolicySummary.SignInRule) -> String {
        rule.isRequired ? localized("Required") : localized("Not required")
    }
}
