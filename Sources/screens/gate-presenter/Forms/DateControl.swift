import CGTK
import GateClient
import GateModel
import GateScreens
import GateTexts
import GateWindows

/// A date that is typed as the person writes it, or chosen in a calendar.
@GLibLoop
final class DateControlView: FormControlView {
    let widget = Widget.box(isRow: true, spacing: 6)
    private let entry: TypedEntry
    private let calendar = DateCalendarView()
    private let unfold: Widget
    var parts: [Widget] { [entry.widget, unfold] }

    init(_ path: FormPath, _ tell: @escaping @GLibLoop (FormInput) -> Void) {
        entry = TypedEntry(.words, edited: { tell(.edited(path)) }, typed: { tell(.typed(path, $0)) })
        unfold = .unfolding(calendar.widget, icon: "x-office-calendar-symbolic")
        let (calendar, unfold) = (calendar, unfold)
        calendar.onChosen { date in
            unfold.fold()
            tell(.typed(path, "\(date)"))
        }
        calendar.widget.on("map") { [weak calendar] in calendar?.begin() }
        widget.append(entry.widget)
        widget.append(unfold)
    }

    func update(_ control: FormControl) {
        guard case .date(let text, let shown, let limits) = control else { return }
        entry.show(text)
        calendar.show(shown, within: limits)
    }

    func speak(_ field: FormField) {
        entry.widget.speak(field)
        unfold.setSpoken(name: FormWords.spoken(FormWords.calendar, of: field.label))
    }

    func flush() { entry.send() }
    func onReturn(_ body: @escaping @GLibLoop () -> Void) { entry.onReturn(body) }
    func onHeld(_ body: @escaping @GLibLoop (Bool) -> Void) { entry.onHeld(body) }
    func showHeld() { entry.showHeld() }
}

/// A calendar: the years, then the months, then the days, each as buttons of the size of a finger.
@GLibLoop
final class DateCalendarView {
    let widget = Widget.box(isRow: false, spacing: 6)
    private let rows = Widget.box(isRow: false, spacing: 0)
    private let earlier: Widget
    private let title: Widget
    private let later: Widget
    private var answer: CivilDate?
    private var limits: ClosedRange<CivilDate>?
    private var choosing: DateChoosing?
    private var chosen: @GLibLoop (CivilDate) -> Void = { _ in }

    init() {
        earlier = .button("‹") {}
        later = .button("›") {}
        title = .button("") {}
        let bar = Widget.box(isRow: true, spacing: 6)
        for button in [earlier, title, later] { bar.append(button) }
        gtk_widget_set_hexpand(title.widget, 1)
        for (button, press) in [(earlier, DateChoosing.Press.earlier), (title, .back), (later, .later)] {
            button.add(style: "flat")
            button.on("clicked") { [weak self] in self?.press(press) }
        }
        earlier.setSpoken(name: DateWords.earlier)
        later.setSpoken(name: DateWords.later)
        // All pages have the same width.
        gtk_widget_set_size_request(widget.widget, 7 * 44, -1)
        widget.add(style: "calendar")
        widget.append(bar)
        widget.append(rows)
    }

    func onChosen(_ body: @escaping @GLibLoop (CivilDate) -> Void) { chosen = body }

    func show(_ answer: CivilDate?, within limits: ClosedRange<CivilDate>) {
        guard (self.answer, self.limits) != (answer, limits) else { return }
        (self.answer, self.limits) = (answer, limits)
        // When it unfolds, it gets the size of its rows, so they are made before.
        begin()
    }

    /// Begins with the years again.
    func begin() {
        guard let limits else { return }
        choosing = DateChoosing(
            within: limits, answer: answer, today: LocalTime.now().day,
            // In countries where the month is written first, the week begins on Sunday.
            weekBeginsOnSunday: WritingHabits.ofPerson.dateOrder.first == .month)
        draw()
    }

    private func press(_ press: DateChoosing.Press) {
        guard let date = choosing?.pressed(press) else { return draw() }
        chosen(date)
    }

    private func draw() {
        guard let picture = choosing?.picture else { return }
        title.setLabel(picture.title)
        title.setSensitive(picture.hasBack)
        earlier.setSensitive(picture.hasEarlier)
        later.setSensitive(picture.hasLater)
        rows.removeAll()
        if !picture.weekdays.isEmpty { rows.append(row(picture.weekdays.map(weekday))) }
        var first: Widget?
        for start in stride(from: 0, to: picture.cells.count, by: picture.columns) {
            let cells = picture.cells[start..<min(start + picture.columns, picture.cells.count)]
            let missing = Array(repeating: DateChoosing.Cell?.none, count: picture.columns - cells.count)
            rows.append(
                row(
                    (cells + missing).map { cell in
                        guard let cell else { return weekday("") }
                        let button = button(cell)
                        if cell.isWithinLimits, first == nil || cell.isAnswer { first = button }
                        return button
                    }))
        }
        if gtk_widget_get_mapped(widget.widget) != 0 { first?.takeFocus() }
    }

    private func button(_ cell: DateChoosing.Cell) -> Widget {
        let button = Widget.button(DateChoosing.label(of: cell.choice)) { [weak self] in
            self?.press(.choice(cell.choice))
        }
        button.add(style: cell.isAnswer ? "suggested-action" : "flat")
        button.setSensitive(cell.isWithinLimits)
        return button
    }

    private func weekday(_ text: String) -> Widget {
        let label = Widget.label(text, styles: ["dim-label"])
        gtk_label_set_xalign(label.pointer, 0.5)
        return label
    }

    private func row(_ parts: [Widget]) -> Widget {
        let row = Widget.box(isRow: true, spacing: 0)
        gtk_box_set_homogeneous(UnsafeMutablePointer(row.pointer), 1)
        for part in parts { row.append(part) }
        return row
    }
}
