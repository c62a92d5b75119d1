import CGTK
import GateModel
import GateScreens
import GateWindows

@GLibLoop
final class FormTextView: FormRowView {
    let widget: Widget

    init(styles: [String]) {
        widget = .label("", styles: styles)
    }

    func update(_ content: FormRow.Content, isEditable: Bool) {
        switch content {
        case .text(let text), .heading(let text): widget.setText(text)
        case .field, .line, .table, .section, .beginning, .parts: break
        }
    }
}

/// A group in one line, which opens the group's page.
@GLibLoop
final class FormLineView: FormRowView {
    let widget = Widget.box(isRow: false, spacing: 6)
    private let button: Widget
    private let label = Widget.label("")
    private let summary = Widget.label("", styles: ["heading"])
    private var shown: FormLine?
    private let error = Widget.label("", styles: ["error"])

    init(_ path: FormPath, _ tell: @escaping @GLibLoop (FormInput) -> Void) {
        button = .button("") { tell(.opened(path)) }
        let texts = Widget.box(isRow: false, spacing: 3)
        gtk_widget_set_hexpand(texts.widget, 1)
        texts.append(label)
        texts.append(summary)
        let row = Widget.box(isRow: true, spacing: 12)
        row.append(texts)
        row.append(.icon("go-next-symbolic", orElse: "go-next-symbolic", size: 16))
        gtk_button_set_child(UnsafeMutablePointer(button.pointer), row.widget)
        widget.append(button)
        widget.append(error)
    }

    func update(_ content: FormRow.Content, isEditable: Bool) {
        guard case .line(let line) = content, line != shown || isEditable != button.isSensitive else { return }
        shown = line
        label.setText(line.label)
        summary.setText(line.summary.isEmpty ? FormWords.empty : line.summary)
        error.setText(line.error)
        error.setVisible(!line.error.isEmpty)
        button.setSpoken(name: line.label, description: "\(line.summary) \(line.error)")
        button.setSensitive(isEditable)
    }
}

/// A group that repeats: a row for each instance, and a button to add one.
@GLibLoop
final class FormTableView: FormRowView {
    let widget = Widget.box(isRow: false, spacing: 6)
    private let label = Widget.label("", styles: ["heading"])
    private let rows = Widget.box(isRow: false, spacing: 6)
    private let error = Widget.label("", styles: ["error"])
    private let add: Widget
    private let tell: @GLibLoop (FormInput) -> Void
    private var shown: FormTable?
    private var buttons: [Widget] = []

    init(_ tell: @escaping @GLibLoop (FormInput) -> Void) {
        self.tell = tell
        let button = Widget.button(FormWords.add) {}
        add = button
        gtk_widget_set_halign(button.widget, GTK_ALIGN_START)
        for part in [label, rows, error, add] { widget.append(part) }
        button.on("clicked") { [weak self] in
            if let path = self?.shown?.added { tell(.added(path)) }
        }
    }

    func update(_ content: FormRow.Content, isEditable: Bool) {
        guard case .table(let table) = content else { return }
        label.setText(table.label)
        error.setText(table.error)
        error.setVisible(!table.error.isEmpty)
        add.setVisible(table.added != nil)
        add.setSpoken(name: FormWords.spoken(FormWords.add, of: table.label), description: table.error)
        if table != shown {
            let hadFocus = rows.hasFocus
            shown = table
            rows.removeAll()
            buttons = []
            for row in table.rows { rows.append(self.row(row, takesRemoval: table.takesRemoval)) }
            // The button that was pressed is removed, so another one gets the keyboard focus.
            if hadFocus { (buttons.first ?? add).takeFocus() }
        }
        for button in buttons + [add] { button.setSensitive(isEditable) }
    }

