import CGTK

extension Widget {
    /// The text in this entry, as it was typed.
    package var text: String {
        gtk_editable_get_text(pointer).map { String(cString: $0) } ?? ""
    }

    /// Puts a text in place of what is in this entry.
    package func setEntryText(_ text: String) { gtk_editable_set_text(pointer, text) }

    /// Puts a text where the cursor of this entry is, in place of what is selected.
    package func type(_ text: String) {
        gtk_editable_delete_selection(pointer)
        var position = gtk_editable_get_position(pointer)
        gtk_editable_insert_text(pointer, text, -1, &position)
        gtk_editable_set_position(pointer, position)
    }

    /// Takes away the character before the cursor of this entry, or what is selected.
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

    /// Whether the keyboard is in this, or in something that is in it.
    package var hasFocus: Bool {
        gtk_widget_get_state_flags(widget).rawValue & GTK_STATE_FLAG_FOCUS_WITHIN.rawValue != 0
    }

    /// The number in this spin button.
    package var number: Int { Int(gtk_spin_button_get_value_as_int(pointer)) }
}
