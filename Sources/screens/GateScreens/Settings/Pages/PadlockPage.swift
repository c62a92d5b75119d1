import GateModel
import GateTexts

extension SettingsFacts {
    static var setUpButton: SettingsButton { SettingsButton(AssistantWords.title, .setUp) }

    func padlockGroups(_ moment: SettingsMoment) -> [SettingsGroup] {
        let until = mode.deadline.map { localized("until {time}", ["time": moment.text($0)]) } ?? ""
        let row: SettingsRow
        let buttons: [SettingsButton]
        switch mode.mode {
        case .child:
            row = SettingsRow(
                "mode", localized("Child mode"), localized("Parent mode is off."),
                icon: .symbol("changes-prevent-symbolic"))
            buttons = [SettingsButton(localized("Enter parent mode"), .enterParentMode, look: .suggested)]
        case .verifying:
            row = SettingsRow(
                "mode", localized("A grown-up is being asked"), until, icon: .symbol("changes-prevent-symbolic"))
            buttons = [SettingsButton(localized("Cancel the question"), .takeBack)]
        case .parent:
            row = SettingsRow("mode", localized("Parent mode"), until, icon: .symbol("changes-allow-symbolic"))
            buttons = [
                SettingsButton(localized("Lock now"), .lock, look: .suggested),
                SettingsButton(localized("More time"), spoken: localized("More time in parent mode"), .extend),
            ]
        }
        let padlock = SettingsGroup("mode", rows: [row], buttons: buttons)
        guard isAdministrator == false else { return [padlock] }
        let text = localized(
            "Administrators also see wrong answers and the journal here, and can set the passcode. Join the group gate-admin, or run `sudo gatectl setup`."
        )
        return [padlock, SettingsGroup("more", text: text, buttons: [Self.setUpButton])]
    }
}
