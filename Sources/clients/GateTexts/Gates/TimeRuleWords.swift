package import GateModel

/// Allowances and schedules in words: for lists, and for the people who change them. Weekdays and times are written as
/// in the policy, since that is what people type.
package enum TimeRuleWords {
    /// What the rule says, which gated actions need it, and where the policy says so.
    ///
    /// - Parameter visible: makes other people's words harmless for the place where they are shown.
    package static func parts(_ rule: TimeRule, visible: @escaping (String) -> String = { $0 }) -> [String] {
        let text = rule.notation.hasPrefix("{") ? String(rule.notation.dropFirst().dropLast()) : rule.notation
        let gates =
            rule.gatedActions.isEmpty
            ? localized("not used by any gate") : ListText.things(rule.gatedActions.map(visible))
        return [visible(text), gates] + (rule.origin.map { [GateWords.origin($0, visible: visible)] } ?? [])
    }

    /// What a change has done, or would do.
    package static func change(
        _ changed: ChangedTimeRule, of name: String, isDone: Bool, visible: @escaping (String) -> String = { $0 }
    ) -> [String] {
        func line(_ rule: TimeRule?) -> String {
            rule.map { ListText.remarks(parts($0, visible: visible)) } ?? localized("none")
        }
        return [
            ListText.pair(name, isDone ? localized("changed") : localized("nothing was changed")),
            ListText.pair(localized("before"), line(changed.before)),
            ListText.pair(isDone ? localized("now") : localized("it would be"), line(changed.after)),
        ]
    }
}
