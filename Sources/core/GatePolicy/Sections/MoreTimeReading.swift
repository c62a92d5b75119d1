import GateModel

/// Reads `more-time` of a gated action: how much more time a person can ask for while its schedule is closed or its
/// allowance is used up.
extension PolicyDraft {
    /// Returns the amounts in their order; none if there is a mistake.
    ///
    /// - Parameter requirement: what the gated action requires. Without a schedule or an allowance in it, more time would
    ///   have no effect.
    mutating func moreTime(_ node: PolicyNode, beyond requirement: Requirement) -> [AskChoice] {
        guard requirement.limitsTime else {
            problems.add(
                "More time has no effect here, because nothing limits the time. Add {during: NAME} or {allowance: NAME} "
                    + "to 'requires', or remove 'more-time'.", kind: .businessRule, at: node.place)
            return []
        }
        if node.text == "true" { return AskChoice.usualMoreTime }
        guard node.text != "false" else { return [] }
        guard let list = node.filledList(of: "more-time", atMost: PolicyLimits.choices, &problems) else { return [] }
        var amounts: [AskChoice] = []
        for entry in list {
            guard let amount = amountOfMoreTime(entry) else { return [] }
            guard !amounts.contains(amount) else {
                problems.add(
                    "'\((entry.text ?? "").shortened)' is one of the amounts already. Remove it here or there.",
                    kind: .businessRule, at: entry.place)
                return []
            }
            amounts.append(amount)
        }
        return amounts
    }

    private mutating func amountOfMoreTime(_ node: PolicyNode) -> AskChoice? {
        if node.text == AskChoice.today.text { return .today }
        guard let text = node.text, Duration(textWithDays: text) != nil else {
            problems.add(
                "More time is an amount like 15m, or today for the rest of the day, not \(node.found).", kind: .value,
                at: node.place)
            return nil
        }
        return node.duration(of: "more-time", in: PolicyLimits.moreTime, &problems).map { .time($0) }
    }
}
