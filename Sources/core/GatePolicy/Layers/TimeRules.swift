package import GateModel

extension Policy {
    /// All allowances and schedules, each kind sorted by name.
    package var timeRules: [TimeRule] {
        let needs = self.needs
        return allowances.values.sorted { $0.name < $1.name }
            .map { rule(.allowance, $0.name, $0.notation, needs) }
            + schedules.values.sorted { $0.name < $1.name }.map { rule(.schedule, $0.name, $0.notation, needs) }
    }

    /// The allowance or the schedule with this name; `nil` if there is none.
    package func timeRule(_ kind: TimeRule.Kind, _ name: String) -> TimeRule? {
        timeRules.first { $0.kind == kind && $0.name == name }
    }

    /// What the allowance or the schedule says, in English for people; `nil` if there is none.
    package func timeText(_ kind: TimeRule.Kind, _ name: String) -> String? {
        switch kind {
        case .allowance: allowances[name]?.text
        case .schedule: schedules[name]?.text
        case .unrecognized: nil
        }
    }

    /// Whether the gated action needs the allowance or the schedule.
    package func isNeeded(_ kind: TimeRule.Kind, _ name: String, by gatedAction: String) -> Bool {
        let conditions = configuration.gatedActions[gatedAction]?.requirement.conditions ?? []
        return conditions.contains { $0.neededTimeRule == TimeRule.choiceName(kind, name) }
    }

    /// The most gated actions that are listed for one rule, because one answer has no room for more.
    private static let maximumNeeds = 100

    private func rule(
        _ kind: TimeRule.Kind, _ name: String, _ notation: String, _ needs: [String: [String]]
    ) -> TimeRule {
        TimeRule(
            kind: kind, name: name, notation: notation, origin: origins["\(kind.word)s.\(name)"],
            gatedActions: needs[TimeRule.choiceName(kind, name), default: []])
    }

    /// The gated actions that need each allowance and each schedule, by `TimeRule.choiceName`.
    private var needs: [String: [String]] {
        var needs: [String: [String]] = [:]
        for (name, action) in configuration.gatedActions.sorted(by: { $0.key < $1.key }) {
            for needed in action.requirement.conditions.compactMap(\.neededTimeRule) {
                let known = needs[needed, default: []]
                if known.last != name, known.count < Self.maximumNeeds { needs[needed] = known + [name] }
            }
        }
        return needs
    }
}

extension Requirement {
    /// The name of the allowance or schedule that this condition needs, in the form of `TimeRule.choiceName`.
    fileprivate var neededTimeRule: String? {
        switch self {
        case .allowance(let allowance): TimeRule.choiceName(.allowance, allowance.name)
        case .during(let schedule): TimeRule.choiceName(.schedule, schedule.name)
        case .parentMode, .challenge, .signedIn, .entitlement, .form, .all, .any: nil
        }
    }
}
