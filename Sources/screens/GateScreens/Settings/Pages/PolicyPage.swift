import GateModel
import GateTexts

extension SettingsFacts {
    func policyGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        switch policy {
        case .forbidden, .notYet: return []
        case .failed(let reason): return [SettingsGroup("policy", rows: [SettingsRow("failed", reason)])]
        case .known(let policy):
            let files =
                policy.summary.files.isEmpty
                ? SettingsWords.none(
                    localized("There are no files with rules. The built-in rules apply."))
                : policy.summary.files.map { SettingsRow($0, $0) }
            var groups = [
                SettingsGroup("mode", title: localized("Parent mode"), rows: PolicyWords.modeRows(policy.summary)),
                oddsGroup(policy, moment), holdersGroup(policy.summary),
                SettingsGroup("files", title: localized("Where this is written"), rows: files),
            ]
            if isAdministrator == true {
                groups[groups.count - 1].buttons = [SettingsButton(localized("Reload the rules"), .reloadPolicy)]
            }
            return groups
        }
    }

    private func oddsGroup(_ policy: PolicyFacts, _ moment: SettingsMoment) -> SettingsGroup {
        let title = localized("How safe the gates are")
        switch policy.odds {
        case .unreadable:
            let text = localized(
                "Only administrators see how easily each gate is guessed: here, or with `sudo gatectl policy check`."
            )
            return SettingsGroup("odds", title: title, text: text)
        case .outdated:
            let text = localized(
                "The files have changed since Gate read them. Reload the rules to see how safe the gates are."
            )
            return SettingsGroup("odds", title: title, text: text)
        case .known(let odds):
            let text = localized(
                "How likely somebody gets through who guesses for an hour. A passcode counts as four digits. A question that a program can answer still keeps children out."
            )
            return SettingsGroup("odds", title: title, text: text, rows: odds.map { row($0, moment) })
        }
    }

    private func row(_ odds: GateOdds, _ moment: SettingsMoment) -> SettingsRow {
        let gate = gates.value?.first { $0.summary.name == odds.gatedAction }?.summary
        let name = odds.gatedAction ?? localized("Parent mode")
        var lines = [text(odds.requirement, moment)]
        if let guessed = odds.guessed {
            let chance = OddsWords.chance(guessed)
            lines.append(
                odds.ages.isEmpty
                    ? localized("Guessed within an hour: {chance}.", ["chance": chance])
                    : localized(
                        "Guessed within an hour: {chance}, at the age of {ages}.",
                        ["chance": chance, "ages": OddsWords.ages(odds.ages)]))
        } else {
            lines.append(GateSentences.nothingToGuess)
        }
        if odds.guessed != nil, odds.programPasses { lines.append(localized("A program gets through.")) }
        if odds.guessed.map(OddsWords.Chance.init) == .always { lines.append(GateSentences.passcodeIsSafer) }
        return SettingsRow(
            odds.gatedAction ?? "mode",
            gate.map { $0.title.isEmpty ? name : $0.titles.text(for: moment.languages) } ?? name,
            lines.joined(separator: "\n"))
    }

    /// What a gate requires, each alternative and each age on a line of its own.
    func text(_ requirement: Requirement, _ moment: SettingsMoment) -> String {
        switch requirement {
        case .parentMode: return localized("Parent mode")
        case .signedIn: return localized("Somebody is signed in")
        case .entitlement(let name):
            return localized("Paid for: {title}", ["title": title(ofEntitlement: name, moment)])
        case .form(let name): return localized("{title} is filled in", ["title": title(ofForm: name, moment)])
        case .during(let schedule): return ScheduleWords.text(schedule)
        case .allowance: return RequirementWords(requirement).text()
        case .challenge(let rule):
            guard rule.bands.count > 1 else {
                return rule.bands.first.map { ChallengeWords.subject($0.challenge.kind) } ?? ""
            }
            return rule.bands.map { band in
                fromAge(band.ages.lowerBound, ChallengeWords.subject(band.challenge.kind))
            }.joined(separator: "\n")
        case .all(let parts): return parts.map { text($0, moment) }.joined(separator: "\n+ ")
        case .any(let parts): return parts.map { text($0, moment) }.joined(separator: "\n" + localized("or") + " ")
        }
    }

    /// The title that people read, or the name if it has none.
    func title(ofEntitlement name: String, _ moment: SettingsMoment) -> String {
        let title = entitlements.entitlements.first { $0.id == name }?.titles.text(for: moment.languages) ?? ""
        return title.isEmpty ? name : title
    }

    /// The title that people read, or the name if it has none.
    func title(ofForm name: String, _ moment: SettingsMoment) -> String {
        let title = forms.value?.first { $0.name == name }?.titles.text(for: moment.languages) ?? ""
        return title.isEmpty ? name : title
    }

    private func holdersGroup(_ summary: PolicySummary) -> SettingsGroup {
        let rows = summary.roles.filter { $0.userCount + $0.groupCount > 0 }.map { holders in
            SettingsRow("\(holders.role)", PolicyWords.role(holders.role), PolicyWords.names(of: holders))
        }
        return SettingsGroup(
            "roles", title: localized("Who may do what"),
            rows: rows.isEmpty ? SettingsWords.none(localized("Nobody but the system's administrator.")) : rows)
    }
}

extension PolicyWords {
    static func modeRows(_ summary: PolicySummary) -> [SettingsRow] {
        let questions = summary.modeChallenges.map { rule in
            let kind =
                rule.challenge.map(ChallengeWords.subject) ?? localized("A question that this version does not know")
            guard summary.modeChallenges.count > 1 else { return kind }
            return fromAge(rule.fromAge, kind)
        }
        return [
            SettingsRow("question", localized("Question"), questions.joined(separator: "\n")),
            SettingsRow("lease", localized("How long"), lease(summary)),
            SettingsRow("answer", localized("Time for an answer"), DurationWords.text(summary.answerTime)),
            SettingsRow("lockout", localized("Wrong answers"), lockout(summary.lockout)),
            SettingsRow("sign-in", localized("Signing in"), signIn(summary.signIn)),
        ]
    }
}

/// The question for people of that age or older.
private func fromAge(_ years: Int, _ question: String) -> String {
    localized(
        "From {count} year: {question}", plural: "From {count} years: {question}", count: years, ["question": question])
}
