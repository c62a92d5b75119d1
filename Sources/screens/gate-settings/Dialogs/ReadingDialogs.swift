import CGTK
import GateScreens
import GateWindows

/// Rows to read, in a window of their own.
@GLibLoop
struct RowsDialog {
    private let window: DialogWindow
    private let rows: [RowDrawing]

    init(_ title: String, _ rows: [SettingsRow], over parent: Widget, closed: @escaping @GLibLoop () -> Void) {
        window = DialogWindow(over: parent, title: title, text: "", button: nil, closed: closed)
        self.rows = rows.map { RowDrawing($0) { _ in } }
        for row in self.rows { window.add(row.widget) }
        window.open()
    }

    func close() { window.close() }
}

/// The question before an act that can't be undone, or whose consequences have to be seen first.
@GLibLoop
enum ConfirmationDialog {
    static func ask(_ question: SettingsAct.Confirmation, over parent: Widget, yes: @escaping @GLibLoop () -> Void) {
        guard
            let made = adw_message_dialog_new(UnsafeMutablePointer(parent.pointer), question.title, question.text)
        else { preconditionFailure("libadwaita makes no dialogs") }
        let dialog = Widget(made)
        let pointer: UnsafeMutablePointer<AdwMessageDialog> = UnsafeMutablePointer(dialog.pointer)
        adw_message_dialog_add_response(pointer, "cancel", SettingsWords.cancel)
        adw_message_dialog_add_response(pointer, "yes", question.button)
        adw_message_dialog_set_response_appearance(
            pointer, "yes", question.isDestructive ? ADW_RESPONSE_DESTRUCTIVE : ADW_RESPONSE_SUGGESTED)
        adw_message_dialog_set_default_response(pointer, "cancel")
        adw_message_dialog_set_close_response(pointer, "cancel")
        dialog.on("response::yes", yes)
        gtk_window_present(UnsafeMutablePointer(dialog.pointer))
    }
}
