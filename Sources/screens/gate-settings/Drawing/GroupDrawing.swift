import CGTK
import GateScreens
import GateWindows

/// Something that a person did on a page.
enum PageInput {
    case pressed(SettingsAct)
    case filtered(JournalFilter)
}

/// A group of a page: heading, plot, filter, rows, and the buttons below them.
@GLibLoop
final class GroupDrawing {
    let widget: Widget
    let id: String
    private let told: @GLibLoop (PageInput) -> Void
    private var group: SettingsGroup?
    private var rows: [RowDrawing] = []
    private let buttonBox = Widget.box(isRow: false, spacing: 6)
    private var buttons: [Widget] = []
    private var plot: PlotDrawing?
    private var week: WeekDrawing?
    private var filter: FilterDrawing?

    init(_ group: SettingsGroup, _ told: @escaping @GLibLoop (PageInput) -> Void) {
        id = group.id
        self.told = told
        guard let made = adw_preferences_group_new() else { preconditionFailure("libadwaita makes no groups") }
        widget = Widget(made)
        if let plot = group.plot { add(plot) }
        if let week = group.week { add(week) }
        if let choices = group.filter { add(choices) }
        gtk_widget_set_margin_top(buttonBox.widget, 12)
        adw_preferences_group_add(UnsafeMutablePointer(widget.pointer), buttonBox.widget)
        show(group)
    }

    func show(_ new: SettingsGroup) {
        guard new != group else { return }
        // These texts are markup, so words that Gate did not write are escaped.
        adw_preferences_group_set_title(UnsafeMutablePointer(widget.pointer), new.title.escapedForMarkup)
        adw_preferences_group_set_description(UnsafeMutablePointer(widget.pointer), new.text.escapedForMarkup)
        if let plot = new.plot { self.plot?.show(plot) }
        if let week = new.week { self.week?.show(week) }
        if let choices = new.filter { filter?.show(choices) }
        showRows(new.rows)
        showButtons(new.buttons)
        group = new
    }

    private func showRows(_ new: [SettingsRow]) {
        let change = RowChange(from: rows, to: new) { $0.fits($1) }
        let old = change.replaced(of: rows.count)
        let focused = rows[old].first { $0.hasFocus }?.id
        let hadFocus = focused != nil
        for drawing in rows[old] {
            adw_preferences_group_remove(UnsafeMutablePointer(widget.pointer), drawing.widget.widget)
        }
        let next = rows[old.upperBound...].first
        let made = new[change.replaced(of: new.count)].map { row in
            RowDrawing(row) { [told] in told(.pressed($0)) }
        }
        for drawing in made { insert(drawing, before: next) }
        rows.replaceSubrange(old, with: made)
        for (drawing, row) in zip(rows, new) { drawing.show(row) }
        guard hadFocus else { return }
        // The keyboard focus stays at its row, or close to it.
        (rows.first { $0.id == focused } ?? rows.dropFirst(old.lowerBound).first ?? rows.last)?.takeFocus()
    }

    /// - Parameter next: the row that comes after it; `nil`: it is the last one.
    private func insert(_ drawing: RowDrawing, before next: RowDrawing?) {
        // A group only appends rows. Its rows are in a list, which inserts them.
        guard let next, let list = gtk_widget_get_parent(next.widget.widget) else {
            adw_preferences_group_add(UnsafeMutablePointer(widget.pointer), drawing.widget.widget)
            return
        }
        let place = gtk_list_box_row_get_index(UnsafeMutablePointer(next.widget.pointer))
        gtk_list_box_insert(OpaquePointer(list), drawing.widget.widget, place)
    }

    private func showButtons(_ new: [SettingsButton]) {
        let hadFocus = buttonBox.hasFocus
        if new.map(\.act) != group?.buttons.map(\.act) {
            for button in buttons { gtk_box_remove(UnsafeMutablePointer(buttonBox.pointer), button.widget) }
            buttons = new.map { button in
                let drawn = Widget.button(button.title) { [told] in told(.pressed(button.act)) }
                drawn.wrapLabel()
                buttonBox.append(drawn)
                return drawn
            }
            if hadFocus { buttons.first?.takeFocus() }
        }
        for (drawn, button) in zip(buttons, new) {
            drawn.draw(button)
            drawn.wrapLabel()
        }
        buttonBox.setVisible(!new.isEmpty)
    }

    private func add(_ plot: MonthPlot) {
        let drawing = PlotDrawing(plot)
        self.plot = drawing
        addAsRow(drawing.widget)
    }

    private func add(_ plot: WeekPlot) {
        let drawing = WeekDrawing(plot)
        week = drawing
        addAsRow(drawing.widget)
    }

    private func add(_ choices: JournalFilterChoices) {
        let drawing = FilterDrawing(choices) { [told] in told(.filtered($0)) }
        filter = drawing
        addAsRow(drawing.widget)
    }

    /// Adds a widget as a row, because rows come before all other widgets in a group.
    private func addAsRow(_ child: Widget) {
        guard let row = adw_preferences_row_new() else { preconditionFailure("libadwaita makes no rows") }
        gtk_list_box_row_set_child(UnsafeMutablePointer(OpaquePointer(row)), child.widget)
        gtk_list_box_row_set_activatable(UnsafeMutablePointer(OpaquePointer(row)), 0)
        gtk_widget_set_focusable(row, 0)
        adw_preferences_group_add(UnsafeMutablePointer(widget.pointer), row)
    }
}

extension Widget {
    /// Wraps the text on this button.
    fileprivate func wrapLabel() {
        guard let label = gtk_button_get_child(UnsafeMutablePointer(pointer)) else { return }
        gtk_label_set_wrap(OpaquePointer(label), 1)
        gtk_label_set_justify(OpaquePointer(label), GTK_JUSTIFY_CENTER)
    }
}
