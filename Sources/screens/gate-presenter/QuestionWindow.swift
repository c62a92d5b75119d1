import CGTK
import GateScreens
import GateWindows

/// The window of a presentation: the head, the question, and the button that closes it.
@GLibLoop
final class QuestionWindow {
    private let interface = Interface(PackageResources.window_ui)
    private let body: any QuestionBody
    private let window: Widget
    private let badge: ParentModeBadge
    private let id: UInt64
    private let isNotice: Bool
    private let coversMonitor: Bool
    /// Closes the question without an answer, if it can be closed.
    private let dismiss: @GLibLoop () -> Void
    private var keyboard: KeyboardDrawer?
    private var takesAnswer = false
    /// In pixels. It grows with the desktop's text, at most by half.
    private let width = CInt(480 * min(max(1, Widget.textScale), 1.5))
    /// In pixels: the column's width. Without a compositor, the window has a frame of five pixels on each side.
    private var column: CInt { width - 10 }
    /// In pixels: the width of the column without its margins.
    private var room: CInt { column - Self.margins }
    /// In pixels: the left and the right margin together.
    private static let margins: CInt = 48
    /// In pixels: the frame left and right of the details together (`.foreign` in the style).
    private static let frameOfDetails: CInt = 28
    /// In pixels: the height of a monitor that desktops keep for their panels.
    private static let panel: CInt = 48
    /// In pixels: the size of a window with pages.
    private static let pages: (width: CInt, height: CInt) = (640, 700)
    private var isUnfolded = false
    /// Whether its question is closed already, and it stays because a person may still be typing.
    private var isTakenBack = false

    /// `pressed` is called for each key but Escape and each press in the window, `told` for what they mean.
    init(
        _ picture: ScreenModel, _ mark: ModeMark, in place: WindowPlace, documents: (any DocumentSource)?,
        pressed: @escaping @GLibLoop () -> Void, told: @escaping @GLibLoop (ScreenInput) -> Void
    ) {
        id = picture.id
        isNotice = picture.body.isNotice
        coversMonitor = picture.coversMonitor
        window = interface.widget("window")
        gtk_window_set_default_size(UnsafeMutablePointer(window.pointer), width, -1)
        badge = ParentModeBadge(
            on: window, title: interface.widget("bar-title"), padlock: interface.widget("padlock"))
        if case .signIn = picture.body { window.add(style: "sign-in") }
        body = picture.body.makeBody(documents, told)
        interface.widget("body").append(body.widget)
        let body = body
        dismiss = {
            body.flush()
            told(.dismissed)
        }
        clamp(to: column)
        describe(picture)
        show(mark)
        let dismiss = dismiss
        window.onCloseRequest(dismiss)
        window.onKey { key in
            guard key == UInt32(GDK_KEY_Escape) else {
                pressed()
                return false
            }
            dismiss()
            return true
        }
        window.onAnyPress(pressed)
        interface.widget("dismiss").on("clicked", dismiss)
        interface.widget("open").on("clicked") { told(.opened) }
        stand(in: place)
        if body.fillsWindow {
            fillWindow()
        } else {
            fitMonitor()
            keepRoom()
        }
        update(picture)
        gtk_window_set_focus(UnsafeMutablePointer(window.pointer), nil)
        gtk_window_present(UnsafeMutablePointer(window.pointer))
    }

    /// Whether this window is about the same question. Another question gets another window, and so does one that comes
    /// back after it was taken back, so that nothing typed before is in it.
    func shows(_ picture: ScreenModel) -> Bool {
        id == picture.id && isNotice == picture.body.isNotice && (!isTakenBack || picture.isTakenBack)
    }

    func update(_ picture: ScreenModel) {
        isTakenBack = picture.isTakenBack
        let isOpen = picture.opening.isEmpty
        // One by one, because a screen reader does not say that a button is disabled if only its container is.
        for control in body.controls { control.setSensitive(picture.takesAnswer && isOpen) }
        body.update(picture)
        let open = interface.widget("open")
        open.setLabel(picture.opening)
        open.setVisible(!isOpen)
        interface.widget("body").setVisible(isOpen)
        open.setSensitive(picture.takesAnswer)
        let dismiss = interface.widget("dismiss")
        dismiss.setVisible(picture.isDismissible)
        dismiss.setSensitive(picture.takesDismissal)
        interface.widget("note").setText(picture.note)
        // If there is no note, a page of a form takes its space.
        interface.widget("note").setVisible(!body.fillsWindow || !picture.note.isEmpty)
        interface.widget("time-left").setText(picture.timeLeft)
        if picture.takesAnswer, isOpen, !takesAnswer { body.takeFocus() }
        takesAnswer = picture.takesAnswer && isOpen
        keyboard?.update(isOpen: isOpen, takesAnswer: takesAnswer)
    }

    func show(_ mark: ModeMark) { badge.show(mark.isParent ? mark.sentence : nil) }

    var isActive: Bool { window.isActiveWindow }

