import GateModel

/// Finds the part of a requirement that is still missing before a gated action is granted.
///
/// Each part that can be shown has an ordinal: its position in the requirement, from 0.
struct RequirementRules {
    enum Finding: Hashable {
        case met
        case present(Step, ordinal: Int)
        /// Parent mode is missing. An authorization never enters it.
        case parentModeMissing
        case nobodyShows(Step)
        /// A schedule is closed, or the time of an allowance is used up.
        case closed(ScheduleOpening)
    }

    let isParentMode: Bool
    let isSignedIn: Bool
    /// Whether the requester's user has a kept grant, and so is not asked again for a while. That replaces challenges
    /// only: parent mode, a sign-in, a payment, a form or a schedule is still needed now.
    let isKept: Bool
    /// Whether a grown-up said yes to an ask for exactly this. That replaces the challenge that may wait, and no other.
    var isAllowed = false
    let answered: Set<Int>
    /// The ordinal of the open presentation. It stays open as long as it can lead to the grant.
    let open: Int?
    /// `open`, if it is a question that has been on a screen. It stays, even if an earlier part that can be shown, such
    /// as a sign-in, is missing by now.
    var asked: Int?

    /// `specify` gives the challenge for a rule with this ordinal. `paywall` returns `nil` if the entitlement is
    /// active, `form` if a completed response stands, `opening` if the schedule is open, `more` if the allowance has time
    /// left.
    func finding(
        on requirement: Requirement, specify: (ChallengeRule, Int) -> ChallengeSpecification,
        paywall: (String) -> Paywall?, form: (String) -> FormInvitation?,
        opening: (Schedule) -> ScheduleOpening?, more: (Allowance) -> ScheduleOpening? = { _ in nil },
        canShow: (Step, Int) -> Bool
    ) -> Finding {
        var nextOrdinal = 0
        return finding(on: requirement, &nextOrdinal, specify, paywall, form, opening, more, canShow)
    }

    private func finding(
        on requirement: Requirement, _ nextOrdinal: inout Int,
        _ specify: (ChallengeRule, Int) -> ChallengeSpecification,
        _ paywall: (String) -> Paywall?, _ form: (String) -> FormInvitation?,
        _ opening: (Schedule) -> ScheduleOpening?, _ more: (Allowance) -> ScheduleOpening?,
        _ canShow: (Step, Int) -> Bool
    ) -> Finding {
        switch requirement {
        case .parentMode:
            return isParentMode ? .met : .parentModeMissing
        case .challenge(let rule):
            guard !isKept, !answered.contains(nextOrdinal) else { return finding(of: nil, &nextOrdinal, canShow) }
            let specification = specify(rule, nextOrdinal)
            let isMet = isAllowed && specification.mayWait != nil
            return finding(of: isMet ? nil : .challenge(specification), &nextOrdinal, canShow)
        case .signedIn:
            return finding(of: isSignedIn ? nil : .signIn, &nextOrdinal, canShow)
        case .entitlement(let name):
            return finding(of: paywall(name).map { .paywall($0) }, &nextOrdinal, canShow)
        case .form(let name):
            return finding(of: form(name).map { .form($0) }, &nextOrdinal, canShow)
        case .during(let schedule):
            return opening(schedule).map { .closed($0) } ?? .met
        case .allowance(let allowance):
            return more(allowance).map { .closed($0) } ?? .met
        case .all(let parts), .any(let parts):
            let isForAll = if case .all = requirement { true } else { false }
            var (decisive, highest): (Finding?, Int) = (nil, -1)
            for part in parts {
                let found = finding(on: part, &nextOrdinal, specify, paywall, form, opening, more, canShow)
                let rank = rank(of: found, isForAll: isForAll)
                guard rank >= highest else { continue }
                if rank == highest, !found.opens(later: isForAll, than: decisive) { continue }
                (decisive, highest) = (found, rank)
            }
            // An empty list grants nothing.
            return decisive ?? .parentModeMissing
        }
    }

    /// - Parameter step: the missing step; `nil` if nothing is missing.
    private func finding(of step: Step?, _ nextOrdinal: inout Int, _ canShow: (Step, Int) -> Bool) -> Finding {
        let ordinal = nextOrdinal
        nextOrdinal += 1
        guard let step else { return .met }
        return canShow(step, ordinal) ? .present(step, ordinal: ordinal) : .nobodyShows(step)
    }

    /// The finding with the highest rank decides, and the first of those. Of `all`, a part that can't be met now is
    /// reported before anything is shown, so that nobody answers questions in vain. Of several schedules that are closed,
    /// the one that opens last decides about `all`, and the one that opens first about `any`.
    private func rank(of finding: Finding, isForAll: Bool) -> Int {
        switch finding {
        case .closed: isForAll ? 5 : 1
        case .parentModeMissing: isForAll ? 4 : 0
        case .nobodyShows: isForAll ? 3 : 2
        case .present(_, let ordinal): isForAll ? (ordinal == asked ? 2 : 1) : (ordinal == open ? 4 : 3)
        case .met: isForAll ? 0 : 5
        }
    }
}

extension RequirementRules.Finding {
    /// Whether both are closed schedules or allowances, and this one opens later, or earlier, than the other one.
    fileprivate func opens(later: Bool, than other: Self?) -> Bool {
        guard case .closed(let opening) = self, case .closed(let others) = other else { return false }
        return later ? ScheduleOpening.isEarlier(others, opening) : ScheduleOpening.isEarlier(opening, others)
    }
}
