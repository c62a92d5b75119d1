import GateModel
import GateTexts

/// The dialog in which a grown-up chooses what stands before a gated action.
enum GateDialog {
    /// The keys of the questions and of the ages from which they are asked. The first is asked from birth.
    private static let questions: [(question: SettingsDialog.Key, age: SettingsDialog.Key?)] = [
        (.question, nil), (.nextQuestion, .nextAge), (.lastQuestion, .lastAge),
    ]
    /// The name of the choice that nobody is asked.
    private static let none = "parent"

    static func fields(_ gate: GateFacts) -> [SettingsDialog.Field] {
        let kinds = Challenge.Kind.allCases.map {
            SettingsDialog.Choice($0.rawValue, title: ChallengeWords.subject($0))
        }
        let noQuestion = SettingsDialog.Choice(none, title: localized("None: only in parent mode"))
        let later = questions.dropFirst().flatMap { key, age -> [SettingsDialog.Field] in
            guard let age else { return [] }
            return [
                .text(
                    age, label: localized("Another question from age"), hint: localized("empty: no other")),
                .choice(key, label: localized("Question from that age"), choices: kinds),
            ]
        }
        return [.choice(.question, label: localized("Question"), choices: [noQuestion] + kinds)] + later + [
            .choice(
                .inParentMode, label: localized("In parent mode"),
                choices: [
                    .init("open", title: localized("Not asked")), .init("asked", title: localized("Asked as well")),
                ]),
            .choice(
                .answeredBy, label: localized("Who answers"),
                choices: [
                    .init("anybody", title: localized("Anybody at the screen")),
                    .init("grown-up", title: localized("Grown-ups, on their own screens")),
                ]),
            .choice(.keep, label: localized("Not asked again"), choices: durations(gate)),
        ]
    }

    /// Whether a field is seen. A question for an age is seen once that age is written, and so is the next age.
    static func shows(_ key: SettingsDialog.Key, _ filled: SettingsDialog.Filled) -> Bool {
        guard let place = questions.firstIndex(where: { $0.question == key || $0.age == key }) else { return true }
        let needed = questions[...place].compactMap { $0.age == key ? nil : $0.age }
        return needed.allSatisfy { !age(filled, $0).isEmpty }
    }

    private static func age(_ filled: SettingsDialog.Filled, _ key: SettingsDialog.Key) -> String {
        filled.text(key).filter { !$0.isWhitespace }
    }

    /// The choices for how long a user is not asked again: the usual times, and the present one.
    private static func durations(_ gate: GateFacts) -> [SettingsDialog.Choice] {
        let usual = [0, 60, 300, 900, 1800, 3600].map { Duration.seconds($0) }
        return Set(usual + [gate.summary.keep].compactMap(\.self)).sorted().map { duration in
            SettingsDialog.Choice(
                name(of: duration),
                title: duration == .zero
                    ? localized("Asked every time") : localized("For {time}", ["time": DurationWords.text(duration)]))
        }
    }

    static func initial(_ gate: GateFacts) -> [SettingsDialog.Key: String] {
        // If the present requirement can't be chosen in this dialog, the fields begin with the passcode, which is safe.
        // Otherwise a hard sum would become an ordinary one when a person only wants to change the time.
        let chosen = gate.hasSettings ? nil : gate.rule.flatMap { GateSetting($0) }
        let now = chosen ?? GateSetting([.init(.passcode)], keep: gate.summary.keep)
        var texts: [SettingsDialog.Key: String] = [
            .question: none, .inParentMode: now.alsoInParentMode ? "open" : "asked",
            .answeredBy: now.isForGrownUps ? "grown-up" : "anybody", .keep: name(of: now.keep ?? .zero),
        ]
        for (question, keys) in zip(now.questions, questions) {
            texts[keys.question] = question.kind.rawValue
            if let age = keys.age { texts[age] = "\(question.fromAge)" }
        }
        return texts
    }

    static func setting(_ filled: SettingsDialog.Filled) throws(SettingsDialog.Mistake) -> GateSetting {
        var setting = GateSetting(
            [], alsoInParentMode: filled.text(.inParentMode) == "open",
            isForGrownUps: filled.text(.answeredBy) == "grown-up",
            keep: Int64(filled.text(.keep)).flatMap { $0 > 0 ? .milliseconds($0) : nil })
        for (key, ageKey) in questions {
            let kind = Challenge.Kind(rawValue: filled.text(key))
            guard let ageKey else {
                if let kind { setting.questions.append(.init(kind)) }
                continue
            }
            let typed = age(filled, ageKey)
            // Without an age, the fields for this question and for the following ones are not shown, and don't count.
            guard !typed.isEmpty, let kind else { break }
            guard let age = Int(typed), (1..<ChallengeRule.maximumAge).contains(age) else {
                throw SettingsDialog.Mistake(text: localized("Write the age in whole years, like 9."))
            }
            guard let before = setting.questions.last else {
                throw SettingsDialog.Mistake(
                    text: localized("Without a question, nothing can depend on the age. Leave the ages empty."))
            }
            guard age > before.fromAge else {
                throw SettingsDialog.Mistake(text: localized("Each age has to be higher than the one before."))
            }
            setting.questions.append(.init(kind, fromAge: age))
        }
        return setting
    }

    private static func name(of duration: Duration) -> String { "\(duration.millisecondsRoundedUp)" }
}
