import GateModel

/// The part of a requirement that is still missing before a gated action is granted (F-15, F-16).
///
/// What can be shown for a requirement is known by its ordinal: the order in which it stands there, from 0.
struct RequirementRules {
    enum Finding: Hashable {
        /// Nothing is missing.
        case met
        /// This has to be shown next.
        case present(Step, ordinal: Int)
        /// Parent mode is missing, which an authorization never brings.
        case parentModeMissing
        /// This would have to be shown, and nobody who is there can.
        case nobodyShows(Step)
    }

    let isParentMode: Bool
    let isSignedIn: Bool
    /// Its user is not asked again for a while. That stands for what was asked, and not for parent mode, a sign-in, a
    /// payment or a form: those are true now, or they are not.
    let isKept: Bool
    /// The ordinals of the challenges that were answered for this authorization.
    let answered: Set<Int>
    /// The ordinal of what is open. It stays open as long as it leads anywhere.
    let open: Int?
    /// The same, where it is a question that somebody has had on a screen: that one stays, whatever else is missing by now.
    var asked: Int?

    /// - Parameters:
    ///   - specify: the challenge that a rule comes to here, with the ordinal that it has.
    ///   - paywall: what is shown where the entitlement with this name is missing; `nil`: it is active.
    ///   - form: what is shown where the form with this name is missing; `nil`: a completed response to it stands.
    ///   - canShow: whether there is somebody to show something, with the ordinal that it has.
    func finding(
        on requirement: Requirement, specify: (ChallengeRule, Int) -> ChallengeSpecification,
        paywall: (String) -> Paywall?, form: (String) -> FormInvitation?, canShow: (Step, Int) -> Bool
    ) -> Finding {
        var nextOrdinal = 0
        return finding(on: requirement, &nextOrdinal, specify, paywall, form, canShow)
    }

    private func finding(
        on requirement: Requirement, _ nextOrdinal: inout Int,
        _ specify: (ChallengeRule, Int) -> ChallengeSpecification,
        _ paywall: (String) -> Paywall?, _ form: (String) -> FormInvitation?, _ canShow: (Step, Int) -> Bool
    ) -> Finding {
        switch requirement {
        case .parentMode:
            return isParentMode ? .met : .parentModeMissing
        case .challenge(let rule):
            let isMet = isKept || answered.contains(nextOrdinal)
            return finding(of: isMet ? nil : .challenge(specify(rule, nextOrdinal)), &nextOrdinal, canShow)
        case .signedIn:
            return finding(of: isSignedIn ? nil : .signIn, &nextOrdinal, canShow)
        case .entitlement(let name):
            return finding(of: paywall(name).map { .paywall($0) }, &nextOrdinal, canShow)
        case .form(let name):
            return finding(of: form(name).map { .form($0) }, &nextOrdinal, canShow)
        case .all(let parts):
            return all(parts.map { finding(on: $0, &nextOrdinal, specify, paywall, form, canShow) })
        case .any(let parts):
            return any(parts.map { finding(on: $0, &nextOrdinal, specify, paywall, form, canShow) })
        }
    }

    /// - Parameter step: what is missing; `nil`: nothing.
    private func finding(of step: Step?, _ nextOrdinal: inout Int, _ canShow: (Step, Int) -> Bool) -> Finding {
        let ordinal = nextOrdinal
        nextOrdinal += 1
        guard let step else { return .met }
        return canShow(step, ordinal) ? .present(step, ordinal: ordinal) : .nobodyShows(step)
    }

    /// A part that can't be had at all comes before anything is shown: nobody answers questions for nothing. Of nothing
    /// at all nothing is granted.
    private func all(_ findings: [Finding]) -> Finding {
        if findings.isEmpty || findings.contains(.parentModeMissing) { return .parentModeMissing }
        return findings.first(where: \.isNobodyShows)
            ?? findings.first { $0.ordinal != nil && $0.ordinal == asked } ?? findings.first(where: \.isPresent) ?? .met
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
