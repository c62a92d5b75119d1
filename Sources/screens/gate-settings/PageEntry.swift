import CGTK
import GateScreens
import GateWindows

/// The entry of a page in the list of pages: an icon, the title, and how many questions wait there.
@GLibLoop
struct PageEntry {
    let row: Widget
    private let number = Widget.label("", styles: ["count"])

    init(_ page: SettingsPage.ID) {
        let box = Widget.box(isRow: true, spacing: 12)
        guard let icon = gtk_image_new_from_icon_name(SettingsWords.icon(of: page)), let row = gtk_list_box_row_new()
        else { preconditionFailure("GTK makes no rows") }
        box.append(Widget(icon))
        let label = Widget.label(SettingsWords.title(of: page))
        gtk_widget_set_hexpand(label.widget, 1)
        box.append(label)
        gtk_widget_set_valign(number.widget, GTK_ALIGN_CENTER)
        box.append(number)
        gtk_widget_set_size_request(box.widget, -1, 44)
        gtk_list_box_row_set_child(UnsafeMutablePointer(OpaquePointer(row)), box.widget)
        self.row = Widget(row)
        self.row.setSpoken(name: SettingsWords.title(of: page))
        show(0)
    }

    /// Shows how many questions wait on this page; nothing if none does.
    func show(_ count: Int) {
        number.setText("\(count)")
        number.setVisible(count > 0)
        row.setSpoken(description: SettingsWords.waiting(count))
    }
}
