import CGTK
import GateScreens
import GateWindows

/// Keys with digits, for a field that takes digits.
@GLibLoop
struct Keypad {
    let widget: Widget
    let buttons: [Widget]
    /// This key and `finish` are enabled only if the field is not empty.
    private let erase: Widget
    private let finish: Widget

    init(for entry: any TypingTarget, _ done: @escaping @GLibLoop () -> Void) {
        guard let made = gtk_grid_new() else { preconditionFailure("GTK makes no grids") }
        let grid = Widget(made)
        grid.keepLeftToRight()
        gtk_grid_set_row_spacing(UnsafeMutablePointer(grid.pointer), 6)
        gtk_grid_set_column_spacing(UnsafeMutablePointer(grid.pointer), 6)
        gtk_grid_set_column_homogeneous(UnsafeMutablePointer(grid.pointer), 1)
        gtk_widget_set_halign(made, GTK_ALIGN_CENTER)
        var keys = (1...9).map { Self.digit($0, for: entry) }
        let erase = Widget.button("⌫") { entry.eraseBackwards() }
        erase.setSpoken(name: ScreenWords.erase)
        let finish = Widget.button(ScreenWords.done, done)
        finish.add(style: "suggested-action")
        keys += [erase, Self.digit(0, for: entry), finish]
        for (index, key) in keys.enumerated() {
            key.add(style: "key")
            // The field keeps the keyboard focus.
            gtk_widget_set_focus_on_click(key.widget, 0)
            gtk_grid_attach(
                UnsafeMutablePointer(grid.pointer), key.widget, CInt(index % 3), CInt(index / 3), 1, 1)
        }
        widget = grid
        buttons = keys
        (self.erase, self.finish) = (erase, finish)
    }

    /// Disables the keys that can't do anything yet.
    func update(takesAnswer: Bool, isEmpty: Bool) {
        for key in [erase, finish] { key.setSensitive(takesAnswer && !isEmpty) }
    }

    /// A key for a digit. It never gets the keyboard focus, because other programs can read from the accessibility bus
    /// which widget has it. A real keyboard types digits by itself.
    private static func digit(_ digit: Int, for entry: any TypingTarget) -> Widget {
        let button = Widget.button(String(digit)) { entry.type(String(digit)) }
        gtk_widget_set_focusable(button.widget, 0)
        return button
    }
}
