package import GateModel

/// What the warnings about ending time have to know of a gated action.
package struct TimedGate: Hashable, Sendable {
    package let name: String
    package let titles: LocalizedText
    /// The names of the allowances and of the schedules that it requires.
    let allowances: Set<String>
    let schedules: Set<String>
    /// Whether more time can be asked for.
    let offersMoreTime: Bool
    /// Whether it would be granted now.
    let isGranted: Bool
    /// Why it would be refused now, if a schedule is closed or an allowance is used up; `nil` otherwise.
    let closed: GateError?

    /// - Parameters:
    ///   - requirement: `nil`: not known.
    ///   - outlook: `nil`: not known.
    package init(_ summary: GatedActionSummary, _ requirement: Requirement?, outlook: AuthorizationOutlook?) {
        (name, titles) = (summary.name, summary.titles)
        var (allowances, schedules): (Set<String>, Set<String>) = ([], [])
        for condition in requirement?.conditions ?? [] {
            switch condition {
            case .allowance(let allowance): allowances.insert(allowance.name)
            case .during(let schedule): schedules.insert(schedule.name)
            case .parentMode, .challenge, .signedIn, .entitlement, .form, .all, .any: break
            }
        }
        (self.allowances, self.schedules) = (allowances, schedules)
        offersMoreTime = !summary.moreTime.isEmpty
        isGranted = outlook?.outcome == .granted
        closed = outlook?.refusal.flatMap { $0.reason == .outOfHours ? $0 : nil }
    }

    /// Whether an allowance or a schedule can close it.
    package var hasTimes: Bool { !allowances.isEmpty || !schedules.isEmpty }

    /// Whether it is closed now, and this user can ask for more time.
    var isClosedWithMoreTime: Bool { closed?.parameters["more-time"] != nil }

    /// Whether its use is counted for this.
    func isUsed(as subject: UsedTime.Subject) -> Bool {
        switch subject {
        case .allowance(let allowance): allowances.contains(allowance)
        case .gatedAction(let gatedAction): name == gatedAction
        }
    }

    /// The title as one line of plain, visible characters.
    ///
    /// - Parameter languages: the person's languages as BCP 47 tags, the preferred one first.
    func title(for languages: [String]) -> String {
        let title = titles.text(for: languages).foreignLine
        return title.isEmpty ? name.foreignLine : title
    }
}

/// A line of the status icon's menu, with which this user asks for more time.
package struct MoreTimeLine: Hashable, Sendable {
    package let gatedAction: String
    package let label: String
}

extension Ask {
    /// Whether this ask for more time is all that asking again would find: nobody has answered it, or a grown-up has, and
    /// the answer is not about to end.
    func isStillAnswer(at now: WallTime) -> Bool {
        state == .waiting || state == .refused || enoughUntil.map { now < $0 } ?? false
    }

    /// Until when asking for more time again would only find this yes to more time; `nil` if this is none. Then its last
    /// five minutes begin, or the second half of a shorter time.
    var enoughUntil: WallTime? {
        guard isMoreTime, state == .allowed, let ends else { return nil }
        guard case .time(let amount) = choice else { return ends.advanced(by: .seconds(-300)) }
        return ends.advanced(by: .zero - min(.seconds(300), amount / 2))
    }
}
