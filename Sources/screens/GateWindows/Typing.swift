import CGTK

// Widgets into which a person types, and what forms need around them.

extension Widget {
    package static func entry(maximumLength: Int) -> Widget {
        guard let made = gtk_entry_new() else { preconditionFailure("GTK makes no fields") }
        let entry = Widget(made)
        gtk_entry_set_max_length(UnsafeMutablePointer(entry.pointer), CInt(maximumLength))
        gtk_widget_set_size_request(made, 44, 44)
        gtk_widget_set_hexpand(made, 1)
        return entry
    }

    package func takeNumbers() {
        gtk_entry_set_input_purpose(UnsafeMutablePointer(pointer), GTK_INPUT_PURPOSE_NUMBER)
    }

    package func takeAddresses() { gtk_entry_set_input_purpose(UnsafeMutablePointer(pointer), GTK_INPUT_PURPOSE_URL) }

    /// Tells an on-screen keyboard that this field takes names: without corrections, and in lower case.
    package func takeNames() {
        let hints = GTK_INPUT_HINT_NO_SPELLCHECK.rawValue | GTK_INPUT_HINT_LOWERCASE.rawValue
        gtk_entry_set_input_hints(UnsafeMutablePointer(pointer), GtkInputHints(rawValue: hints))
    }

    /// Makes a field of several lines. Tab leads to the next widget.
    package static func paragraph() -> Widget {
        guard let made = gtk_text_view_new() else { preconditionFailure("GTK makes no text fields") }
        let view = Widget(made)
        let text: UnsafeMutablePointer<GtkTextView> = UnsafeMutablePointer(view.pointer)
        gtk_text_view_set_accepts_tab(text, 0)
        gtk_text_view_set_wrap_mode(text, GTK_WRAP_WORD_CHAR)
        for set in [
            gtk_text_view_set_left_margin, gtk_text_view_set_right_margin, gtk_text_view_set_top_margin,
            gtk_text_view_set_bottom_margin,
        ] { set(text, 9) }
        return view
    }

    private var buffer: UnsafeMutablePointer<GtkTextBuffer>? {
        gtk_text_view_get_buffer(UnsafeMutablePointer(pointer))
    }

    package var paragraph: String {
        guard let buffer else { return "" }
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(buffer, &start, &end)
        guard let text = gtk_text_buffer_get_text(buffer, &start, &end, 0) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    package func setParagraph(_ text: String) {
        if let buffer { gtk_text_buffer_set_text(buffer, text, -1) }
    }

    package func onParagraphChanged(_ body: @escaping @GLibLoop () -> Void) {
        if let buffer { Widget(OpaquePointer(buffer)).on("changed", body) }
    }

    /// Makes an area that can be scrolled if the widget is higher.
    package static func scroll(_ child: Widget, minimumHeight: Int) -> Widget {
        guard let made = gtk_scrolled_window_new() else { preconditionFailure("GTK makes no room") }
        let scroll = Widget(made)
        gtk_scrolled_window_set_policy(scroll.pointer, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_min_content_height(scroll.pointer, CInt(minimumHeight))
        gtk_scrolled_window_set_child(scroll.pointer, child.widget)
        return scroll
    }

    package func scrollToTop() {
        if let adjustment = gtk_scrolled_window_get_vadjustment(pointer) { gtk_adjustment_set_value(adjustment, 0) }
    }

    package func moveFocusOn() {
        guard let root = gtk_widget_get_root(widget) else { return }
        _ = gtk_widget_child_focus(Widget(root).widget, GTK_DIR_TAB_FORWARD)
    }

    package func focusFirst() { _ = gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD) }

    /// Tells screen readers whether this has to be filled in, and whether its content is wrong.
    package func setSpoken(isRequired: Bool, isWrong: Bool) {
        var (property, value) = (GTK_ACCESSIBLE_PROPERTY_REQUIRED, GValue())
        gtk_accessible_property_init_value(property, &value)
        g_value_set_boolean(&value, isRequired ? 1 : 0)
        gtk_accessible_update_property_value(pointer, 1, &property, &value)
        g_value_unset(&value)
        var (state, wrong) = (GTK_ACCESSIBLE_STATE_INVALID, GValue())
        // GTK 4.8 reads an integer here for every state.
        g_value_init(&wrong, GType(6 << 2))
        let invalid = isWrong ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE
        g_value_set_int(&wrong, gint(bitPattern: invalid.rawValue))
        gtk_accessible_update_state_value(pointer, 1, &state, &wrong)
        g_value_unset(&wrong)
    }

    package func removeAll() {
        while let child = gtk_widget_get_first_child(widget) { gtk_box_remove(UnsafeMutablePointer(pointer), child) }
    }

    package func remove(_ child: Widget) { gtk_box_remove(UnsafeMutablePointer(pointer), child.widget) }

    /// Inserts a widget into this box behind another one; `nil`: at the beginning.
    package func insert(_ child: Widget, after other: Widget?) {
        gtk_box_insert_child_after(UnsafeMutablePointer(pointer), child.widget, other?.widget)
    }

    /// Moves a widget in this box behind another one; `nil`: to the beginning.
    package func place(_ child: Widget, after other: Widget?) {
        gtk_box_reorder_child_after(UnsafeMutablePointer(pointer), child.widget, other?.widget)
    }
}
