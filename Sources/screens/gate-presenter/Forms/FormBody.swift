import CGTK
import GateScreens
import GateWindows

/// A form, section by section.
@GLibLoop
final class FormBody: QuestionBody {
    private let interface = Interface(PackageResources.form_ui)
    private let told: @GLibLoop (ScreenInput) -> Void
    private let documents: (any DocumentSource)?
    private let steps = Widget.box(isRow: false, spacing: 0)
    private let places: Widget
    private var shownSteps: [FormPicture.Step] = []
    private var page: String?
    private var keys: [String] = []
    private var rows: [String: any FormRowView] = [:]
    private var forward = FormInput.wentOn
    private var takesAnswer = false
    private var isUpdating = false

    var controls: [Widget] { [] }
    var fillsWindow: Bool { true }
    var widget: Widget { interface.widget("root") }

    init(documents: (any DocumentSource)?, _ told: @escaping @GLibLoop (ScreenInput) -> Void) {
        self.told = told
        self.documents = documents
        places = .unfolding(steps, text: " ")
        interface.widget("place").append(places)
        interface.widget("back").on("clicked") { [weak self] in self?.move(.wentBack) }
        interface.widget("next").on("clicked") { [weak self] in
            guard let self else { return }
            flush()
            tell(forward)
        }
    }

    // MARK: Telling

    private func tell(_ input: FormInput) {
        guard isUpdating else { return told(.form(input)) }
        // A field that is removed during an update reports its text. The machine gets it after the update.
        let told = told
        Task { told(.form(input)) }
    }

    /// Reports the text that is being typed in any field, so that it goes to the daemon before anything else.
    func flush() {
        for key in keys { rows[key]?.flush() }
    }

    private func move(_ input: FormInput) {
        flush()
        tell(input)
    }

    func takeFocus() { interface.widget("page").focusFirst() }

    // MARK: Showing

    func update(_ picture: ScreenModel) {
        guard case .form(let form) = picture.body else { return }
        isUpdating = true
        defer { isUpdating = false }
        takesAnswer = picture.takesAnswer && picture.opening.isEmpty && form.isEditable
        forward = form.forward
        let isOther = page != form.page
        interface.widget("heading").setText(form.heading)
        showSteps(form)
        showRows(form.rows, isOther: isOther)
        let (back, next) = (interface.widget("back"), interface.widget("next"))
        back.setLabel(form.back)
        back.setVisible(!form.back.isEmpty)
        back.setSensitive(takesAnswer)
        next.setLabel(form.next)
        next.setVisible(!form.next.isEmpty)
        next.setSensitive(takesAnswer && form.takesNext)
        guard isOther else { return }
        let isFirst = page == nil
        page = form.page
        interface.widget("scroll").scrollToTop()
        if !isFirst, takesAnswer { takeFocus() }
    }

    private func showSteps(_ form: FormPicture) {
        places.setVisible(form.steps.count > 2)
        places.setSensitive(takesAnswer)
        guard shownSteps != form.steps else { return }
        shownSteps = form.steps
        let position = form.position.isEmpty ? form.heading : form.position
        places.setUnfoldingLabel(position)
        places.setSpoken(name: position)
        steps.removeAll()
        for (index, step) in form.steps.enumerated() {
            let button = Widget.button(step.title) { [weak self] in
                self?.places.fold()
                self?.move(.wentTo(index))
            }
            button.add(style: "flat")
            if step.isCurrent { button.add(style: "current-step") }
            if step.needsAttention { button.add(style: "error") }
            button.setSpoken(name: step.spoken)
            steps.append(button)
        }
    }

    /// A row whose key is still on the page keeps its text and the keyboard focus.
    private func showRows(_ shown: [FormRow], isOther: Bool) {
        let box = interface.widget("page")
        var seen: Set<String> = []
        let unique = shown.filter { seen.insert($0.key).inserted }
        for key in keys where isOther || !seen.contains(key) {
            if let view = rows.removeValue(forKey: key) { box.remove(view.widget) }
        }
        var previous: Widget?
        let isChanged = isOther || keys != unique.map(\.key)
        for row in unique {
            let view: any FormRowView
            if let known = rows[row.key] {
                view = known
                if isChanged { box.place(view.widget, after: previous) }
            } else {
                view = row.content.makeView(documents) { [weak self] in self?.tell($0) }
                rows[row.key] = view
                box.insert(view.widget, after: previous)
            }
            view.update(row.content, isEditable: takesAnswer)
            previous = view.widget
        }
        keys = unique.map(\.key)
    }
}

@GLibLoop
protocol FormRowView: AnyObject {
    var widget: Widget { get }
    func update(_ content: FormRow.Content, isEditable: Bool)
    /// Reports the text that is being typed.
    func flush()
}

extension FormRowView {
    func flush() {}
}

extension FormRow.Content {
    @GLibLoop
    fileprivate func makeView(
        _ documents: (any DocumentSource)?, _ tell: @escaping @GLibLoop (FormInput) -> Void
    ) -> any FormRowView {
        switch self {
        case .text: FormTextView(styles: [])
        case .heading: FormTextView(styles: ["heading"])
        case .field(let field): FormFieldView(field, documents, tell)
        case .line(let line): FormLineView(line.path, tell)
        case .table: FormTableView(tell)
        case .section(let section): FormSectionView(section.index, tell)
        case .beginning(let index, _): FormBeginningView(index, tell)
        case .parts(let offer): FormPartsView(offer.path, tell)
        }
    }
}
