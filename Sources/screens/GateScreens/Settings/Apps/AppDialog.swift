import GateModel
import GateTexts

/// The dialog in which a grown-up chooses what stands before an app, or releases it.
package struct AppDialog: Hashable, Sendable {
    package var app: AppFacts
    /// The gated action that guards it; `nil` if none does.
    package var gate: GateFacts?
    /// The allowances and schedules that other gates have.
    var allowances: [Allowance]
    var schedules: [Schedule]

    package init(_ app: AppFacts, in facts: SettingsFacts) {
        self.app = app
        gate = facts.gate(of: app)
        (allowances, schedules) = ([], [])
        for condition in (facts.gates.value ?? []).flatMap({ $0.rule?.requirement?.conditions ?? [] }) {
            switch condition {
            case .allowance(let allowance) where !allowances.contains(allowance): allowances.append(allowance)
            case .during(let schedule) where !schedules.contains(schedule): schedules.append(schedule)
            case .allowance, .during, .parentMode, .challenge, .signedIn, .entitlement, .form, .all, .any: break
            }
        }
        allowances.sort { $0.name < $1.name }
        schedules.sort { $0.name < $1.name }
    }

    var title: String { app.shownTitle }

    /// What guarding it does, and what it does not.
    var text: String {
        let hold =
            switch app.holds {
            case .kernel: [localized("The system then starts it only through Gate.")]
            case .hands, .nothing: [AppWords.handsOnly] + app.reasons
            }
        return ListText.sentences(hold + [localized("In parent mode nobody is asked.")])
    }

    var fields: [SettingsDialog.Field] {
        let questions = AppSetting.Question.allCases.map { SettingsDialog.Choice($0.rawValue, title: $0.title) }
        return [
            .choice(.question, label: localized("Before it starts"), choices: questions),
            .choice(.limit, label: localized("Time limit"), choices: limits.map { .init($0.name, title: $0.title) }),
        ]
    }

    private var limits: [(name: String, title: String, limit: AppSetting.Limit)] {
        [("none", localized("No limit"), .none)]
            + allowances.map { allowance in
                let name = TimeLeftWords.name(ofAllowance: allowance.name)
                return (
                    "allowance \(allowance.name)", ListText.pair(name, AllowanceWords.amounts(allowance)),
                    .allowance(allowance)
                )
            }
            + schedules.map { schedule in
                let name = TimeLeftWords.name(ofAllowance: schedule.name)
                return (
                    "schedule \(schedule.name)", ListText.pair(name, ScheduleWords.text(schedule)), .schedule(schedule)
                )
            }
    }

    /// Begins with asking a grown-up if nothing stands before the app, or something that can't be chosen here.
    var initial: [SettingsDialog.Key: String] {
        let now = gate.flatMap { AppSetting($0) } ?? AppSetting(.grownUp)
        return [.question: now.question.rawValue, .limit: limits.first { $0.limit == now.limit }?.name ?? "none"]
    }

    func change(_ filled: SettingsDialog.Filled) throws(SettingsDialog.Mistake) -> ChosenGate {
        let limit = limits.first { $0.name == filled.text(.limit) }?.limit ?? .none
        let setting = AppSetting(AppSetting.Question(rawValue: filled.text(.question)) ?? .grownUp, limit)
        guard let requirement = setting.requirement else {
            throw SettingsDialog.Mistake(text: localized("Choose a question or a time limit."))
        }
        return ChosenGate(app, requires: requirement, insteadOf: gate)
    }

    /// The button that releases the app; `nil` if a choice of this device's grown-ups is not what guards it.
    var release: SettingsButton? {
        guard let gate, gate.summary.origin?.layer == .choices else { return nil }
        return SettingsButton(
            localized("Release"), spoken: localized("Release “{name}”", ["name": app.shownTitle]),
            .checkGate(ChosenGate(gate.summary, nil)))
    }
}

extension AppSetting {
    /// What stands before an app; `nil` if it can't be chosen here.
    init?(_ gate: GateFacts) {
        guard let requirement = gate.rule?.requirement, gate.summary.keep == nil else { return nil }
        self.init(requirement)
        // A hard sum would become an ordinary one if only the time were changed.
        if question == .sum, gate.hasSettings { return nil }
    }
}

extension AppFacts {
    /// The title as one line of plain, visible characters.
    var shownTitle: String {
        let title = title.foreignLine
        return title.isEmpty ? name : title
    }
}
