import GateModel
import GateTexts

extension SettingsFacts {
    func secretsGroups() -> [SettingsGroup] {
        guard
            let passcode = secrets.rows(
                orNone: "", { [row("passcode", localized("Passcode"), isSet: $0.contains(.passcode))] }),
            let authenticator = secrets.rows(
                orNone: "", { [row("totp", localized("Authenticator"), isSet: $0.contains(.totp))] })
        else { return [] }
        let kinds = secrets.value ?? []
        let set = SettingsButton(
            kinds.contains(.passcode) ? localized("Change the passcode") : localized("Set the passcode"),
            .open(.passcode), look: kinds.contains(.passcode) ? .plain : .suggested)
        let enrol = SettingsButton(
            kinds.contains(.totp) ? localized("Replace the authenticator") : localized("Set up an authenticator"),
            .enrolAuthenticator)
        let remove = { (title: String, kind: SecretKind) in
            kinds.contains(kind) ? [SettingsButton(title, .removeSecret(kind), look: .destructive)] : []
        }
        return [
            SettingsGroup(
                "passcode", text: localized("The passcode is a secret that grown-ups know and children do not."),
                rows: passcode, buttons: [set] + remove(localized("Remove the passcode"), .passcode)),
            SettingsGroup(
                "totp", text: localized("An authenticator is an app on a parent's phone that shows changing codes."),
                rows: authenticator, buttons: [enrol] + remove(localized("Remove the authenticator"), .totp)),
            SettingsGroup(
                "setup",
                text: localized(
                    "Who is who, the passcode, links, installing and Gate's own screen, in a few questions. Nothing is changed until you agree at the end."
                ), buttons: [Self.setUpButton]),
        ]
    }

    private func row(_ id: String, _ title: String, isSet: Bool) -> SettingsRow {
        SettingsRow(id, title, isSet ? localized("It is set up.") : localized("It is not set up."))
    }
}
