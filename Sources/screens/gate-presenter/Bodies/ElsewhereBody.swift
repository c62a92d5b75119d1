import GateScreens
import GateWindows

/// Where it is answered: it is not for this screen (S-15).
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
