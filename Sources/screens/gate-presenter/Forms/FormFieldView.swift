import CGTK
import GateModel
import GateScreens
import GateWindows

/// A question: its label, its control, the hint, and the error.
@GLibLoop
final class FormFieldView: FormRowView {
    let widget = Widget.box(isRow: false, spacing: 6)
    private let label = Widget.label("", styles: ["heading"])
    private let hint = Widget.label("", styles: ["dim-label"])
    private let error = Widget.label("", styles: ["error"])
    private let control: any FormControlView
    private let lookup = Widget.box(isRow: true, spacing: 6)
    private let lookupWords = Widget.label("", styles: ["dim-label"])
    private let use = Widget.button("") {}
    /// Whether an answer came from elsewhere into the empty focused field. The button beside it has the answer.
    private var isHeld = false
    private var isWrong = false
    private var shown: FormField?
    private var wasEditable = false

    init(_ field: FormField, _ documents: (any DocumentSource)?, _ tell: @escaping @GLibLoop (FormInput) -> Void) {
        control = field.control.makeView(field.path, documents, tell)
        lookup.append(.spinner())
        lookup.append(lookupWords)
        // Suggestions stand beside the field and have a fixed height, so that they move nothing on the page.
        let row = Widget.box(isRow: true, spacing: 6)
        gtk_widget_set_hexpand(control.widget.widget, 1)
        for part in [control.widget, lookup, use] { row.append(part) }
        for part in [lookup, use] { gtk_widget_set_valign(part.widget, GTK_ALIGN_START) }
        gtk_widget_set_size_request(lookup.widget, -1, 44)
        for style in ["flat", "dim-label"] { use.add(style: style) }
        for part in [label, row, error, hint] { widget.append(part) }
        use.on("clicked") { [weak self] in
            guard let self, let shown else { return }
            if isHeld {
                control.showHeld()
            } else if case .waiting(_, let values) = shown.suggestion {
                tell(.took(shown.path, values))
            }
            // The button disappears, so the field gets the keyboard focus.
            control.parts.first?.takeFocus()
        }
        control.onHeld { [weak self] in
            self?.isHeld = $0
            self?.showSuggestion()
        }
        control.onReturn { [weak self] in
            guard let self, !isWrong else { return }
            widget.moveFocusOn()
        }
    }

    func update(_ content: FormRow.Content, isEditable: Bool) {
        // Without a change nothing is set again, because a screen reader would speak every second.
        guard case .field(let field) = content, field != shown || isEditable != wasEditable else { return }
        (shown, wasEditable) = (field, isEditable)
        isWrong = !field.error.isEmpty
        label.setText(field.spokenName)
        hint.setText(field.hint)
        hint.setVisible(!field.hint.isEmpty)
        error.setText(field.error)
        error.setVisible(isWrong)
        control.update(field.control)
        control.setSensitive(isEditable && field.isSensitive)
        showSuggestion()
        control.speak(field)
    }

    private func showSuggestion() {
        var (words, button) = ("", isHeld ? FormWords.use(shown?.answer ?? "") : "")
        switch shown?.suggestion {
        case .beingFetched(let said): words = said
        case .waiting(let label, _): button = label
        case nil: break
        }
        lookupWords.setText(words)
        lookup.setVisible(!words.isEmpty)
        use.setLabel(button)
        use.shortenLabel(toCharacters: 24)
        use.setVisible(!button.isEmpty)
        use.setSpoken(name: FormWords.spoken(button, of: shown?.label ?? ""))
        use.setSensitive(wasEditable)
    }

    func flush() { control.flush() }
}

/// The widgets with which a question is answered.
@GLibLoop
protocol FormControlView: AnyObject {
    var widget: Widget { get }
    /// All widgets that can be pressed or typed into.
    var parts: [Widget] { get }
    func update(_ control: FormControl)
    /// Tells screen readers the field's name, hint and error.
    func speak(_ field: FormField)
    /// Reports the text that is being typed.
    func flush()
    func onReturn(_ body: @escaping @GLibLoop () -> Void)
    /// Calls the body with true when an answer has come from elsewhere while the field was empty and had the keyboard
    /// focus. The answer is then shown when the person leaves the field. Calls it with false when that is over.
    func onHeld(_ body: @escaping @GLibLoop (Bool) -> Void)
    func showHeld()
}

