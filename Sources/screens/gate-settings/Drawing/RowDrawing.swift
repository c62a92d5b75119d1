import CGTK
import GateScreens
import GateWindows

/// A row of a page: its texts, its buttons, and the rows that unfold below it.
@GLibLoop
final class RowDrawing {
    let widget: Widget
    private let pressed: @GLibLoop (SettingsAct) -> Void
    private var row: SettingsRow
    private var buttons: [Widget] = []
    private var details: [RowDrawing] = []

    init(_ row: SettingsRow, _ pressed: @escaping @GLibLoop (SettingsAct) -> Void) {
        self.row = row
        self.pressed = pressed
        guard let made = row.details.isEmpty ? adw_action_row_new() : adw_expander_row_new() else {
            preconditionFailure("libadwaita makes no rows")
        }
        widget = Widget(made)
        // Words that Gate did not write are never markup. Has to be set before there is a text.
        adw_preferences_row_set_use_markup(UnsafeMutablePointer(widget.pointer), 0)
        if let icon = row.appIcon {
            let picture = Widget.appIcon(icon)
            if row.details.isEmpty {
                adw_action_row_add_prefix(UnsafeMutablePointer(widget.pointer), picture.widget)
            } else {
                adw_expander_row_add_prefix(UnsafeMutablePointer(widget.pointer), picture.widget)
            }
        }
        for (place, button) in row.buttons.enumerated() {
            let made = Widget.button(button.title) { [weak self] in self?.press(place) }
            gtk_widget_set_valign(made.widget, GTK_ALIGN_CENTER)
            buttons.append(made)
            if row.details.isEmpty {
                adw_action_row_add_suffix(UnsafeMutablePointer(widget.pointer), made.widget)
            } else {
                adw_expander_row_add_action(UnsafeMutablePointer(widget.pointer), made.widget)
            }
        }
        write()
        addDetails(from: 0)
    }

    /// Whether this drawing can show the other row with the same widget.
    func fits(_ other: SettingsRow) -> Bool {
        row.id == other.id && row.buttons.count == other.buttons.count && row.details.isEmpty == other.details.isEmpty
            && row.appIcon == other.appIcon
    }

    func show(_ other: SettingsRow) {
        guard other != row else { return }
        row = other
        write()
        let kept = zip(details, row.details).prefix { $0.fits($1) }.count
        for drawing in details[kept...] {
            adw_expander_row_remove(UnsafeMutablePointer(widget.pointer), drawing.widget.widget)
        }
        details.removeSubrange(kept...)
        for (drawing, detail) in zip(details, row.details) { drawing.show(detail) }
        addDetails(from: kept)
    }

    var hasFocus: Bool { widget.hasFocus }

    var id: String { row.id }

    func takeFocus() { (buttons.first ?? widget).takeFocus() }

    private func addDetails(from start: Int) {
        for detail in row.details[start...] {
            let drawing = RowDrawing(detail, pressed)
            adw_expander_row_add_row(UnsafeMutablePointer(widget.pointer), drawing.widget.widget)
            details.append(drawing)
        }
    }

    private func press(_ place: Int) {
        guard row.buttons.indices.contains(place) else { return }
        pressed(row.buttons[place].act)
    }

    private func write() {
        adw_preferences_row_set_title(UnsafeMutablePointer(widget.pointer), row.title)
        if row.details.isEmpty {
            adw_action_row_set_subtitle(UnsafeMutablePointer(widget.pointer), row.text)
            // The row's name for screen readers is its title already.
            widget.setSpoken(description: row.text)
            let symbol: String? = if case .symbol(let name)? = row.icon { name } else { nil }
            adw_action_row_set_icon_name(UnsafeMutablePointer(widget.pointer), symbol)
        } else {
            adw_expander_row_set_subtitle(UnsafeMutablePointer(widget.pointer), row.text)
        }
        for (drawn, button) in zip(buttons, row.buttons) { drawn.draw(button) }
    }
}

extension SettingsRow {
    /// The icon of the app that the row is about; `nil` if it is about none.
    fileprivate var appIcon: String? { if case .app(let icon)? = icon { icon } else { nil } }
}

extension Widget {
    /// Draws everything about a button that can change.
    func draw(_ button: SettingsButton) {
        setLabel(button.title)
        setSpoken(name: button.spoken)
        setSensitive(button.isEnabled)
        for (look, style) in [
            (SettingsButton.Look.suggested, "suggested-action"), (.destructive, "removing"),
        ] {
            if button.look == look { add(style: style) } else { remove(style: style) }
        }
    }
}
