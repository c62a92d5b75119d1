import CGTK
import GateModel
import GateScreens
import GateTexts
import GateWindows

/// An answer that a person can't change here.
@GLibLoop
final class FixedControlView: FormControlView {
    let widget = Widget.label("")
    var parts: [Widget] { [] }

    func update(_ control: FormControl) {
        guard case .fixed(let text) = control else { return }
        widget.setText(text)
    }

    func speak(_ field: FormField) {}
}

/// A field of one line.
@GLibLoop
final class EntryControlView: FormControlView {
    private let entry: TypedEntry
    var widget: Widget { entry.widget }
    var parts: [Widget] { [entry.widget] }

    init(_ path: FormPath, _ kind: FormControl.EntryKind, _ tell: @escaping @GLibLoop (FormInput) -> Void) {
        entry = TypedEntry(kind, edited: { tell(.edited(path)) }, typed: { tell(.typed(path, $0)) })
    }

    func update(_ control: FormControl) {
        guard case .entry(let text, _) = control else { return }
        entry.show(text)
    }

    func speak(_ field: FormField) { entry.widget.speak(field) }
    func flush() { entry.send() }
    func onReturn(_ body: @escaping @GLibLoop () -> Void) { entry.onReturn(body) }
    func onHeld(_ body: @escaping @GLibLoop (Bool) -> Void) { entry.onHeld(body) }
    func showHeld() { entry.showHeld() }
}

/// A field of several lines. Tab leads to the next widget.
@GLibLoop
final class ParagraphControlView: FormControlView {
    private let text = Widget.paragraph()
    let widget: Widget
    private let tell: @GLibLoop (FormInput) -> Void
    private let path: FormPath
    private var shown = ""
    /// The text in the form, if it is not shown yet because the person may be about to type; otherwise `nil`.
    private var held: String?
    private var heldChanged: @GLibLoop (Bool) -> Void = { _ in }
    private var isUpdating = false
    var parts: [Widget] { [text] }

    init(_ path: FormPath, _ tell: @escaping @GLibLoop (FormInput) -> Void) {
        self.path = path
        self.tell = tell
        widget = .scroll(text, minimumHeight: 88)
        widget.add(style: "paragraph")
        text.onParagraphChanged { [weak self] in
            guard let self, !isUpdating, text.paragraph != shown else { return }
            tell(.edited(path))
        }
        text.onFocusLeft { [weak self] in
            self?.flush()
            self?.showHeld()
        }
    }

    func update(_ control: FormControl) {
        guard case .paragraph(let new) = control, new != held ?? shown else { return }
        let wasEdited = text.paragraph != shown
        // As in `TypedEntry.show`.
        if !wasEdited, !new.isEmpty, shown.isEmpty, text.hasFocus { return hold(new) }
        hold(nil)
        shown = new
        guard !wasEdited else { return }
        set(new)
    }

    private func set(_ new: String) {
        guard text.paragraph != new else { return }
        isUpdating = true
        text.setParagraph(new)
        isUpdating = false
    }

    private func hold(_ new: String?) {
        let wasHeld = held != nil
        held = new
        if wasHeld != (new != nil) { heldChanged(new != nil) }
    }

    func onHeld(_ body: @escaping @GLibLoop (Bool) -> Void) { heldChanged = body }

    func showHeld() {
        guard let new = held else { return }
        hold(nil)
        shown = new
        set(new)
    }

    func speak(_ field: FormField) { text.speak(field) }

    func flush() {
        guard text.paragraph != shown else { return }
        hold(nil)
        shown = text.paragraph
        tell(.typed(path, shown))
    }
}

/// A number, and the list of its units.
@GLibLoop
final class QuantityControlView: FormControlView {
    let widget = Widget.box(isRow: true, spacing: 6)
    private let entry: TypedEntry
    private let unit: Widget
    private var isUpdating = false
    var parts: [Widget] { [entry.widget, unit] }

    init(_ path: FormPath, units: [String], _ tell: @escaping @GLibLoop (FormInput) -> Void) {
        let unit = Widget.dropDown(units, isSearched: units.count > FormChoice.maximumUnsearched)
        self.unit = unit
        entry = TypedEntry(
            .number, edited: { tell(.edited(path)) },
            typed: { tell(.measured(path, $0, unit: unit.selected)) })
        widget.append(entry.widget)
        widget.append(unit)
        unit.on("notify::selected") { [weak self] in
            guard let self, !isUpdating, !entry.widget.text.isEmpty else { return }
            tell(.measured(path, entry.widget.text, unit: unit.selected))
        }
    }

    func update(_ control: FormControl) {
        guard case .quantity(let number, _, let chosen) = control else { return }
        entry.show(number)
        guard !number.isEmpty, unit.selected != chosen else { return }
        isUpdating = true
        unit.select(chosen)
        isUpdating = false
    }

    func speak(_ field: FormField) {
        entry.widget.speak(field)
        unit.setSpoken(name: FormWords.spoken(FormWords.unit, of: field.label))
    }

    func flush() { entry.send() }
    func onReturn(_ body: @escaping @GLibLoop () -> Void) { entry.onReturn(body) }
    func onHeld(_ body: @escaping @GLibLoop (Bool) -> Void) { entry.onHeld(body) }
    func showHeld() { entry.showHeld() }
}

/// Several answers, each in a row, and a field for another one.
@GLibLoop
final class SeveralControlView: FormControlView {
    let widget = Widget.box(isRow: false, spacing: 6)
    private let rows = Widget.box(isRow: false, spacing: 6)
    private let entry: TypedEntry
    private let path: FormPath
    private let tell: @GLibLoop (FormInput) -> Void
    private var shown: [String] = []
    private var buttons: [Widget] = []
    var parts: [Widget] { [entry.widget] + buttons }

    init(_ path: FormPath, _ kind: FormControl.EntryKind, _ tell: @escaping @GLibLoop (FormInput) -> Void) {
        self.path = path
        self.tell = tell
        entry = TypedEntry(kind, isCleared: true, edited: {}, typed: { tell(.typedAnother(path, $0)) })
        widget.append(rows)
        widget.append(entry.widget)
    }

    func update(_ control: FormControl) {
        guard case .several(let texts, _, let text, let takesMore) = control else { return }
        entry.widget.setVisible(takesMore)
        entry.show(text)
        guard texts != shown else { return }
        shown = texts
        let hadFocus = rows.hasFocus
        rows.removeAll()
        buttons = []
        for (index, text) in texts.enumerated() {
            let (path, tell) = (path, tell)
            let row = Widget.box(isRow: true, spacing: 6)
            let label = Widget.label(text)
            gtk_widget_set_hexpand(label.widget, 1)
            row.append(label)
            let remove = Widget.button(FormWords.remove) { tell(.removedAnswer(path, index)) }
            remove.setSpoken(name: FormWords.spoken(FormWords.remove, of: text))
            row.append(remove)
            buttons.append(remove)
            rows.append(row)
        }
        if hadFocus { (buttons.first ?? entry.widget).takeFocus() }
    }

    func speak(_ field: FormField) {
        entry.widget.speak(field)
        if !shown.isEmpty { entry.widget.setSpoken(name: ListText.pair(field.label, FormWords.another)) }
    }

    func flush() { entry.send() }
}

extension Widget {
    func speak(_ field: FormField) {
        setSpoken(name: field.spokenName, description: field.spokenText)
        setSpoken(isRequired: field.isRequired, isWrong: !field.error.isEmpty)
    }
}