    private func row(_ line: FormLine, takesRemoval: Bool) -> Widget {
        let tell = tell
        let row = Widget.box(isRow: true, spacing: 6)
        row.add(style: "product")
        let texts = Widget.box(isRow: false, spacing: 3)
        gtk_widget_set_hexpand(texts.widget, 1)
        gtk_widget_set_valign(texts.widget, GTK_ALIGN_CENTER)
        texts.append(.label(line.label, styles: ["dim-label"]))
        texts.append(.label(line.summary.isEmpty ? FormWords.empty : line.summary))
        if !line.error.isEmpty { texts.append(.label(line.error, styles: ["error"])) }
        row.append(texts)
        let edit = Widget.button(FormWords.edit) { tell(.opened(line.path)) }
        edit.setSpoken(name: FormWords.spoken(FormWords.edit, of: line.label), description: line.summary)
        row.append(edit)
        buttons.append(edit)
        guard takesRemoval else { return row }
        let remove = Widget.button(FormWords.remove) { tell(.removed(line.path)) }
        remove.setSpoken(name: FormWords.spoken(FormWords.remove, of: line.label), description: line.summary)
        row.append(remove)
        buttons.append(remove)
        return row
    }
}

/// A section on the overview: its answers, its errors, and a button that leads to it.
@GLibLoop
final class FormSectionView: FormRowView {
    let widget = Widget.box(isRow: false, spacing: 6)
    private let title = Widget.label("", styles: ["heading"])
    private let answers = Widget.box(isRow: false, spacing: 3)
    private let edit: Widget
    private var shown: FormSectionSummary?

    init(_ index: Int, _ tell: @escaping @GLibLoop (FormInput) -> Void) {
        edit = .button(FormWords.edit) { tell(.wentTo(index)) }
        let row = Widget.box(isRow: true, spacing: 12)
        gtk_widget_set_hexpand(title.widget, 1)
        row.append(title)
        row.append(edit)
        widget.append(row)
        widget.append(answers)
        widget.add(style: "product")
    }

    func update(_ content: FormRow.Content, isEditable: Bool) {
        guard case .section(let section) = content else { return }
        edit.setSensitive(isEditable)
        guard section != shown else { return }
        shown = section
        title.setText(section.title)
        edit.setSpoken(
            name: FormWords.spoken(FormWords.edit, of: section.title),
            description: (section.missing + section.problems).joined(separator: " "))
        answers.removeAll()
        for answer in section.answers { answers.append(.label(answer)) }
        for missing in section.missing { answers.append(.label(missing, styles: ["dim-label"])) }
        for problem in section.problems { answers.append(.label(problem, styles: ["error"])) }
    }
}

/// A way to begin with the form, as a large button.
@GLibLoop
final class FormBeginningView: FormRowView {
    let widget: Widget
    private let text = Widget.label("", styles: ["heading"])
    private var shown = ""

    init(_ index: Int, _ tell: @escaping @GLibLoop (FormInput) -> Void) {
        widget = .button("") { tell(.began(index)) }
        gtk_widget_set_size_request(widget.widget, -1, 60)
        let row = Widget.box(isRow: true, spacing: 12)
        gtk_widget_set_hexpand(text.widget, 1)
        row.append(text)
        row.append(.icon("go-next-symbolic", orElse: "go-next-symbolic", size: 16))
        gtk_button_set_child(UnsafeMutablePointer(widget.pointer), row.widget)
    }

    func update(_ content: FormRow.Content, isEditable: Bool) {
        guard case .beginning(_, let words) = content else { return }
        widget.setSensitive(isEditable)
        guard words != shown else { return }
        shown = words
        text.setText(words)
        widget.setSpoken(name: words)
    }
}

/// The button that leads to earlier answers.
@GLibLoop
final class FormPartsView: FormRowView {
    let widget: Widget

    init(_ path: FormPath, _ tell: @escaping @GLibLoop (FormInput) -> Void) {
        widget = .button(FormWords.before) { tell(.askedForParts(path)) }
        gtk_widget_set_halign(widget.widget, GTK_ALIGN_START)
    }

    func update(_ content: FormRow.Content, isEditable: Bool) {
        guard case .parts(let offer) = content else { return }
        widget.setSpoken(name: FormWords.spoken(FormWords.before, of: offer.label))
        widget.setSensitive(isEditable && offer.isSensitive)
    }
}