extension FormControlView {
    func flush() {}
    func onReturn(_ body: @escaping @GLibLoop () -> Void) {}
    func onHeld(_ body: @escaping @GLibLoop (Bool) -> Void) {}
    func showHeld() {}

    func setSensitive(_ isSensitive: Bool) {
        for part in parts { part.setSensitive(isSensitive) }
    }
}

extension FormControl {
    @GLibLoop
    fileprivate func makeView(
        _ path: FormPath, _ documents: (any DocumentSource)?, _ tell: @escaping @GLibLoop (FormInput) -> Void
    ) -> any FormControlView {
        switch self {
        case .fixed: FixedControlView()
        case .yesNo: YesNoControlView(path, tell)
        case .entry(_, let kind): EntryControlView(path, kind, tell)
        case .paragraph: ParagraphControlView(path, tell)
        case .date: DateControlView(path, tell)
        case .choice(let choice): ChoiceControlView(path, other: choice.otherKind, tell)
        case .quantity(_, let units, _): QuantityControlView(path, units: units, tell)
        case .documents: DocumentsControlView(path, documents, tell)
        case .several(_, let kind, _, _): SeveralControlView(path, kind, tell)
        }
    }
}

/// A field of one line. It reports its text when the person leaves it or presses Return. While the person types,
/// nothing else replaces the text.
@GLibLoop
final class TypedEntry {
    let widget = Widget.entry(maximumLength: 10_000)
    private let kind: FormControl.EntryKind
    private let typed: @GLibLoop (String) -> Void
    private let isCleared: Bool
    /// The text in the form.
    private var shown = ""
    private var isUpdating = false
    /// The text in the form, if it is not shown yet because the person may be about to type; otherwise `nil`.
    private var held: String?
    private var returned: @GLibLoop () -> Void = {}
    private var heldChanged: @GLibLoop (Bool) -> Void = { _ in }

    /// - Parameter isCleared: whether the field is emptied after each answer, for another one.
    init(
        _ kind: FormControl.EntryKind, isCleared: Bool = false, edited: @escaping @GLibLoop () -> Void,
        typed: @escaping @GLibLoop (String) -> Void
    ) {
        self.kind = kind
        self.typed = typed
        self.isCleared = isCleared
        switch kind {
        case .number: widget.takeNumbers()
        case .address: widget.takeAddresses()
        case .words, .masked, .moment: break
        }
        widget.on("changed") { [weak self] in
            guard let self, !isUpdating, isEdited else { return }
            edited()
        }
        widget.on("activate") { [weak self] in
            self?.send()
            self?.returned()
        }
        widget.onFocusLeft { [weak self] in
            self?.send()
            self?.showHeld()
        }
    }

    private var isEdited: Bool { widget.text != shown }

    func onReturn(_ body: @escaping @GLibLoop () -> Void) { returned = body }
    func onHeld(_ body: @escaping @GLibLoop (Bool) -> Void) { heldChanged = body }

    func showHeld() {
        guard let text = held else { return }
        hold(nil)
        set(text)
    }

    private func hold(_ text: String?) {
        let wasHeld = held != nil
        held = text
        if wasHeld != (text != nil) { heldChanged(text != nil) }
    }

    func send() {
        guard isEdited else { return }
        hold(nil)
        // Not while the person types, because undoing, pasting and input methods rely on the text as it is.
        if case .masked(let mask) = kind { set(mask.completed(widget.text)) }
        let text = widget.text
        shown = text
        if isCleared { set("") }
        typed(kind == .moment ? LocalMoment.withZone(text, offset: DeviceZone.offset) : text)
    }

    /// Shows the text in the form. If the field is empty and has the keyboard focus, the text is held back: otherwise
    /// Return could confirm an answer that has just appeared.
    func show(_ text: String) {
        guard text != held ?? shown else { return }
        let wasEdited = isEdited
        if !wasEdited, !text.isEmpty, widget.text.isEmpty, widget.hasFocus { return hold(text) }
        hold(nil)
        shown = text
        if !wasEdited { set(text) }
    }

    private func set(_ text: String) {
        shown = text
        guard widget.text != text else { return }
        isUpdating = true
        widget.setEntryText(text)
        isUpdating = false
    }
}