    /// The person pressed beside the window, on a window that hides the desktop.
    func pressedBeside() { dismiss() }

    /// Puts the window in front of those that hide the desktop; `nil`: there are none any longer. On Wayland, only a
    /// full-screen window is certain to be in front of another one.
    func stand(above cover: Widget?) {
        let window = UnsafeMutablePointer<GtkWindow>(window.pointer)
        gtk_window_set_transient_for(window, cover.map { UnsafeMutablePointer($0.pointer) })
        guard !coversMonitor, gate_is_x11(gtk_widget_get_display(self.window.widget)) == 0 else { return }
        if cover == nil { gtk_window_unfullscreen(window) } else { gtk_window_fullscreen(window) }
    }

    func bringToFront(takesKeyboard: Bool) { window.bringToFront(takesKeyboard: takesKeyboard) }

    func onceDrawn(_ body: @escaping @GLibLoop () -> Void) { window.onceDrawn(body) }

    func close() {
        // Otherwise a field that has the keyboard focus would not hear that it has lost it.
        gtk_window_set_focus(UnsafeMutablePointer(window.pointer), nil)
        gtk_window_destroy(UnsafeMutablePointer(window.pointer))
    }

    /// Limits the width of the column, in pixels. GTK before 4.10 measures the height of scrolled content as if the
    /// width were unlimited, and would cut off a line that has to wrap. So nothing else may make the column narrower.
    private func clamp(to size: CInt) {
        for (name, size) in [("clamp", size), ("all-details-clamp", size - Self.margins - Self.frameOfDetails)] {
            let clamp = interface.widget(name)
            adw_clamp_set_maximum_size(clamp.pointer, size)
            adw_clamp_set_tightening_threshold(clamp.pointer, size)
        }
    }

    /// Reduces the spacing if a monitor is too low for the window. What can be pressed keeps the size of a finger.
    private func fitMonitor() {
        interface.widget("open").setVisible(false)
        var height: CInt = 0
        gtk_widget_measure(window.widget, GTK_ORIENTATION_VERTICAL, width, nil, &height, nil, nil)
        guard let lowest = Widget.heightOfLowestMonitor, height > lowest - Self.panel else { return }
        window.add(style: "dense")
        let column = interface.widget("column")
        // Above an on-screen keyboard, they are smaller already.
        gtk_box_set_spacing(
            UnsafeMutablePointer(column.pointer), min(gtk_box_get_spacing(UnsafeMutablePointer(column.pointer)), 9))
        gtk_widget_set_margin_bottom(column.widget, min(gtk_widget_get_margin_bottom(column.widget), 12))
        // GTK keeps the old measurements until the new style is looked at.
        window.forgetSizes()
    }

    /// Reserves the space of what appears after the first of two acts, so that nothing moves then.
    private func keepRoom() {
        var height: CInt = 0
        gtk_widget_measure(body.widget.widget, GTK_ORIENTATION_VERTICAL, room, nil, &height, nil, nil)
        gtk_widget_set_size_request(interface.widget("answer").widget, -1, height)
    }

    private func stand(in place: WindowPlace) {
        if place.offersKeyboard {
            // Close together, so that a help text and "Not now" are not behind the keyboard.
            keyboard = KeyboardDrawer(for: body, in: interface.widget("keyboard"))
            gtk_box_set_spacing(UnsafeMutablePointer(interface.widget("column").pointer), 6)
            gtk_widget_set_margin_top(interface.widget("column").widget, 6)
            gtk_widget_set_margin_bottom(interface.widget("column").widget, 6)
            clamp(to: 600)
            body.makeRoomForKeyboard()
        }
        switch place {
        case .session:
            // Only a sheet's margin is around its question.
            window.onPress(around: interface.widget("column")) { [window, dismiss] in
                if gtk_window_is_fullscreen(UnsafeMutablePointer(window.pointer)) != 0 { dismiss() }
            }
            guard coversMonitor else { return }
            standStill()
            gtk_window_fullscreen(UnsafeMutablePointer(window.pointer))
        case .ownScreen(let word):
            interface.widget("own-screen").setVisible(true)
            interface.widget("own-caption").setText(word == nil ? ScreenWords.noWord : ScreenWords.yourWord)
            interface.widget("own-word").setText(word ?? "")
            interface.widget("own-word").setVisible(word != nil)
            // The window is alone on this screen, and the compositor gives each window all the space.
            standStill()
            gtk_window_maximize(UnsafeMutablePointer(window.pointer))
        }
    }

    /// Removes the buttons from the header bar, and ignores presses on it, because this window can't be moved.
    private func standStill() {
        let header = interface.widget("header")
        adw_header_bar_set_show_end_title_buttons(header.pointer, 0)
        header.ignorePresses()
    }

    /// Gives a form all the height of the window, in which its pages are scrolled.
    private func fillWindow() {
        gtk_window_set_default_size(UnsafeMutablePointer(window.pointer), Self.pages.width, Self.pages.height)
        interface.widget("column").fill()
        gtk_box_set_spacing(UnsafeMutablePointer(interface.widget("column").pointer), 9)
        for name in ["answer", "body"] { gtk_widget_set_vexpand(interface.widget(name).widget, 1) }
        clamp(to: 760)
    }

