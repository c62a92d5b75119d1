package import GateModel
import GateTexts

/// What a grown-up chooses to stand before a gated action in gate-settings: the usual requirements, as `gatectl gates
/// set` has options for them. A policy file can say more.
package struct GateSetting: Hashable, Sendable {
    package struct Question: Hashable, Sendable {
        /// The youngest age in years at which it is asked. It is asked up to the age of the next question.
        package var fromAge: Int
        package var kind: Challenge.Kind

        package init(_ kind: Challenge.Kind, fromAge: Int = 0) {
            (self.fromAge, self.kind) = (fromAge, kind)
        }
    }

    /// The most questions for different ages.
    package static let maximumQuestions = 3

    /// The youngest age first. Empty: nobody is asked, and only parent mode opens the gate.
    package var questions: [Question]
    /// Whether parent mode is enough without a question.
    package var alsoInParentMode: Bool
    /// Whether only grown-ups may answer, on their own screens and on other devices of the household.
    package var isForGrownUps: Bool
    /// For how long a user is not asked again after a yes; `nil`: asked every time.
    package var keep: Duration?

    package init(
        _ questions: [Question], alsoInParentMode: Bool = false, isForGrownUps: Bool = false, keep: Duration? = nil
    ) {
        self.questions = questions
        self.alsoInParentMode = alsoInParentMode
        self.isForGrownUps = isForGrownUps
        self.keep = keep
    }

    /// What stands before a gated action, without its questions' settings; `nil` if it can't be chosen here.
    package init?(_ rule: GateRule) {
        switch rule.requirement {
        case .parentMode: self.init([])
        case .challenge(let challenge): self.init(challenge)
        case .any(let parts) where parts.count == 2 && parts[0] == .parentMode:
            guard case .challenge(let challenge) = parts[1] else { return nil }
            self.init(challenge)
            alsoInParentMode = true
        case .all, .any, .signedIn, .entitlement, .form, .during, .allowance, nil: return nil
        }
        keep = rule.gatedAction.keep
    }

    private init?(_ rule: ChallengeRule) {
        guard let answeredBy = rule.bands.first?.challenge.answeredBy, rule.bands.count <= Self.maximumQuestions,
            rule.bands.allSatisfy({ $0.challenge.answeredBy == answeredBy })
        else { return nil }
        self.init(
            rule.bands.map { Question($0.challenge.kind, fromAge: $0.ages.lowerBound) },
            isForGrownUps: answeredBy == .grownUp)
    }

    /// The requirement in the notation of policy files.
    package var notation: String {
        guard let first = questions.first else { return "{mode: parent}" }
        let challenge =
            questions.count == 1
            ? text(of: first)
            : "{ages: {\(questions.indices.map { "\(ages(at: $0)): \(text(of: questions[$0]))" }.joined(separator: ", "))}}"
        return alsoInParentMode ? "{any: [{mode: parent}, {challenge: \(challenge)}]}" : "{challenge: \(challenge)}"
    }

    /// `0-8`, or `9+` for the last question.
    private func ages(at place: Int) -> String {
        let start = questions[place].fromAge
        return place + 1 < questions.count ? "\(start)-\(questions[place + 1].fromAge - 1)" : "\(start)+"
    }

    private func text(of question: Question) -> String {
        isForGrownUps ? "{kind: \(question.kind.rawValue), answered-by: grown-up}" : question.kind.rawValue
    }
}

/// A gated action, and what a grown-up has chosen to stand before it.
package struct ChosenGate: Hashable, Sendable {
    /// The name in the policy.
    package var gatedAction: String
    /// What people read.
    package var title: String
    /// What stands before it, in the notation of policy files; `nil` to return to the shipped default.
    package var requires: String?
    /// For how long a user is not asked again after a yes; `nil`: asked every time.
    package var keep: Duration?
    /// The amounts of more time that can be asked for; `nil` to keep the present ones, if its time is limited.
    package var moreTime: [AskChoice]?
    /// The allowance or schedule that is set before the choice, since the choice needs it; `nil`: none.
    package var time: Time?
    /// Whether the policy takes the title from here. Otherwise it keeps its own, in all languages.
    package var isNew = false

    package struct Time: Hashable, Sendable {
        package var kind: TimeRule.Kind
        package var name: String
        /// The new rule, in the notation of `requires`.
        package var notation: String
        /// The requirement that then stands before the gated action.
        private let whole: Requirement
        /// The question in it; `nil`: there is none.
        private let question: Requirement?

        init(
            _ kind: TimeRule.Kind, _ name: String, _ notation: String, whole: Requirement, question: Requirement?
        ) {
            (self.kind, self.name, self.notation) = (kind, name, notation)
            (self.whole, self.question) = (whole, question)
        }

        /// The rest of the choice, in the notation of `requires`. The daemon can't check all of it while the time is
        /// not set.
        package var checkable: String { (question ?? .parentMode).notation }

        /// The effect of the whole choice, made from the daemon's check of the rest. The time does not make a question
        /// easier.
        package func completed(_ checked: ChangedGate) -> ChangedGate {
            var completed = checked
            completed.after?.requirement = whole
            if question == nil { completed.after?.strength = nil }
            return completed
        }
    }

    package init(_ summary: GatedActionSummary, _ setting: GateSetting?) {
        gatedAction = summary.name
        title = summary.readableTitle
        requires = setting?.notation
        keep = setting?.keep
    }

    /// What stands before an app. If it limits time, more of it can be asked for.
    ///
    /// - Parameter gate: the gated action that guards the app now; `nil` if none does.
    init(_ app: AppFacts, requires requirement: Requirement, insteadOf gate: GateFacts?) {
        gatedAction = app.action
        title = app.shownTitle
        requires = requirement.notation
        isNew = gate == nil
        if requirement.limitsTime, gate?.summary.moreTime.isEmpty ?? true { moreTime = AskChoice.usualMoreTime }
    }

    /// Whether it guards an app, so that without it the app starts as if there were no Gate.
    private var isOfApp: Bool { GatedAction.guardedApp(by: gatedAction) != nil }

    /// The question before the change is made.
    func confirmation(_ checked: ChangedGate) -> SettingsAct.Confirmation {
        let name: KeyValuePairs = ["name": title.replacingHidden]
        var lines = GateSentences.proposal(
            checked, visible: \.replacingHidden, short: { isOfApp ? AppSetting($0)?.text : nil })
        var (title, button) = (localized("Change “{name}”?", name), localized("Change"))
        if isOfApp, checked.after == nil {
            (title, button) = (localized("Stop guarding “{name}”?", name), localized("Stop guarding"))
            lines[1] = localized("Then it starts without Gate, like any other app.")
        } else if isOfApp, checked.before == nil {
            (title, button) = (localized("Guard “{name}”?", name), localized("Guard"))
            lines.removeFirst()
        }
        return .init(title, lines.joined(separator: "\n\n"), button, isDestructive: false)
    }
}

extension GatedActionSummary {
    /// The title in the person's language, or the name if it has none.
    var readableTitle: String {
        let title = titles.ofPerson
        return title.isEmpty ? name : title
    }
}
