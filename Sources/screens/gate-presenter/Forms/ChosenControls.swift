import CGTK
import GateModel
import GateScreens
import GateTexts
import GateWindows

/// Yes or no. Neither is chosen before the question is answered.
@GLibLoop
final class YesNoControlView: FormControlView {
    let widget = Widget.box(isRow: true, spacing: 18)
    private let yes = Widget.check(FormWords.yes, isOneOfSeveral: true)
    private let no: Widget
    private var isUpdating = false
    var parts: [Widget] { [yes, no] }

    init(_ path: FormPath, _ tell: @escaping @GLibLoop (FormInput) -> Void) {
        no = .check(FormWords.no, isOneOfSeveral: true, groupedWith: yes)
        widget.append(yes)
        widget.append(no)
        for (button, answer) in [(yes, true), (no, false)] {
            button.on("toggled") { [weak self] in
                guard let self, !isUpdating, button.isOn else { return }
                tell(.answered(path, yes: answer))
            }
        }
    }

    func update(_ control: FormControl) {
        guard case .yesNo(let answer) = control else { return }
        isUpdating = true
        yes.setOn(answer == true)
        no.setOn(answer == false)
        isUpdating = false
    }

    func speak(_ field: FormField) {
        widget.setSpoken(name: field.spokenName, description: field.spokenText)
        for (button, text) in [(yes, FormWords.yes), (no, FormWords.no)] {
            button.setSpoken(name: "\(field.label) \(text)", description: field.spokenText)
        }
    }
}

/// The options of a question, and perhaps a field for an answer in the person's own words.
@GLibLoop
final class ChoiceControlView: FormControlView {
    let widget = Widget.box(isRow: false, spacing: 0)
    private let options = Widget.box(isRow: false, spacing: 0)
    private let otherRow = Widget.box(isRow: true, spacing: 6)
    private let other: TypedEntry
    private let path: FormPath
    private let tell: @GLibLoop (FormInput) -> Void
    private var shown: FormChoice?
    private var buttons: [Widget] = []
    private var list: Widget?
    private var isUpdating = false
    var parts: [Widget] { buttons + [list].compactMap(\.self) + [other.widget] }

    init(
        _ path: FormPath, other kind: FormControl.EntryKind, _ tell: @escaping @GLibLoop (FormInput) -> Void
    ) {
        self.path = path
        self.tell = tell
        other = TypedEntry(kind, edited: { tell(.edited(path)) }, typed: { tell(.typedOther(path, $0)) })
        let label = Widget.label(FormWords.other)
        gtk_label_set_wrap(label.pointer, 0)
        otherRow.append(label)
        otherRow.append(other.widget)
        widget.append(options)
        widget.append(otherRow)
    }

    func update(_ control: FormControl) {
        guard case .choice(let choice) = control else { return }
        if choice.labels != shown?.labels { build(choice) }
        shown = choice
        isUpdating = true
        for (index, button) in buttons.enumerated() { button.setOn(choice.chosen.contains(index)) }
        list?.select(choice.chosen.first.map { $0 + 1 } ?? 0)
        isUpdating = false
        otherRow.setVisible(choice.other != nil)
        other.show(choice.other ?? "")
    }

    private func build(_ choice: FormChoice) {
        let hadFocus = options.hasFocus
        options.removeAll()
        (buttons, list) = ([], nil)
        let (path, tell) = (path, tell)
        if choice.isFolded {
            let made = Widget.dropDown([FormWords.choose] + choice.labels, isSearched: choice.isSearched)
            made.on("notify::selected") { [weak self] in
                guard let self, !isUpdating else { return }
                // The first entry of the list removes the answer.
                let index = made.selected == 0 ? shown?.chosen.first : made.selected - 1
                if let index { tell(.chosen(path, index, isOn: made.selected > 0)) }
            }
            options.append(made)
            list = made
            return
        }
        for (index, label) in choice.labels.enumerated() {
            let button = Widget.check(
                label, isOneOfSeveral: !choice.isToggled, groupedWith: choice.isToggled ? nil : buttons.first)
            button.on("toggled") { [weak self] in
                guard let self, !isUpdating, choice.isToggled || button.isOn else { return }
                tell(.chosen(path, index, isOn: button.isOn))
            }
            buttons.append(button)
            options.append(button)
        }
        if hadFocus { buttons.first?.takeFocus() }
    }

