import GateModel
import GateTexts

// The page of apps: which are guarded and by what, and all others of the menu, to guard one. A child sees the guarded
// ones, and nothing to change.
//
// A parent who wants one game to ask first, before and after:
//
//     Apps of this device                          Guarded apps
//     Choose one, and what it asks.                [icon] SuperTux                            [Change]
//     [icon] Chess       [Guard]                          Guarded: a grown-up's yes, 1 hour a day
//     [icon] Pybik       [Guard]                   Other apps
//     [icon] SuperTux    [Guard]                   [icon] Chess                                [Guard]
//     Can't be guarded                             [icon] Pybik                                [Guard]
//     [icon] Files                                 …
//            Other programs need it.

extension SettingsFacts {
    func appsGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        switch apps {
        case .forbidden: []
        case .notYet: [SettingsGroup("apps", rows: [SettingsRow("wait", localized("One moment…"))])]
        case .failed(let reason): [SettingsGroup("apps", rows: [SettingsRow("failed", reason)])]
        case .known(.packageMissing):
            isGrownUp(moment)
                ? [SettingsGroup("apps", rows: [SettingsRow("package", AppWords.packageMissing)])]
                : groups([], mayChange: false, moment)
        case .known(.list(let list)): groups(list, mayChange: isGrownUp(moment), moment)
        }
    }

    private func groups(_ list: [AppFacts], mayChange: Bool, _ moment: SettingsMoment) -> [SettingsGroup] {
        var (guarded, free, fixed): ([SettingsRow], [SettingsRow], [SettingsRow]) = ([], [], [])
        for app in list.sorted(by: { ($0.shownTitle.lowercased(), $0.name) < ($1.shownTitle.lowercased(), $1.name) }) {
            let standing = app.standing(isChosen: isChosen(app))
            let row = row(app, standing, mayChange: mayChange, moment)
            switch standing {
            case .guarded, .beingGuarded: guarded.append(row)
            // Apps that are not held although they should be are shown only to people who can mend that.
            case .problem, .beingReleased: if mayChange { guarded.append(row) }
            case .free: free.append(row)
            case .unguardable: fixed.append(row)
            }
        }
        guard mayChange else {
            let rows = guarded.isEmpty ? SettingsWords.none(localized("No app is guarded.")) : guarded
            return [SettingsGroup("guarded", title: localized("Guarded apps"), rows: rows)]
        }
        return [
            SettingsGroup("guarded", title: localized("Guarded apps"), rows: guarded),
            SettingsGroup(
                "apps", title: guarded.isEmpty ? localized("Apps of this device") : localized("Other apps"),
                text: localized("Choose an app, and what it asks before it starts."),
                rows: free.isEmpty ? SettingsWords.none(localized("There are no other apps.")) : free),
            SettingsGroup("fixed", title: localized("Can't be guarded"), rows: fixed),
        ].filter { !$0.rows.isEmpty }
    }

    private func row(
        _ app: AppFacts, _ standing: AppFacts.Standing, mayChange: Bool, _ moment: SettingsMoment
    ) -> SettingsRow {
        let gate = gate(of: app)
        let fixed = gate.flatMap { Self.reasonAgainstChanging($0.summary) }
        var lines: [String] = []
        switch standing {
        case .free: lines = [app.problem]
        case .unguardable: lines = [AppWords.reason(app)]
        case .beingGuarded: lines = [localized("Being set up…")]
        case .problem: lines = [app.problem]
        case .beingReleased: lines = [localized("Being turned off…"), app.problem]
        case .guarded: lines = [guarded(gate, moment)]
        }
        if mayChange, standing == .guarded {
            lines += [app.problem, app.holds == .hands ? AppWords.handsOnly : ""]
        }
        if mayChange, let fixed { lines.append(fixed) }
        return SettingsRow(
            app.name, app.shownTitle, lines.filter { !$0.isEmpty }.joined(separator: "\n"), icon: .app(app.icon),
            buttons: mayChange && fixed == nil ? buttons(app, standing) : [])
    }

    private func buttons(_ app: AppFacts, _ standing: AppFacts.Standing) -> [SettingsButton] {
        let act = SettingsAct.open(.app(AppDialog(app, in: self)))
        let name: KeyValuePairs = ["name": app.shownTitle]
        return switch standing {
        case .free: [SettingsButton(localized("Guard"), spoken: localized("Guard “{name}”", name), act)]
        case .beingGuarded, .problem, .guarded:
            [SettingsButton(localized("Change"), spoken: localized("Change what “{name}” asks", name), act)]
        case .unguardable, .beingReleased: []
        }
    }

    /// `Guarded: a grown-up's yes, 1 hour a day`
    private func guarded(_ gate: GateFacts?, _ moment: SettingsMoment) -> String {
        guard let requirement = gate?.rule?.requirement else { return localized("Guarded") }
        let names = RequirementWords.Names(
            question: ChallengeWords.inSentence, entitlement: { title(ofEntitlement: $0, moment) },
            form: { title(ofForm: $0, moment) })
        let what = AppSetting(requirement)?.text ?? GateSentences.asked(requirement, names)
        return localized("Guarded: {what}", ["what": what])
    }
}

enum AppWords {
    static var packageMissing: String {
        localized("Install the package gate-apps to guard apps: `sudo apt install gate-apps`.")
    }

    /// Says how weakly an app is held whose code has to be readable.
    static var handsOnly: String {
        localized("A child who was allowed to start it once can copy it.")
    }

    /// Why it can't be guarded.
    static func reason(_ app: AppFacts) -> String {
        let sentences = app.reasons + [app.problem].filter { !$0.isEmpty }
        return sentences.isEmpty ? localized("Gate does not know how.") : ListText.sentences(sentences)
    }
}
