import CGTK
import GateScreens
import GateTexts
import GateWindows

/// A keyboard on the screen for the fields of a question. It types into the field that had the focus last.
@GLibLoop
final class OnScreenKeyboard {
    let widget = Widget.box(isRow: false, spacing: 4)
    var keys: [Widget] { buttons.flatMap(\.self) }
    private let fields: [WordField]
    private var machine = KeyboardStateMachine(layout: .first(for: Localization.languages.first))
    /// A button for each position that a key can have. The machine decides which key it is.
    private var buttons: [[Widget]] = []
    private var current: WordField

    init?(for fields: [WordField]) {
        guard let first = fields.first else { return nil }
        self.fields = fields
        current = first
        for (row, keys) in machine.rows.enumerated() {
            let line = Widget.box(isRow: true, spacing: 4)
            gtk_widget_set_halign(line.widget, GTK_ALIGN_CENTER)
            let places = row == machine.rows.count - 1 ? keys.count : Self.longestRow
            buttons.append((0..<places).map { column in key(row, column) })
            for button in buttons[row] { line.append(button) }
            widget.append(line)
        }
        widget.keepLeftToRight()
        update()
    }

    private static let longestRow = 12

    private func key(_ row: Int, _ column: Int) -> Widget {
        let button = Widget.button("") { [weak self] in self?.pressed(row, column) }
        button.add(style: "letter")
        // The field keeps the keyboard focus, and Tab does not stop at forty keys.
        gtk_widget_set_focusable(button.widget, 0)
        gtk_widget_set_focus_on_click(button.widget, 0)
        return button
    }

    private func pressed(_ row: Int, _ column: Int) {
        guard machine.rows[row].indices.contains(column) else { return }
        if let field = fields.first(where: { $0.entry.hasFocus }) { current = field }
        let wasShifted = machine.isShifted
        switch machine.pressed(machine.rows[row][column]) {
        case .type(let text):
            current.entry.type(text)
            if wasShifted != machine.isShifted { update() }
        case .erase: current.entry.eraseBackwards()
        case .enter: current.entered()
        case .changed: update()
        }
    }

    private func update() {
        for (keys, buttons) in zip(machine.rows, buttons) {
            for (column, button) in buttons.enumerated() {
                button.setVisible(column < keys.count)
                guard column < keys.count else { continue }
                button.setLabel(machine.label(of: keys[column]))
                let width: CInt =
                    switch keys[column] {
                    case .character: 44
                    case .shift, .erase, .signs, .layout, .enter: 64
                    case .space: 160
                    }
                gtk_widget_set_size_request(button.widget, width, 44)
                button.setSpoken(name: spoken(keys[column]))
            }
        }
    }

    private func spoken(_ key: KeyboardStateMachine.Key) -> String {
        switch key {
        case .character(let character): character
        case .shift: ScreenWords.shift
        case .erase: ScreenWords.erase
        case .space: ScreenWords.space
        case .enter: ScreenWords.enter
        case .signs: machine.label(of: key)
        case .layout: ListText.pair(ScreenWords.alphabet, machine.layout.label)
        }
    }
}