    func speak(_ field: FormField) {
        options.setSpoken(name: field.spokenName, description: field.spokenText)
        list?.speak(field)
        other.widget.setSpoken(name: ListText.pair(field.label, FormWords.other), description: field.spokenText)
        // Each button says what the question is.
        for button in buttons { button.setSpoken(description: "\(field.spokenName). \(field.spokenText)") }
    }

    func flush() { other.send() }
    func onReturn(_ body: @escaping @GLibLoop () -> Void) { other.onReturn(body) }
}

/// Documents: name, size and a small picture of each, and a button to choose a file.
@GLibLoop
final class DocumentsControlView: FormControlView {
    let widget = Widget.box(isRow: false, spacing: 6)
    private let rows = Widget.box(isRow: false, spacing: 6)
    private let choose: Widget
    private let documents: (any DocumentSource)?
    private let path: FormPath
    private let tell: @GLibLoop (FormInput) -> Void
    private var shown: [FormDocument] = []
    private var types: [String] = []
    /// Counts how often the rows were made, so that a late download is not added to a row that is gone.
    private var buildCount = 0
    private var buttons: [Widget] = []
    var parts: [Widget] { buttons + [choose] }

    init(_ path: FormPath, _ documents: (any DocumentSource)?, _ tell: @escaping @GLibLoop (FormInput) -> Void) {
        self.path = path
        self.tell = tell
        self.documents = documents
        choose = .button(FormWords.chooseFile) {}
        gtk_widget_set_halign(choose.widget, GTK_ALIGN_START)
        widget.append(rows)
        widget.append(choose)
        choose.on("clicked") { [weak self] in
            guard let self else { return }
            choose.chooseFile(FormWords.chooseFile, mediaTypes: types) { file in
                guard let file else { return }
                switch ChosenFile.read(file) {
                case .success(let document): tell(.attached(path, document))
                case .failure(let error): tell(.unreadable(path, error.message))
                }
            }
        }
    }

    func update(_ control: FormControl) {
        guard case .documents(let documents, let types, let takesMore) = control else { return }
        self.types = types
        choose.setVisible(takesMore)
        guard documents != shown else { return }
        shown = documents
        buildCount += 1
        rows.removeAll()
        buttons = []
        for (index, document) in documents.enumerated() { rows.append(row(document, index)) }
    }

    private func row(_ document: FormDocument, _ index: Int) -> Widget {
        let (path, tell) = (path, tell)
        let row = Widget.box(isRow: true, spacing: 12)
        row.add(style: "product")
        let place = Widget.box(isRow: false, spacing: 0)
        row.append(place)
        let texts = Widget.box(isRow: false, spacing: 3)
        gtk_widget_set_hexpand(texts.widget, 1)
        texts.append(.label(document.name))
        texts.append(.label(document.size, styles: ["dim-label"]))
        row.append(texts)
        let remove = Widget.button(FormWords.remove) { tell(.removedAnswer(path, index)) }
        gtk_widget_set_valign(remove.widget, GTK_ALIGN_CENTER)
        remove.setSpoken(name: FormWords.spoken(FormWords.remove, of: document.name))
        row.append(remove)
        buttons.append(remove)
        if document.isPicture { show(document, in: place) }
        return row
    }

    private func show(_ document: FormDocument, in place: Widget) {
        let (documents, build) = (documents, buildCount)
        Task { [weak self] in
            guard let bytes = await documents?.bytes(document.digest), let self, build == buildCount,
                let picture = Widget.picture(of: bytes)
            else { return }
            picture.setSpoken(name: document.name)
            place.append(picture)
        }
    }

    func speak(_ field: FormField) {
        choose.setSpoken(name: ListText.pair(field.spokenName, FormWords.chooseFile), description: field.spokenText)
    }
}
