import CGTK
import GateCore
import GateModel
import GateScreens
import GateTexts
import GateWindows

/// A dialog with fields. It closes when the daemon has accepted what was filled in.
@GLibLoop
final class FieldsDialog {
    private let dialog: SettingsDialog
    private let window: DialogWindow
    private let send: @GLibLoop (SettingsDialog.Request) async -> GateError?
    private var texts: [SettingsDialog.Key: Widget] = [:]
    private var secrets: [SettingsDialog.Key: SecretField] = [:]
    private var choices: [SettingsDialog.Key: (widget: Widget, values: [String])] = [:]
    private var isBusy = false

    /// - Parameter send: asks the daemon to do it; `nil` if the daemon has done it.
    init(
        _ dialog: SettingsDialog, over parent: Widget, closed: @escaping @GLibLoop () -> Void,
        send: @escaping @GLibLoop (SettingsDialog.Request) async -> GateError?
    ) {
        self.dialog = dialog
        self.send = send
        window = DialogWindow(
            over: parent, title: dialog.title, text: dialog.text, button: dialog.button, closed: closed)
        let rows = dialog.fields.map(add)
        for (key, text) in dialog.initial() {
            texts[key]?.setEntryText(text)
            if let (row, values) = choices[key], let place = values.firstIndex(of: text) {
                adw_combo_row_set_selected(UnsafeMutablePointer(row.pointer), guint(place))
            }
        }
        for row in texts.values { row.on("entry-activated") { [weak self] in self?.done() } }
        window.onDone { [weak self] in self?.done() }
        window.open()
        rows.first?.takeFocus()
    }

    func close() { window.close() }

    private func add(_ field: SettingsDialog.Field) -> Widget {
        let row: Widget
        switch field {
        case .text(let key, let label, let hint):
            row = Self.row(adw_entry_row_new(), hint.isEmpty ? label : ListText.noted(label, hint))
            texts[key] = row
        case .secret(let key, let label):
            let secret = window.addSecret(label)
            secrets[key] = secret
            secret.onEntered { [weak self] in self?.done() }
            if dialog == .passcode, key == .newPassword {
                secret.onChanged { [weak self, weak secret] in self?.weigh(secret?.count ?? 0) }
            }
            return secret.widget
        case .choice(let key, let label, let choices):
            row = Self.row(adw_combo_row_new(), label)
            let model = gtk_string_list_new(nil)
            for choice in choices { gtk_string_list_append(model, choice.title) }
            adw_combo_row_set_model(UnsafeMutablePointer(row.pointer), model)
            g_object_unref(model.map { UnsafeMutableRawPointer($0) })
            self.choices[key] = (row, choices.map(\.name))
        }
        window.add(row)
        return row
    }

    private static func row(_ made: UnsafeMutablePointer<GtkWidget>?, _ label: String) -> Widget {
        guard let made else { preconditionFailure("libadwaita makes no rows") }
        let row = Widget(made)
        adw_preferences_row_set_use_markup(UnsafeMutablePointer(row.pointer), 0)
        adw_preferences_row_set_title(UnsafeMutablePointer(row.pointer), label)
        row.setSpoken(name: label)
        // The keyboard focus is in the row's inner field, so that needs the name too.
        row.innerField?.setSpoken(name: label)
        return row
    }

    /// Says how safe a short passcode is. Only its length is looked at.
    private func weigh(_ count: Int) {
        let odds = { GuessingOdds.probabilityEver(ofPasscodeWithDigits: $0) }
        window.hint(
            (4..<6).contains(count) ? OddsWords.worth(ofDigits: count, odds: odds(count), better: odds(6)) : "")
    }

    private func done() {
        guard !isBusy else { return }
        var filled = SettingsDialog.Filled(texts: texts.mapValues(\.text))
        for (key, choice) in choices {
            let place = Int(adw_combo_row_get_selected(UnsafeMutablePointer(choice.widget.pointer)))
            if choice.values.indices.contains(place) { filled.texts[key] = choice.values[place] }
        }
        filled.secrets = secrets.mapValues { $0.take() }
        do throws(SettingsDialog.Mistake) {
            let request = try dialog.request(filled)
            setBusy(true)
            Task { [self] in
                let error = await send(request)
                setBusy(false)
                if let error { say(RefusalText.sentence(error)) } else { close() }
            }
        } catch {
            say(error.text)
        }
    }

    private func say(_ mistake: String) {
        guard window.isOpen else { return }
        window.say(mistake)
        // Reading the secrets has emptied their fields, so the first of them has to be filled in again.
        dialog.fields.lazy.compactMap { [secrets] field in
            if case .secret(let key, _) = field { secrets[key] } else { nil }
        }.first?.takeFocus()
    }

    private func setBusy(_ isBusy: Bool) {
        self.isBusy = isBusy
        if window.isOpen { window.setBusy(isBusy) }
    }
}

extension Widget {
    /// The text field inside of this row; `nil` if it has none.
    fileprivate var innerField: Widget? {
        let isEditable = g_type_check_instance_is_a(
            UnsafeMutablePointer<GTypeInstance>(pointer), gtk_editable_get_type())
        guard isEditable != 0 else { return nil }
        return gtk_editable_get_delegate(pointer).map { Widget($0) }
    }
}
