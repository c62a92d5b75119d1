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
    private var rows: FieldRows?
    private var isBusy = false

    /// - Parameters:
    ///   - left: called when the dialog's further button was pressed, which leads on without what was filled in.
    ///   - send: asks the daemon to do what was filled in. Returns why it was refused; `nil`: it is done.
    init(
        _ dialog: SettingsDialog, over parent: Widget, closed: @escaping @GLibLoop () -> Void,
        left: @escaping @GLibLoop (SettingsAct) -> Void,
        send: @escaping @GLibLoop (SettingsDialog.Request) async -> GateError?
    ) {
        self.dialog = dialog
        self.send = send
        window = DialogWindow(
            over: parent, title: dialog.title, text: dialog.text, button: dialog.button, closed: closed)
        let rows = FieldRows(
            dialog.fields, dialog.initial(), in: window, shows: dialog.shows, entered: { [weak self] in self?.done() })
        self.rows = rows
        if let further = dialog.furtherButton {
            let button = Widget.button(further.title) { [weak self] in
                if self?.isBusy == false { left(further.act) }
            }
            button.draw(further)
            gtk_widget_set_margin_top(button.widget, 12)
            window.add(button)
        }
        if dialog == .passcode, let secret = rows.secrets[.newPassword] { window.weigh(secret) }
        window.onDone { [weak self] in self?.done() }
        window.open()
        rows.takeFocus()
    }

    func close() { window.close() }

    private func done() {
        guard !isBusy, let rows else { return }
        do throws(SettingsDialog.Mistake) {
            let request = try dialog.request(rows.taken())
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
        rows?.takeFocusAgain()
    }

    private func setBusy(_ isBusy: Bool) {
        self.isBusy = isBusy
        if window.isOpen { window.setBusy(isBusy) }
    }
}

extension DialogWindow {
    /// Says how safe a short passcode is while it is typed. Only its length is looked at.
    func weigh(_ secret: SecretField) {
        let odds = { GuessingOdds.probabilityEver(ofPasscodeWithDigits: $0) }
        secret.onChanged { [weak self, weak secret] in
            let count = secret?.count ?? 0
            self?.hint(
                (4..<6).contains(count) ? OddsWords.worth(ofDigits: count, odds: odds(count), better: odds(6)) : "")
        }
    }
}
