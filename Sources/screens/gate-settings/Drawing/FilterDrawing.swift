import CGTK
import GateScreens
import GateWindows

/// The filter of the journal: three lists to choose from.
@GLibLoop
final class FilterDrawing {
    let widget: Widget
    private let told: @GLibLoop (JournalFilter) -> Void
    private let subject: Widget
    private let period: Widget
    private let user: Widget
    private var choices: JournalFilterChoices
    private var isWriting = false

    init(_ choices: JournalFilterChoices, _ told: @escaping @GLibLoop (JournalFilter) -> Void) {
        self.choices = choices
        self.told = told
        guard let made = gtk_flow_box_new() else { preconditionFailure("GTK makes no boxes") }
        widget = Widget(made)
        gtk_flow_box_set_selection_mode(widget.pointer, GTK_SELECTION_NONE)
        gtk_flow_box_set_max_children_per_line(widget.pointer, 3)
        gtk_flow_box_set_column_spacing(widget.pointer, 6)
        gtk_flow_box_set_row_spacing(widget.pointer, 6)
        for set in [
            gtk_widget_set_margin_top, gtk_widget_set_margin_bottom, gtk_widget_set_margin_start,
            gtk_widget_set_margin_end,
        ] { set(widget.widget, 6) }
        subject = Self.list(choices.subjects, spoken: choices.spokenSubject)
        period = Self.list(choices.periods, spoken: choices.spokenPeriod)
        user = Self.list(choices.userNames, spoken: choices.spokenUser)
        // A page that is drawn anew keeps the filter that was set before.
        showFilter()
        for list in [subject, period, user] {
            gtk_flow_box_append(widget.pointer, list.widget)
            // The keyboard focus skips the holder and goes to the list in it.
            if let holder = gtk_widget_get_parent(list.widget) { gtk_widget_set_focusable(holder, 0) }
            list.on("notify::selected") { [weak self] in self?.chosen() }
        }
    }

    /// Shows the users, of whom some may be new, and what is chosen in each list.
    func show(_ new: JournalFilterChoices) {
        guard new != choices else { return }
        isWriting = true
        defer { isWriting = false }
        if new.userNames != choices.userNames {
            let model = Self.model(new.userNames)
            gtk_drop_down_set_model(user.pointer, model)
            // The list has taken its own reference.
            if let model { g_object_unref(UnsafeMutableRawPointer(model)) }
        }
        choices = new
        showFilter()
    }

    private func showFilter() {
        for (list, place) in zip([subject, period, user], choices.places) {
            gtk_drop_down_set_selected(list.pointer, guint(place))
        }
    }

    private func chosen() {
        guard !isWriting else { return }
        let places = [subject, period, user].map { Int(gtk_drop_down_get_selected($0.pointer)) }
        told(choices.chosen(subject: places[0], period: places[1], user: places[2]))
    }

    private static func list(_ texts: [String], spoken: String) -> Widget {
        guard let made = gtk_drop_down_new(model(texts), nil) else { preconditionFailure("GTK makes no lists") }
        let list = Widget(made)
        gtk_widget_set_size_request(made, -1, 44)
        list.setSpoken(name: spoken)
        return list
    }

    /// A list of texts. The caller owns the reference; `gtk_drop_down_new` takes it over.
    private static func model(_ texts: [String]) -> OpaquePointer? {
        let model = gtk_string_list_new(nil)
        for text in texts { gtk_string_list_append(model, text) }
        return model
    }
}
