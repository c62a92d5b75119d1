import CGTK
import GateClient
import GateModel
import GateScreens
import GateWindows

/// A button to hold, with a ring that fills meanwhile.
@GLibLoop
final class HoldBody: QuestionBody {
    private let interface = Interface(PackageResources.hold_ui)
    private let button: Widget
    private let duration: Duration
    private var pressedAt: BootTime?
    private var stopDrawing: (@GLibLoop () -> Void)?
    var controls: [Widget] { [button] }
    var widget: Widget { interface.widget("root") }

    init(_ question: String, _ duration: Duration, _ told: @escaping @GLibLoop (ScreenInput) -> Void) {
        button = interface.widget("hold")
        self.duration = duration
        interface.widget("question").setText(question)
        button.setSpoken(name: question)
        let button = button
        // With a screen reader, one press begins the hold and another one ends it.
        button.on("toggled") {
            told(gtk_toggle_button_get_active(UnsafeMutablePointer(button.pointer)) != 0 ? .pressed : .released)
        }
        let began: @GLibLoop () -> Void = { gtk_toggle_button_set_active(UnsafeMutablePointer(button.pointer), 1) }
        let ended: @GLibLoop () -> Void = { gtk_toggle_button_set_active(UnsafeMutablePointer(button.pointer), 0) }
        button.onPress(began: began, ended: ended)
        button.onKey(GDK_KEY_space, down: began, up: ended)
        let ring = interface.widget("ring")
        ring.onDraw { [weak self] cairo, width, height in self?.draw(cairo, width, height, ring.textColour) }
    }

    func update(_ picture: ScreenModel) {
        guard case .hold(_, _, let pressedAt) = picture.body, pressedAt != self.pressedAt else { return }
        self.pressedAt = pressedAt
        stopDrawing?()
        stopDrawing = pressedAt == nil ? nil : interface.widget("ring").drawEachFrame()
        interface.widget("ring").drawAnew()
    }

    func takeFocus() { button.takeFocus() }

    private func draw(_ cairo: OpaquePointer, _ width: Double, _ height: Double, _ colour: GdkRGBA) {
        let part = pressedAt.map { min(1, $0.duration(to: .now()) / duration) } ?? 0
        let radius = min(width, height) / 2 - 10
        cairo_set_line_width(cairo, 14)
        for (end, alpha) in [(1.0, 0.15), (part, 0.9)] where end > 0 {
            cairo_new_path(cairo)
            cairo_set_source_rgba(
                cairo, Double(colour.red), Double(colour.green), Double(colour.blue), alpha)
            cairo_arc(cairo, width / 2, height / 2, radius, -.pi / 2, -.pi / 2 + 2 * .pi * end)
            cairo_stroke(cairo)
        }
    }
}

/// A field to swipe over. Without a touch screen, strokes with the mouse or arrow keys make the gesture.
@GLibLoop
struct SwipeBody: QuestionBody {
    private let interface = Interface(PackageResources.swipe_ui)
    private let field: Widget
    let controls: [Widget]
    var widget: Widget { interface.widget("root") }

    init(_ question: String, hint: String, _ told: @escaping @GLibLoop (ScreenInput) -> Void) {
        interface.widget("question").setText(question)
        interface.widget("hint").setText(hint)
        field = interface.widget("field")
        field.setSpoken(name: "\(question) \(hint)")
        field.onSwipe { told(.swiped(SwipeGesture(SwipeGesture.Direction($0), fingers: $1))) }
        field.onMouseStroke { told(.stroked(SwipeGesture.Direction($0))) }
        field.onKey { key in
            let keys: [CInt: SwipeGesture.Direction] = [
                GDK_KEY_Up: .up, GDK_KEY_Down: .down, GDK_KEY_Left: .left, GDK_KEY_Right: .right,
            ]
            guard let direction = keys[CInt(key)] else { return false }
            told(.stroked(direction))
            return true
        }
        let done = interface.widget("done")
        done.setLabel(ScreenWords.done)
        done.on("clicked") { told(.finished) }
        controls = [field, done]
    }

    func update(_ picture: ScreenModel) {
        guard case .swipe(_, _, let strokes) = picture.body else { return }
        interface.widget("strokes").setText(strokes)
        interface.widget("done").setSensitive(picture.takesAnswer && picture.opening.isEmpty && !strokes.isEmpty)
    }

    func takeFocus() { field.takeFocus() }
}

extension SwipeGesture.Direction {
    fileprivate init(_ direction: StrokeDirection) {
        self =
            switch direction {
            case .up: .up
            case .down: .down
            case .left: .left
            case .right: .right
            }
    }
}
