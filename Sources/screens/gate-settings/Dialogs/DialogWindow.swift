import CGTK
import GateScreens
import GateWindows

/// A small window over the settings: a text, fields or rows, and two buttons. Escape closes it.
@GLibLoop
final class DialogWindow {
    let interface = Interface(PackageResources.dialog_ui)
    private let window: Widget
    /// In pixels, as in dialog.ui.
    private static let width: CInt = 440
    /// In pixels; -1: the height of the content.
    private let height: CInt
    private(set) var isOpen = true
    /// The rows and fields that were added.
    private var added: [Widget] = []
    /// What the button that leaves does; `nil`: it closes the window.
    private var leave: (@GLibLoop () -> Void)?
    private var closed: (@GLibLoop () -> Void)?

    /// - Parameters:
    ///   - button: the label of the button that goes on; `nil`: there is only "Close".
    ///   - height: in pixels. A window whose pages turn keeps one height, so that its buttons stay where they are.
    init(
        over parent: Widget, title: String, text: String, button: String?, height: CInt = -1,
        closed: @escaping @GLibLoop () -> Void
    ) {
        window = interface.widget("window")
        self.height = height
        self.closed = closed
        gtk_window_set_transient_for(UnsafeMutablePointer(window.pointer), UnsafeMutablePointer(parent.pointer))
        adw_window_title_set_title(interface.widget("title").pointer, title)
        gtk_window_set_title(UnsafeMutablePointer(window.pointer), title)
        interface.widget("text").setText(text)
        interface.widget("text").setVisible(!text.isEmpty)
        let cancel = interface.widget("cancel")
        cancel.setLabel(button == nil ? SettingsWords.close : SettingsWords.cancel)
        cancel.on("clicked") { [weak self] in
            guard let self else { return }
            if let leave { leave() } else { close() }
        }
        let done = interface.widget("done")
        done.setLabel(button ?? "")
        done.setVisible(button != nil)
        window.onCloseRequest { [weak self] in self?.close() }
        window.onKey { [weak self] key in
            guard key == UInt32(GDK_KEY_Escape) else { return false }
            self?.close()
            return true
        }
    }

    func add(_ row: Widget) {
        adw_preferences_group_add(UnsafeMutablePointer(interface.widget("fields").pointer), row.widget)
        added.append(row)
    }

    /// Removes the rows and fields, and shows what the next ones are about.
    ///
    /// - Parameters:
    ///   - button: the label of the button that goes on; `nil`: there is none.
    ///   - leave: the label of the other button.
    func turn(toText text: String, button: String?, leave: String) {
        giveUpFocus()
        for row in added {
            adw_preferences_group_remove(UnsafeMutablePointer(interface.widget("fields").pointer), row.widget)
        }
        added = []
        write(text, in: "text")
        interface.widget("cancel").setLabel(leave)
        interface.widget("done").setLabel(button ?? "")
        interface.widget("done").setVisible(button != nil)
        say("")
        hint("")
    }

    /// Adds a field for a secret below the rows.
    func addSecret(_ label: String) -> SecretField {
        let field = SecretField(label, spoken: ScreenWords.typed, capsLock: ScreenWords.capsLock)
        let column = Widget.box(isRow: false, spacing: 6)
        gtk_widget_set_margin_top(column.widget, 12)
        column.append(.label(label))
        column.append(field.widget)
        add(column)
        return field
    }

    func addPicture(_ widget: Widget) {
        interface.widget("picture").append(widget)
        interface.widget("picture").setVisible(true)
    }

    /// Sets what a screen reader says when it comes to the window.
    func describe(_ text: String) { window.setSpoken(description: text) }

    func onDone(_ body: @escaping @GLibLoop () -> Void) { interface.widget("done").on("clicked", body) }

    /// Calls the body when the button that leaves is pressed, instead of closing the window.
    func onLeave(_ body: @escaping @GLibLoop () -> Void) { leave = body }

    func open() { gtk_window_present(UnsafeMutablePointer(window.pointer)) }

    /// Shows what is wrong; an empty text: nothing.
    func say(_ mistake: String) { write(mistake, in: "mistake") }

    /// Shows a hint; an empty text: none.
    func hint(_ text: String) { write(text, in: "hint") }

    /// Gives a button the keyboard: the one that goes on, if it is there.
    func takeFocus() {
        let done = interface.widget("done")
        (gtk_widget_get_visible(done.widget) != 0 ? done : interface.widget("cancel")).takeFocus()
    }

    func setBusy(_ isBusy: Bool) { interface.widget("done").setSensitive(!isBusy) }

    func close() {
        guard isOpen else { return }
        isOpen = false
        giveUpFocus()
        gtk_window_destroy(UnsafeMutablePointer(window.pointer))
        let closed = closed
        self.closed = nil
        closed?()
    }

    /// Takes the keyboard focus from all fields, before they are removed. A field that is removed while it has the
    /// focus is not told that it has lost it.
    private func giveUpFocus() { gtk_window_set_focus(UnsafeMutablePointer(window.pointer), nil) }

    private func write(_ text: String, in label: String) {
        interface.widget(label).setText(text)
        interface.widget(label).setVisible(!text.isEmpty)
        fit()
    }

    /// Gives the window its height: that of its content, if it has none of its own.
    func fit() {
        gtk_window_set_default_size(UnsafeMutablePointer(window.pointer), Self.width, height)
    }
}