    /// Sets everything that never changes.
    private func describe(_ picture: ScreenModel) {
        let asked = picture.asked
        window.setSpoken(name: picture.spokenName, description: picture.spokenText)
        interface.widget("title").setText(asked.title)
        interface.widget("who").setText(asked.who)
        interface.widget("heading").setText(picture.heading)
        interface.widget("calls-itself").setText(ScreenWords.callsItself)
        interface.widget("program").setText(asked.program)
        interface.widget("program-row").setVisible(!asked.program.isEmpty)
        interface.widget("details").setText(asked.details)
        interface.widget("all-details").setText(asked.details)
        for name in ["details", "all-details"] { interface.widget(name).setSpoken(description: asked.detailsSource) }
        interface.widget("details-card").setVisible(!asked.details.isEmpty)
        interface.widget("dismiss").setLabel(picture.dismissal)
        let unfold = interface.widget("unfold")
        unfold.setLabel(ScreenWords.showAll)
        unfold.setVisible(isCut(interface.widget("details")))
        unfold.on("clicked") { [weak self] in self?.unfold() }
    }

    /// Whether the middle of the requester's words is cut. It is measured, because an `m` is as wide as three `i`.
    private func isCut(_ label: Widget) -> Bool {
        var whole: CInt = 0
        gtk_widget_measure(label.widget, GTK_ORIENTATION_HORIZONTAL, -1, nil, &whole, nil, nil)
        return whole > room - Self.frameOfDetails
    }

    private func unfold() {
        isUnfolded.toggle()
        interface.widget("details").setVisible(!isUnfolded)
        interface.widget("all-details-scroll").setVisible(isUnfolded)
        interface.widget("unfold").setLabel(isUnfolded ? ScreenWords.showLess : ScreenWords.showAll)
        // The window gets the height of its content.
        guard !body.fillsWindow else { return }
        gtk_window_set_default_size(UnsafeMutablePointer(window.pointer), width, -1)
    }
}

/// The part of a window that is different for each kind of question: the question, and the ways to answer it.
@GLibLoop
protocol QuestionBody {
    var widget: Widget { get }
    var controls: [Widget] { get }
    /// Shows what can change while the question remains.
    func update(_ picture: ScreenModel)
    /// Called when answers can be given.
    func takeFocus()
    /// The fields for words, for which the on-screen keyboard is shown if there is no real one.
    var wordFields: [WordField] { get }
    /// The keypad of the question; `nil` if it has none, so that the on-screen keyboard is shown at once.
    var keypad: Widget? { get }
    /// Uses less height, because an on-screen keyboard takes a third of the window.
    func makeRoomForKeyboard()
    /// Reports the text that is being typed.
    func flush()
    /// Whether it has pages, and fills the height of the window.
    var fillsWindow: Bool { get }
}

/// A field for words, and what Return does in it.
struct WordField {
    let entry: any TypingTarget
    let entered: @GLibLoop () -> Void
}

extension QuestionBody {
    var wordFields: [WordField] { [] }
    var keypad: Widget? { nil }
    func makeRoomForKeyboard() {}
    func flush() {}
    var fillsWindow: Bool { false }
}

extension ScreenModel.Body {
    fileprivate var isNotice: Bool {
        switch self {
        case .elsewhere: true
        case .sum, .typedSum, .shapes, .quiz, .confirm, .birthdate, .secret, .hold, .swipe, .signIn, .paywall, .notes,
            .form:
            false
        }
    }
}

extension ScreenModel.Body {
    @GLibLoop
    fileprivate func makeBody(
        _ documents: (any DocumentSource)?, _ told: @escaping @GLibLoop (ScreenInput) -> Void
    ) -> any QuestionBody {
        switch self {
        case .sum(let sum, let choices): SumBody(sum, choices: choices, told)
        case .typedSum(let sum): TypedSumBody(sum, told)
        case .shapes(let shapes, let choices): ShapesBody(shapes, choices: choices, told)
        case .quiz(let question, let choices): QuizBody(question, choices: choices, told)
        case .confirm(let question, _): ConfirmBody(question, told)
        case .birthdate(let birthdate): BirthdateBody(birthdate, told)
        case .secret(let question, let onlyDigits): SecretBody(question, onlyDigits: onlyDigits, told)
        case .hold(let question, let duration, _): HoldBody(question, duration, told)
        case .swipe(let question, let hint, _): SwipeBody(question, hint: hint, told)
        case .signIn(let question, _, let hint, let adding): SignInBody(question, hint: hint, adding: adding, told)
        case .paywall(let paywall): PaywallBody(paywall, told)
        case .notes(let notes): NotesBody(notes, told)
        case .elsewhere(let place): ElsewhereBody(place)
        case .form: FormBody(documents: documents, told)
        }
    }
}
