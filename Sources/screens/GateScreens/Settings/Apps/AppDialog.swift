import GateModel
import GateTexts

/// The dialog in which a grown-up chooses what stands before an app, or releases it.
package struct AppDialog: Hashable, Sendable {
    package var app: AppFacts
    /// The gated action that guards it; `nil` if none does.
    package var gate: GateFacts?
    /// The allowances and schedules that gates have.
    var allowances: [Allowance]
    var schedules: [Schedule]
    /// The name of an allowance or a schedule of this app alone: the app's name, unless another gate needs one that is
    /// called so.
    private let ownName: String

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
        let name = GatedAction.guardedApp(by: app.action) ?? app.name
        let others = (facts.gates.value ?? []).filter { $0.summary.name != app.action }
        let isTaken = others.flatMap { $0.rule?.requirement?.conditions ?? [] }.contains { condition in
            switch condition {
            case .allowance(let allowance): allowance.name == name
            case .during(let schedule): schedule.name == name
            case .parentMode, .challenge, .signedIn, .entitlement, .form, .all, .any: false
            }
        }
        ownName = isTaken ? app.action : name
    }

    var title: String { app.shownTitle }

    /// What guarding it does, and what it does not.
    var text: String {
        let hold =
            switch app.holds {
            case .kernel: [localized("It then starts only through Gate.")]
            case .hands, .nothing: app.reasons.isEmpty ? [AppWords.handsOnly] : app.reasons
            }
        return ListText.sentences(hold + [localized("In parent mode nobody is asked.")])
    }

    var fields: [SettingsDialog.Field] {
        let questions = AppSetting.Question.allCases.map { SettingsDialog.Choice($0.rawValue, title: $0.title) }
        return [
            .choice(.question, label: localized("Before it starts"), choices: questions),
            .choice(
                .limit, label: localized("Time limit"),
                choices: limits.map { .init($0.name, title: $0.title) }
                    + [.init(Self.hours, title: localized("Only at certain hours"))]),
            .text(
                .weekdays, label: ScheduleWords.text([0...4]),
                hint: localized("for example {hours}", ["hours": AppHours.example])),
            .text(.weekend, label: ScheduleWords.text([5...6]), hint: localized("empty: not at all")),
        ]
    }

    /// The name of the choice whose hours are written into fields of their own.
    private static let hours = "hours"
    /// In minutes.
    private static let usualAmounts = [15, 30, 60, 120]

    static func shows(_ key: SettingsDialog.Key, _ filled: SettingsDialog.Filled) -> Bool {
        key != .weekdays && key != .weekend || filled.text(.limit) == hours
    }

    private var limits: [(name: String, title: String, limit: AppSetting.Limit)] {
        let usual = Self.usualAmounts.map { minutes in
            Allowance(ownName, secondsOfDays: Array(repeating: minutes * 60, count: 7))
        }
        let allowances = allowances.filter { !usual.contains($0) }
        let schedules = schedules.filter { $0.name != ownName || AppHours($0) == nil }
        return [("none", localized("No limit"), .none)]
            + zip(Self.usualAmounts, usual).map { minutes, allowance in
                ("\(minutes)", AllowanceWords.amounts(allowance), .allowance(allowance))
            }
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
        var texts: [SettingsDialog.Key: String] = [.question: now.question.rawValue, .limit: "none"]
        if let limit = limits.first(where: { $0.limit == now.limit }) {
            texts[.limit] = limit.name
        } else if case .schedule(let schedule) = now.limit, let hours = AppHours(schedule) {
            texts[.limit] = Self.hours
            texts.merge(hours.texts) { $1 }
        }
        return texts
    }

    func change(_ filled: SettingsDialog.Filled) throws(SettingsDialog.Mistake) -> ChosenGate {
        let limit = try limit(filled)
        let setting = AppSetting(AppSetting.Question(rawValue: filled.text(.question)) ?? .grownUp, limit)
        guard let requirement = setting.requirement else {
            throw SettingsDialog.Mistake(text: localized("Choose a question or a time limit."))
        }
        var change = ChosenGate(app, requires: requirement, insteadOf: gate)
        change.time = time(limit, requirement, AppSetting(setting.question).requirement)
        return change
    }

    private func limit(_ filled: SettingsDialog.Filled) throws(SettingsDialog.Mistake) -> AppSetting.Limit {
        guard filled.text(.limit) == Self.hours else {
            return limits.first { $0.name == filled.text(.limit) }?.limit ?? .none
        }
        let hours = try AppHours(weekdays: filled.text(.weekdays), weekend: filled.text(.weekend))
        return .schedule(hours.schedule(ownName))
    }

    /// The time that has to be set first; `nil` if the policy has it already.
    private func time(_ limit: AppSetting.Limit, _ whole: Requirement, _ question: Requirement?) -> ChosenGate.Time? {
        switch limit {
        case .none: nil
        case .allowance(let allowance):
            allowances.contains(allowance)
                ? nil : .init(.allowance, allowance.name, allowance.notation, whole: whole, question: question)
        case .schedule(let schedule):
            schedules.contains(schedule)
                ? nil : .init(.schedule, schedule.name, schedule.notation, whole: whole, question: question)
        }
    }

    /// The button that releases the app; `nil` if a choice of this device's grown-ups is not what guards it.
    var release: SettingsButton? {
        guard let gate, gate.summary.origin?.layer == .choices else { return nil }
        return SettingsButton(
            localized("Stop guarding"), spoken: localized("Stop guarding “{name}”", ["name": app.shownTitle]),
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
