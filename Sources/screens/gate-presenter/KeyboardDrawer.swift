import CGTK
import GateScreens
import GateWindows

/// The on-screen keyboard of a window, and a button that changes between it and the question's keypad.
@GLibLoop
final class KeyboardDrawer {
    private let place: Widget
    private let keyboard: OnScreenKeyboard
    private let keypad: Widget?
    private var isOut: Bool
    private var button: Widget?
    private var takesAnswer = true

    init?(for body: any QuestionBody, in place: Widget) {
        guard let keyboard = OnScreenKeyboard(for: body.wordFields) else { return nil }
        self.place = place
        self.keyboard = keyboard
        keypad = body.keypad
        isOut = body.keypad == nil
        if body.keypad != nil {
            let made = Widget.button("") { [weak self] in self?.toggle() }
            gtk_widget_set_halign(made.widget, GTK_ALIGN_CENTER)
            place.append(made)
            button = made
        }
        place.append(keyboard.widget)
        draw()
    }

    func update(isOpen: Bool, takesAnswer: Bool) {
        place.setVisible(isOpen)
        guard takesAnswer != self.takesAnswer else { return }
        self.takesAnswer = takesAnswer
        // Each key by itself, because a screen reader does not say that a button is disabled if only its container is.
        for key in keyboard.keys { key.setSensitive(takesAnswer) }
        button?.setSensitive(takesAnswer)
    }

    private func toggle() {
        isOut.toggle()
        draw()
    }

    private func draw() {
        keyboard.widget.setVisible(isOut)
        keypad?.setVisible(!isOut)
        button?.setLabel(isOut ? ScreenWords.digits : ScreenWords.letters)
    }
}
