import CGTK
import GateScreens
import GateWindows

/// A sum with a large operator, and a large button for each choice.
@GLibLoop
struct SumBody: QuestionBody {
    private let interface = Interface(PackageResources.sum_ui)
    let controls: [Widget]
    var widget: Widget { interface.widget("root") }

    init(_ sum: ScreenModel.Sum, choices: [String], _ told: @escaping @GLibLoop (ScreenInput) -> Void) {
        interface.show(sum)
        controls = interface.widget("choices").appendChoices(choices, told)
    }

    func update(_ picture: ScreenModel) {}

    /// No choice gets the focus, because a key may still be meant for another window. Tab leads to the first.
    func takeFocus() {}
}

/// A sum with a large operator, and a field for the result.
@GLibLoop
final class TypedSumBody: QuestionBody {
    private let interface = Interface(PackageResources.sum_ui)
    private let entry: Widget
    private let keypad: Keypad
    private var takesAnswer = false
    var controls: [Widget] { [entry] + keypad.buttons }
    var widget: Widget { interface.widget("root") }

    init(_ sum: ScreenModel.Sum, _ told: @escaping @GLibLoop (ScreenInput) -> Void) {
        interface.show(sum)
        guard let made = gtk_entry_new() else { preconditionFailure("GTK makes no entries") }
        let entry = Widget(made)
        gtk_entry_set_max_length(UnsafeMutablePointer(entry.pointer), 12)
        gtk_entry_set_input_purpose(UnsafeMutablePointer(entry.pointer), GTK_INPUT_PURPOSE_DIGITS)
        gtk_editable_set_alignment(entry.pointer, 0.5)
        entry.add(style: "typed")
        entry.setSpoken(name: sum.spoken)
        let done: @GLibLoop () -> Void = { told(.typed(entry.text)) }
        entry.on("activate", done)
        keypad = Keypad(for: entry, done)
        let column = Widget.box(isRow: false, spacing: 12)
        gtk_widget_set_hexpand(column.widget, 1)
        column.append(entry)
        column.append(keypad.widget)
        interface.widget("choices").append(column)
        self.entry = entry
        entry.on("changed") { [weak self] in self?.updateKeypad() }
    }

    func update(_ picture: ScreenModel) {
        takesAnswer = picture.takesAnswer && picture.opening.isEmpty
        updateKeypad()
    }

    func takeFocus() { entry.takeFocus() }

    private func updateKeypad() { keypad.update(takesAnswer: takesAnswer, isEmpty: entry.text.isEmpty) }
}

extension Interface {
    fileprivate func show(_ sum: ScreenModel.Sum) {
        widget("left").setText(sum.left)
        widget("sign").setText(sum.sign)
        widget("right").setText(sum.right)
        widget("sum").setSpoken(name: sum.spoken)
        widget("sum").keepLeftToRight()
    }
}

extension Widget {
    func appendChoices(_ choices: [String], _ told: @escaping @GLibLoop (ScreenInput) -> Void) -> [Widget] {
        let buttons = choices.enumerated().map { index, choice in
            Widget.choiceButton(choice) { told(.chosen(index)) }
        }
        for button in buttons { append(button) }
        return buttons
    }

    static func choiceButton(_ text: String, _ pressed: @escaping @GLibLoop () -> Void) -> Widget {
        guard let label = gtk_label_new(text), let pointer = gtk_button_new() else {
            preconditionFailure("GTK makes no buttons")
        }
        gtk_label_set_wrap(OpaquePointer(label), 1)
        gtk_label_set_wrap_mode(OpaquePointer(label), PANGO_WRAP_WORD_CHAR)
        gtk_label_set_justify(OpaquePointer(label), GTK_JUSTIFY_CENTER)
        let button = Widget(pointer)
        gtk_button_set_child(UnsafeMutablePointer(button.pointer), label)
        gtk_widget_set_hexpand(pointer, 1)
        button.add(style: "choice")
        button.setSpoken(name: text)
        button.on("clicked", pressed)
        return button
    }
}
