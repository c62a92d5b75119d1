import CGTK

// Widgets that a person chooses with: check buttons, drop-down lists, and buttons that unfold something.

extension Widget {
    /// Makes a check button whose text wraps. At most one button of a group is on; `other` is another button of the
    /// group, or `nil` for its first one. `isOneOfSeveral`: screen readers call it a radio button.
    package static func check(_ text: String, isOneOfSeveral: Bool, groupedWith other: Widget? = nil) -> Widget {
        guard let made = gtk_check_button_new() else { preconditionFailure("GTK makes no check buttons") }
        let check = Widget(made)
        if isOneOfSeveral { check.setRole(GTK_ACCESSIBLE_ROLE_RADIO) }
        gtk_check_button_set_child(UnsafeMutablePointer(check.pointer), label(text).widget)
        if let other {
            gtk_check_button_set_group(UnsafeMutablePointer(check.pointer), UnsafeMutablePointer(other.pointer))
        }
        gtk_widget_set_size_request(made, 44, 44)
        check.setSpoken(name: text)
        return check
    }

    /// Sets the role for screen readers. Has to be called before any other accessible property is set.
    private func setRole(_ role: GtkAccessibleRole) {
        var value = GValue()
        g_value_init(&value, gtk_accessible_role_get_type())
        g_value_set_enum(&value, gint(bitPattern: role.rawValue))
        g_object_set_property(UnsafeMutablePointer<GObject>(pointer), "accessible-role", &value)
        g_value_unset(&value)
    }

    package var isOn: Bool { gtk_check_button_get_active(UnsafeMutablePointer(pointer)) != 0 }
    package func setOn(_ isOn: Bool) { gtk_check_button_set_active(UnsafeMutablePointer(pointer), isOn ? 1 : 0) }

    /// `isSearched`: the person can search the list by typing.
    package static func dropDown(_ texts: [String], isSearched: Bool) -> Widget {
        guard let strings = gtk_string_list_new(nil) else { preconditionFailure("GTK makes no lists") }
        for text in texts { gtk_string_list_append(strings, text) }
        let expression = gtk_property_expression_new(gtk_string_object_get_type(), nil, "string")
        guard let made = gtk_drop_down_new(strings, expression) else {
            preconditionFailure("GTK makes no lists that unfold")
        }
        let list = Widget(made)
        gtk_drop_down_set_enable_search(list.pointer, isSearched ? 1 : 0)
        gtk_widget_set_size_request(made, 44, 44)
        return list
    }

    package var selected: Int { Int(gtk_drop_down_get_selected(list)) }
    package func select(_ index: Int) { gtk_drop_down_set_selected(list, guint(index)) }
    private var list: OpaquePointer { pointer }

    package static func unfolding(_ content: Widget, text: String = "", icon: String = "") -> Widget {
        guard let made = gtk_menu_button_new(), let popover = gtk_popover_new() else {
            preconditionFailure("GTK makes no menus")
        }
        let button = Widget(made)
        if !text.isEmpty { gtk_menu_button_set_label(button.pointer, text) }
        if !icon.isEmpty { gtk_menu_button_set_icon_name(button.pointer, icon) }
        gtk_popover_set_child(UnsafeMutablePointer(OpaquePointer(popover)), content.widget)
        gtk_menu_button_set_popover(button.pointer, popover)
        gtk_widget_set_size_request(made, 44, 44)
        return button
    }

    package func fold() { gtk_menu_button_popdown(pointer) }
    package func setUnfoldingLabel(_ text: String) { gtk_menu_button_set_label(pointer, text) }
}
