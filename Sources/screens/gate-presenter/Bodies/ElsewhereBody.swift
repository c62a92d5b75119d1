import GateScreens
import GateWindows

/// Says on which other screen the question can be answered.
@GLibLoop
struct ElsewhereBody: QuestionBody {
    let widget: Widget
    let controls: [Widget] = []

    init(_ place: String) {
        widget = Widget.label(place, styles: ["title-3"])
    }

    func update(_ picture: ScreenModel) {}
    func takeFocus() {}
}
