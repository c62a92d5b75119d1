package import GateModel
import GateTexts

/// What a grown-up chooses to stand before a guarded app: who is asked, and when it may be used. In parent mode it
/// starts without a question. A policy file can say more.
package struct AppSetting: Hashable, Sendable {
    package enum Question: String, Hashable, Sendable, CaseIterable {
        /// A grown-up, on their own screen. The question may wait for them.
        case grownUp = "grown-up"
        case sum
        case passcode
        /// Nobody. Only the time counts.
        case nobody
    }

    package enum Limit: Hashable, Sendable {
        case none
        case allowance(Allowance)
        case schedule(Schedule)
    }

    package var question: Question
    package var limit: Limit

    package init(_ question: Question, _ limit: Limit = .none) {
        (self.question, self.limit) = (question, limit)
    }

    /// What stands before an app; `nil` if it can't be chosen here.
    package init?(_ requirement: Requirement) {
        guard case .any(let parts) = requirement, parts.count == 2, parts[0] == .parentMode else { return nil }
        let conditions = if case .all(let all) = parts[1] { all } else { [parts[1]] }
        self.init(.nobody)
        // The order is that of `requirement`: the time comes before the question.
        for (place, condition) in conditions.enumerated() {
            switch condition {
            case .allowance(let allowance) where place == 0: limit = .allowance(allowance)
            case .during(let schedule) where place == 0: limit = .schedule(schedule)
            case .challenge(let rule) where place == conditions.count - 1:
                guard let question = Question(rule) else { return nil }
                self.question = question
            case .parentMode, .challenge, .signedIn, .entitlement, .form, .during, .allowance, .all, .any: return nil
            }
        }
    }

    /// - Returns: `nil` if there is neither a question nor a limit.
    var requirement: Requirement? {
        let time: Requirement? =
            switch limit {
            case .none: nil
            case .allowance(let allowance): .allowance(allowance)
            case .schedule(let schedule): .during(schedule)
            }
        // A question that waits for a grown-up comes last, so it is not asked while there is no time.
        let conditions = [time, question.challenge.map { .challenge(ChallengeRule($0)) }].compactMap(\.self)
        guard let first = conditions.first else { return nil }
        return .any([.parentMode, conditions.count == 1 ? first : .all(conditions)])
    }

    /// What stands before the app, like `a grown-up's yes, 1 hour a day`.
    var text: String {
        let time: String? =
            switch limit {
            case .none: nil
            case .allowance(let allowance): AllowanceWords.amounts(allowance)
            case .schedule(let schedule): ScheduleWords.text(schedule)
            }
        return ListText.facts(
            [question.challenge.map { ChallengeWords.inSentence($0.kind) }, time].compactMap(\.self))
    }
}

extension AppSetting.Question {
    /// `nil` if nobody is asked.
    fileprivate var challenge: ChallengeSpecification? {
        switch self {
        case .grownUp:
            // The same as `gatectl apps guard` sets.
            ChallengeSpecification(
                .confirm, answeredBy: .grownUp, mayWait: .seconds(24 * 3600),
                choices: [.once, .time(.seconds(1800)), .time(.seconds(3600))])
        case .sum: ChallengeSpecification(.arithmeticEntry)
        case .passcode: ChallengeSpecification(.passcode)
        case .nobody: nil
        }
    }

    /// The question with the same kind, for all ages. A rule that comes from the daemon lacks the settings of its
    /// question, such as how hard a sum is.
    fileprivate init?(_ rule: ChallengeRule) {
        guard rule.bands.count == 1, let asked = rule.bands.first?.challenge,
            let same = Self.allCases.first(where: {
                $0.challenge?.kind == asked.kind && $0.challenge?.answeredBy == asked.answeredBy
            })
        else { return nil }
        self = same
    }

    /// The words of the choice.
    var title: String {
        switch self {
        case .grownUp: localized("Ask a grown-up")
        case .sum: localized("A sum")
        case .passcode: localized("The passcode")
        case .nobody: localized("No question")
        }
    }
}
