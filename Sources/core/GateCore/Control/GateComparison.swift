import GateModel

/// Finds out whether one gate asks at least what another one asks. `false` also stands for "that can't be told".
struct GateComparison {
    /// How many pairs of requirements may still be compared. Requirements that are nested deeply have very many.
    private var steps = 500

    /// Whether everybody who gets through the first gate could have got through the second one, at each age, and is
    /// asked again at least as soon.
    static func asks(_ first: GatedAction, atLeast second: GatedAction) -> Bool {
        guard (first.keep ?? .zero) <= (second.keep ?? .zero),
            first.moreTime.allSatisfy(second.moreTime.contains)
        else { return false }
        var comparison = GateComparison()
        return comparison.asks(first.requirement, atLeast: second.requirement)
    }

    private mutating func asks(_ first: Requirement, atLeast second: Requirement) -> Bool {
        guard steps > 0 else { return false }
        steps -= 1
        if first == second { return true }
        // The order matters: each way through the first gate is looked at before a way through the second is chosen.
        switch (first, second) {
        case (.any(let parts), _): return parts.allSatisfy { asks($0, atLeast: second) }
        case (_, .all(let parts)): return parts.allSatisfy { asks(first, atLeast: $0) }
        case (.all(let parts), .any(let others)):
            return parts.contains { asks($0, atLeast: second) } || others.contains { asks(first, atLeast: $0) }
        case (.all(let parts), _): return parts.contains { asks($0, atLeast: second) }
        case (_, .any(let others)): return others.contains { asks(first, atLeast: $0) }
        case (.challenge(let rule), .challenge(let other)): return rule.asksAtLeast(as: other)
        // A choice in a backup has only the name, which stands for this device's schedule.
        case (.during(let schedule), .during(let other)): return schedule.name == other.name
        case (.allowance(let allowance), .allowance(let other)): return allowance.name == other.name
        case (.parentMode, _), (.signedIn, _), (.entitlement, _), (.form, _), (.during, _), (.allowance, _),
            (.challenge, _):
            return false
        }
    }
}

extension ChallengeRule {
    fileprivate func asksAtLeast(as other: ChallengeRule) -> Bool {
        let ages = Set((bands + other.bands).map(\.ages.lowerBound)).map(Optional.some) + [nil]
        return ages.allSatisfy { specification(forAge: $0).asksAtLeast(as: other.specification(forAge: $0)) }
    }
}

extension ChallengeSpecification {
    /// A sturdier question asks more, except that nothing else replaces a secret: a program that shows questions to
    /// grown-ups could answer in their place.
    fileprivate func asksAtLeast(as other: ChallengeSpecification) -> Bool {
        Sturdiness(self) >= Sturdiness(other) && (kind.isSecret || !other.kind.isSecret)
            && (mayWait ?? .zero) <= (other.mayWait ?? .zero) && choices.allSatisfy(other.choices.contains)
    }
}
