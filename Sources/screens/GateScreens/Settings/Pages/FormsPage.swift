import GateModel
import GateTexts

extension SettingsFacts {
    func formsGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        var groups: [SettingsGroup] = []
        if let rows = forms.rows(orNone: localized("The device has no forms."), { $0.map(row) }) {
            groups.append(SettingsGroup("forms", title: localized("Forms"), rows: rows))
        }
        if !drafts.isEmpty {
            groups.append(
                SettingsGroup(
                    "drafts", title: localized("Being filled in"),
                    rows: drafts.map { draft in
                        let holder = DraftWords.holder(draft.holder, moment)
                        return SettingsRow(
                            "\(draft.name) \(draft.draftID) \(holder)", title(draft.name),
                            DraftWords.label(draft.label) + holder)
                    }))
        }
        if let rows = responses.rows(
            orNone: localized("There are no responses."), { $0.reversed().map { row($0, moment) } })
        {
            groups.append(SettingsGroup("responses", title: localized("Responses"), rows: rows))
        }
        return groups
    }

    private func title(_ name: String) -> String {
        let title = forms.value?.first { $0.name == name }?.titles.ofPerson ?? ""
        return title.isEmpty ? name : title
    }

    private func row(_ form: QuestionnaireSummary) -> SettingsRow {
        let count = localized("{count} question", plural: "{count} questions", count: form.itemCount)
        let text = form.isForGrownUps ? ListText.facts([count, localized("for grown-ups")]) : count
        let title = form.title.isEmpty ? form.name : form.titles.ofPerson
        let button = SettingsButton(
            localized("Fill in"), spoken: localized("Fill in {name}", ["name": title]), .requestForm(form.name))
        return SettingsRow(form.name, title, text, buttons: [button])
    }

    private func row(_ response: ResponseSummary, _ moment: SettingsMoment) -> SettingsRow {
        let name = localized("Response {number}", ["number": "\(response.id)"])
        let lines = [
            ListText.facts([DraftWords.status(response.status), moment.text(response.savedAt)]),
            DraftWords.label(response.label) + DraftWords.holder(response.holder, moment),
        ]
        var buttons = [
            SettingsButton(
                localized("Read"), spoken: localized("Read {name}", ["name": name]), .showResponse(response.id))
        ]
        if response.status != .enteredInError {
            buttons.append(
                SettingsButton(
                    localized("Withdraw"), spoken: localized("Withdraw {name}", ["name": name]),
                    .withdrawResponse(response.id), look: .destructive))
        }
        let details = buttons.map { SettingsRow($0.title, $0.spoken, buttons: [$0]) }
        return SettingsRow("\(response.id)", title(response.name), lines.joined(separator: "\n"), details: details)
    }
}

enum DraftWords {
    static func status(_ status: QuestionnaireResponse.Status) -> String {
        switch status {
        case .inProgress: localized("Saved, not completed")
        case .completed: localized("Completed")
        case .amended: localized("Changed after it was completed")
        case .enteredInError: localized("Withdrawn")
        case .stopped: localized("Given up")
        }
    }

    /// The label of a draft or response, as a line above its holder. Empty if it has no label.
    static func label(_ label: String) -> String { label.isEmpty ? "" : "\(label)\n" }

    static func holder(_ holder: FormHolder, _ moment: SettingsMoment) -> String {
        switch holder.kind {
        case .account(let name): localized("by {name}", ["name": name])
        case .user(let uid): localized("by {name}", ["name": moment.user(uid)])
        }
    }
}
