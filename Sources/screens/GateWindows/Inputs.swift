import CGTK

extension Widget {
    package var text: String {
        gtk_editable_get_text(pointer).map { String(cString: $0) } ?? ""
    }

    package func setEntryText(_ text: String) { gtk_editable_set_text(pointer, text) }

    /// Types a text at the cursor of this entry. It replaces the selected text.
    package func type(_ text: String) {
        gtk_editable_delete_selection(pointer)
        var position = gtk_editable_get_position(pointer)
        gtk_editable_insert_text(pointer, text, -1, &position)
        gtk_editable_set_position(pointer, position)
    }

    /// Deletes the selected text of this entry, or the character before the cursor.
    package func eraseBackwards() {
        var (start, end): (CInt, CInt) = (0, 0)
        guard gtk_editable_get_selection_bounds(pointer, &start, &end) == 0 else {
            gtk_editable_delete_selection(pointer)
            return
        }
        let position = gtk_editable_get_position(pointer)
        guard position > 0 else { return }
        gtk_editable_delete_text(pointer, position - 1, position)
    }

    /// Whether this, or something inside of it, has the keyboard focus.
    package var hasFocus: Bool {
        gtk_widget_get_state_flags(widget).rawValue & GTK_STATE_FLAG_FOCUS_WITHIN.rawValue != 0
    }

    package var number: Int { Int(gtk_spin_button_get_value_as_int(pointer)) }
}
