import CGTK
package import GateModel
import Glibc

/// A field into which keys on the screen type.
@GLibLoop
package protocol TypingTarget {
    var hasFocus: Bool { get }
    func type(_ text: String)
    /// Deletes the character before the cursor.
    func eraseBackwards()
}

extension Widget: TypingTarget {}

/// A field for a secret, with a dot for each character. It is not one of GTK's fields, because those give the typed
/// text, even that of passwords, to every program on the session's accessibility bus, and to the desktop's input
/// method. This one tells only how many characters were typed, and nothing in it can be selected, copied or pasted.
@GLibLoop
package final class SecretField: TypingTarget {
    package let widget: Widget
    private let interface = Interface(PackageResources.secret_field_ui)
    private let typed = TypedSecret()
    private let spoken: @GLibLoop (_ count: Int) -> String
    private var changed: @GLibLoop () -> Void = {}
    private var entered: @GLibLoop () -> Void = {}

    /// A screen reader says `name`, and `spoken` of the number of characters. `words` say that Caps Lock is on.
    package init(_ name: String, spoken: @escaping @GLibLoop (_ count: Int) -> String, capsLock words: String) {
        self.spoken = spoken
        widget = interface.widget("field")
        typed.withPlace { _ = mlock($0.baseAddress, $0.count) }
        widget.setSpoken(name: name)
        let capsLock = interface.widget("caps-lock")
        capsLock.setSpoken(name: words)
        gtk_widget_set_tooltip_text(capsLock.widget, words)
        gtk_widget_set_cursor_from_name(widget.widget, "text")
        widget.onTyping(
            text: { [weak self] in self?.type($0) },
            key: { [weak self] key, isWithControl in self?.pressed(CInt(key), isWithControl) ?? false })
        let field = widget
        widget.onPress(began: { field.takeFocus() }, ended: {})
        // When the screen is removed, the typed characters are too.
        widget.on("unmap") { [weak self] in self?.clear() }
        widget.on("notify::has-focus") { [weak self] in self?.updateCapsLock() }
        if let keyboard { widget.on("notify::caps-lock-state", of: keyboard) { [weak self] in self?.updateCapsLock() } }
        update()
    }

    isolated deinit {
        typed.clear()
        typed.withPlace { _ = munlock($0.baseAddress, $0.count) }
    }

    package var hasFocus: Bool { widget.hasFocus }
    package var count: Int { typed.count }
    package func takeFocus() { widget.takeFocus() }

    package func onChanged(_ body: @escaping @GLibLoop () -> Void) { changed = body }
    package func onEntered(_ body: @escaping @GLibLoop () -> Void) { entered = body }

    package func type(_ text: String) {
        if !typed.append(text) { gtk_widget_error_bell(widget.widget) }
        update()
    }

    package func eraseBackwards() {
        typed.eraseBackwards()
        update()
    }

    /// Returns what was typed, and empties the field.
    package func take() -> GateSecret {
        defer { update() }
        return typed.take()
    }

    private func clear() {
        typed.clear()
        update()
    }

    /// Handles a key that types no text, and returns whether it did.
    private func pressed(_ key: CInt, _ isWithControl: Bool) -> Bool {
        switch (key, isWithControl) {
        case (GDK_KEY_Return, false), (GDK_KEY_KP_Enter, false), (GDK_KEY_ISO_Enter, false): entered()
        case (GDK_KEY_BackSpace, false): eraseBackwards()
        case (GDK_KEY_BackSpace, true), (GDK_KEY_u, true), (GDK_KEY_U, true): clear()
        case _: return false
        }
        return true
    }

    private func update() {
        interface.widget("dots").setText(String(repeating: "•", count: typed.count))
        widget.setSpoken(description: spoken(typed.count))
        changed()
    }

    private var keyboard: OpaquePointer? {
        gdk_display_get_default_seat(gtk_widget_get_display(widget.widget)).flatMap { gdk_seat_get_keyboard($0) }
    }

    private func updateCapsLock() {
        let isOn = keyboard.map { gdk_device_get_caps_lock_state($0) != 0 } ?? false
        interface.widget("caps-lock").setVisible(isOn && widget.hasFocus)
    }
}
