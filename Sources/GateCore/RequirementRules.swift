import GateModel

/// What is still missing before a gated action is granted (F-15, F-16).
///
/// The challenges of a requirement are known by their ordinals: the order in which they stand in it, from 0.
struct RequirementRules {
    enum Finding: Hashable {
        /// Nothing is missing.
        case met
        /// This challenge has to be answered next.
        case present(ChallengeSpecification, ordinal: Int)
        /// Parent mode is missing, which an authorization never brings.
        case parentModeMissing
        /// This challenge would have to be answered, and nobody who is there can show it.
        case nobodyShows(ChallengeSpecification)
    }

    let isParentMode: Bool
    /// The ordinals of the challenges that were answered for this authorization.
    let answered: Set<Int>
    /// The ordinal of the challenge that is open. It stays open as long as it leads anywhere.
    let open: Int?

    /// - Parameters:
    ///   - specify: the challenge that a rule comes to here.
    ///   - canShow: whether there is somebody to show it, with the ordinal that it has.
    func finding(
        on requirement: Requirement, specify: (ChallengeRule) -> ChallengeSpecification,
        canShow: (ChallengeSpecification, Int) -> Bool
    ) -> Finding {
        var nextOrdinal = 0
        return finding(on: requirement, &nextOrdinal, specify, canShow)
    }

    private func finding(
        on requirement: Requirement, _ nextOrdinal: inout Int, _ specify: (ChallengeRule) -> ChallengeSpecification,
        _ canShow: (ChallengeSpecification, Int) -> Bool
    ) -> Finding {
        switch requirement {
        case .parentMode:
            return isParentMode ? .met : .parentModeMissing
        case .challenge(let rule):
            let ordinal = nextOrdinal
            nextOrdinal += 1
            guard !answered.contains(ordinal) else { return .met }
            let specification = specify(rule)
            return canShow(specification, ordinal)
                ? .present(specification, ordinal: ordinal) : .nobodyShows(specification)
        case .all(let parts):
            return all(parts.map { finding(on: $0, &nextOrdinal, specify, canShow) })
        case .any(let parts):
            return any(parts.map { finding(on: $0, &nextOrdinal, specify, canShow) })
        }
    }

    /// What can't be had at all comes before anything is shown: nobody answers questions for nothing. Of nothing at all
    /// nothing is granted.
    private func all(_ findings: [Finding]) -> Finding {
        if findings.isEmpty || findings.contains(.parentModeMissing) { return .parentModeMissing }
        return findings.first(where: \.isNobodyShows) ?? findings.first(where: \.isPresent) ?? .met
    }

    private func any(_ findings: [Finding]) -> Finding {
        if findings.contains(.met) { return .met }
        return findings.first { $0.ordinal != nil && $0.ordinal == open } ?? findings.first(where: \.isPresent)
            ?? findings.first(where: \.isNobodyShows) ?? .parentModeMissing
    }
}

extension RequirementRules.Finding {
    fileprivate var ordinal: Int? {
        switch self {
        case .present(_, let ordinal): ordinal
        case .met, .parentModeMissing, .nobodyShows: nil
        }
    }

    fileprivate var isPresent: Bool { ordinal != nil }

    fileprivate var isNobodyShows: Bool {
        switch self {
        case .nobodyShows: true
        case .met, .present, .parentModeMissing: false
        }
    }
}
