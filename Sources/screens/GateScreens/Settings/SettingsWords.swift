import GateTexts

/// The texts of gate-settings' window, apart from its pages.
package enum SettingsWords {
    package static var title: String { localized("Gate's settings") }
    /// The button that leads back to the list of pages in a narrow window.
    package static var back: String { localized("Back") }
    /// The button that closes a notice or a dialog.
    package static var close: String { localized("Close") }
    package static var cancel: String { localized("Cancel") }
    /// The text above the QR code of an authenticator.
    package static var scan: String {
        localized("Scan this with the authenticator on your phone, or type the key into it.")
    }
    /// The name of that QR code, for a screen reader.
    package static var keyAsCode: String { localized("The key, as a code for a phone") }
    /// The name of the key in letters, for a screen reader.
    package static var keyInLetters: String { localized("The key, in letters") }
    /// Tells a screen reader's user why the key is not spoken, and what to do instead.
    package static var keyIsNotSpoken: String {
        localized(
            "The key is not spoken: every program of the session could read it. On a text console, “sudo gatectl totp enrol” says it."
        )
    }
    package static func key(_ key: String) -> String { localized("Key: {key}", ["key": key]) }
    /// The field for the authenticator's code.
    package static var code: String { localized("The six digits that it shows now") }
    package static var wrongCode: String {
        localized("That is not its code. Is the clock of the phone right? Wait for the next code.")
    }
    package static var setUpAuthenticator: String { localized("Set up an authenticator") }
    package static var setUp: String { localized("Set up") }
    /// The title above the content of a response.
    package static func response(_ id: UInt64) -> String { localized("Response {number}", ["number": "\(id)"]) }

    package static func title(of page: SettingsPage.ID) -> String {
        switch page {
        case .padlock: localized("Padlock")
        case .questions: localized("Questions")
        case .time: localized("Time")
        case .apps: localized("Apps")
        case .ages: localized("Age ranges")
        case .devices: localized("Devices")
        case .gates: localized("Gates")
        case .people: localized("People")
        case .purchases: localized("Purchases")
        case .forms: localized("Forms")
        case .lockouts: localized("Wrong answers")
        case .journal: localized("Journal")
        case .secrets: localized("Passcode")
        case .policy: localized("Rules")
        }
    }

    /// The name of an icon that each desktop has.
    package static func icon(of page: SettingsPage.ID) -> String {
        switch page {
        case .padlock: "system-lock-screen-symbolic"
        case .questions: "dialog-question-symbolic"
        case .time: "alarm-symbolic"
        case .apps: "view-app-grid-symbolic"
        case .ages: "x-office-calendar-symbolic"
        case .devices: "computer-symbolic"
        case .gates: "security-high-symbolic"
        case .people: "system-users-symbolic"
        case .purchases: "starred-symbolic"
        case .forms: "document-edit-symbolic"
        case .lockouts: "dialog-warning-symbolic"
        case .journal: "document-open-recent-symbolic"
        case .secrets: "dialog-password-symbolic"
        case .policy: "emblem-documents-symbolic"
        }
    }

    /// What a screen reader adds to a page's name in the list. Empty if nothing waits there.
    package static func waiting(_ count: Int) -> String {
        count == 0 ? "" : localized("{count} question waits", plural: "{count} questions wait", count: count)
    }

    /// A single row that says that there is nothing.
    static func none(_ text: String) -> [SettingsRow] { [SettingsRow("none", text)] }
}

extension Known {
    /// The rows for the value, or for why it is missing; `nil` if it is not known yet or not for this user.
    ///
    /// - Parameter none: the text of the row if there are no others.
    func rows(orNone none: String, _ rows: (Value) -> [SettingsRow]) -> [SettingsRow]? {
        switch self {
        case .forbidden, .notYet: return nil
        case .failed(let reason): return [SettingsRow("failed", reason)]
        case .known(let value):
            let rows = rows(value)
            return rows.isEmpty ? SettingsWords.none(none) : rows
        }
    }
}
