import GateScreens
import GateWindows

/// The keyboard at the bottom of a window, and the button that brings it where digits stand already.
@GLibLoop
final class KeyboardDrawer {
    private let place: Widget
    private let keyboard: OnScreenKeyboard
    private let keypad: Widget?
    private var isOut: Bool
    private var button: Widget?

    init?(for body: any QuestionBody, in place: Widget) {
        guard let keyboard = OnScreenKeyboard(for: body.wordFields) else { return nil }
        self.place = place
        self.keyboard = keyboard
        keypad = body.keypad
        isOut = body.keypad == nil
        if body.keypad != nil {
            let made = Widget.button("") { [weak self] in self?.toggle() }
            place.append(made)
            button = made
        }
        place.append(keyboard.widget)
        draw()
    }

    /// - Parameters:
    ///   - isOpen: whether the fields are there.
    ///   - takesAnswer: whether they take anything.
    func update(isOpen: Bool, takesAnswer: Bool) {
        place.setVisible(isOpen)
        place.setSensitive(takesAnswer)
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
