import CGTK
import GateScreens
import GateWindows

/// A sum with a large operator, and a large button for each choice.
@GLibLoop
struct SumBody: QuestionBody {
    private let interface = Interface(PackageResources.sum_ui)
    let controls: [Widget]
    var widget: Widget { interface.widget("root") }

    init(
        _ left: String, _ sign: String, _ right: String, choices: [String], spoken: String,
        _ told: @escaping @GLibLoop (ScreenInput) -> Void
    ) {
        interface.widget("left").setText(left)
        interface.widget("sign").setText(sign)
        interface.widget("right").setText(right)
        interface.widget("sum").setSpoken(name: spoken)
        let row = interface.widget("choices")
        controls = choices.enumerated().map { index, choice in .choiceButton(choice) { told(.chosen(index)) } }
        for button in controls { row.append(button) }
    }

    func update(_ picture: ScreenPicture) {}

    /// A key that is still on its way must choose nothing: Tab leads to the first choice.
    func takeFocus() {}
}

extension Widget {
    /// A large button with plain text on it.
    static func choiceButton(_ text: String, _ pressed: @escaping @GLibLoop () -> Void) -> Widget {
        guard let label = gtk_label_new(text), let pointer = gtk_button_new() else {
            preconditionFailure("GTK makes no buttons")
        }
        gtk_label_set_wrap(OpaquePointer(label), 1)
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
