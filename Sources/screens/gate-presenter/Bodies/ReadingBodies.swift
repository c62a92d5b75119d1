import CGTK
import GateScreens
import GateTexts
import GateWindows

/// Shows a paywall: what the buyer gets, and the offers. Gate closes it when somebody has paid.
@GLibLoop
struct PaywallBody: QuestionBody {
    private let interface = Interface(PackageResources.paywall_ui)
    let controls: [Widget]
    var widget: Widget { interface.widget("root") }

    init(_ paywall: ScreenModel.Paywall, _ told: @escaping @GLibLoop (ScreenInput) -> Void) {
        interface.widget("title").setText(paywall.title)
        for feature in paywall.features { interface.widget("features").append(.label("✓ \(feature)")) }
        interface.widget("features").setVisible(!paywall.features.isEmpty)
        interface.widget("provider").setText(paywall.provider)
        interface.widget("provider").setVisible(!paywall.provider.isEmpty)
        interface.widget("hint").setText(paywall.hint)
        var coded: Set<String> = []
        var controls: [Widget] = []
        for (index, offer) in paywall.offers.enumerated() {
            let row = Self.row(offer, hasCode: coded.insert(offer.page).inserted)
            if !offer.opening.isEmpty {
                controls.append(.button(offer.opening) { told(.followed(index)) })
                controls.last.map { row.texts.append($0) }
            }
            interface.widget("products").append(row.whole)
        }
        if !paywall.restoring.isEmpty {
            let restoring = Widget.button(paywall.restoring) { told(.restored) }
            interface.widget("root").append(restoring)
            controls.append(restoring)
        }
        self.controls = controls
    }

    /// - Parameter hasCode: whether the row has the QR code of its page. Each page gets one code.
    private static func row(
        _ offer: ScreenModel.Paywall.Offer, hasCode: Bool
    ) -> (whole: Widget, texts: Widget) {
        let row = Widget.box(isRow: true, spacing: 12)
        row.add(style: "product")
        let texts = Widget.box(isRow: false, spacing: 3)
        gtk_widget_set_hexpand(texts.widget, 1)
        texts.append(.label(offer.title, styles: ["heading"]))
        if !offer.price.isEmpty { texts.append(.label(offer.price)) }
        for text in [offer.page, offer.advice] where !text.isEmpty {
            texts.append(.label(text, styles: ["dim-label"]))
        }
        row.append(texts)
        if hasCode, let code = offer.code {
            row.append(
                .code(size: code.size, name: ScreenWords.pageAsCode, description: offer.page) { code[$0, $1] })
        }
        return (row, texts)
    }

    func update(_ picture: ScreenModel) {}
    func takeFocus() {}
}

/// The notes about what is new in an app.
@GLibLoop
struct NotesBody: QuestionBody {
    private let interface = Interface(PackageResources.notes_ui)
    let controls: [Widget]
    var widget: Widget { interface.widget("root") }

    init(_ notes: ScreenModel.Notes, _ told: @escaping @GLibLoop (ScreenInput) -> Void) {
        interface.widget("title").setText(notes.title)
        interface.widget("app").setText(notes.app)
        for feature in notes.features { interface.widget("features").append(Self.row(feature)) }
        let link = interface.widget("link")
        link.setText(notes.link)
        link.setVisible(!notes.link.isEmpty)
        controls = interface.widget("choices").appendChoices(notes.buttons, told)
        controls.first?.add(style: "suggested-action")
        // Mixed with the colour of text, because the notes' colour alone may be too pale for words.
        if let colour = notes.secondaryColour, controls.count > 1 {
            controls[1].setColour("mix(\(colour), @window_fg_color, 0.3)")
        }
    }

    private static func row(_ feature: ScreenModel.Notes.Feature) -> Widget {
        let row = Widget.box(isRow: true, spacing: 12)
        let icon = Widget.icon(feature.icon, orElse: "starred-symbolic", colour: feature.colour)
        gtk_widget_set_valign(icon.widget, GTK_ALIGN_START)
        row.append(icon)
        let texts = Widget.box(isRow: false, spacing: 3)
        texts.append(.label(feature.title, styles: ["heading"]))
        if !feature.subtitle.isEmpty { texts.append(.label(feature.subtitle)) }
        row.append(texts)
        return row
    }

    func update(_ picture: ScreenModel) {}
    func takeFocus() {}
}
