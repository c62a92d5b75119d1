import CGTK

extension Widget {
    /// Makes a label with plain text that wraps.
    package static func label(_ text: String, styles: [String] = []) -> Widget {
        guard let made = gtk_label_new(text) else { preconditionFailure("GTK makes no labels") }
        let label = Widget(made)
        gtk_label_set_wrap(label.pointer, 1)
        gtk_label_set_wrap_mode(label.pointer, PANGO_WRAP_WORD_CHAR)
        // If there is room, the label is as wide as its text, and the text is not wrapped.
        gtk_label_set_natural_wrap_mode(label.pointer, GTK_NATURAL_WRAP_NONE)
        gtk_label_set_xalign(label.pointer, 0)
        for style in styles { label.add(style: style) }
        return label
    }

    /// Makes a button with plain text, at least as large as a finger: 44 pixels.
    package static func button(_ text: String, _ pressed: @escaping @GLibLoop () -> Void) -> Widget {
        guard let made = gtk_button_new_with_label(text) else { preconditionFailure("GTK makes no buttons") }
        gtk_widget_set_size_request(made, 44, 44)
        let button = Widget(made)
        button.on("clicked", pressed)
        return button
    }

    package static func box(isRow: Bool, spacing: CInt) -> Widget {
        guard let made = gtk_box_new(isRow ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL, spacing) else {
            preconditionFailure("GTK makes no boxes")
        }
        return Widget(made)
    }

    package static func spinner() -> Widget {
        guard let made = gtk_spinner_new() else { preconditionFailure("GTK makes no spinners") }
        let spinner = Widget(made)
        gtk_spinner_start(spinner.pointer)
        return spinner
    }

    /// Makes a picture of the desktop's icon with this name, or with the name `other` if the desktop has none.
    package static func icon(
        _ name: String, orElse other: String, colour: String? = nil, size: Int = 32
    ) -> Widget {
        let theme = gdk_display_get_default().map { gtk_icon_theme_get_for_display($0) } ?? nil
        // Desktops have most icons only in one colour.
        let names = name.isEmpty ? [] : [name, "\(name)-symbolic"]
        let found = names.first { candidate in
            theme.map { gtk_icon_theme_has_icon($0, candidate) != 0 } ?? false
        }
        guard let made = gtk_image_new_from_icon_name(found ?? other) else {
            preconditionFailure("GTK makes no pictures")
        }
        let icon = Widget(made)
        gtk_image_set_pixel_size(icon.pointer, CInt(size))
        if let colour { icon.setColour(colour) }
        return icon
    }

    /// Makes a picture of an app's icon as its menu entry says it: the name of an icon of the desktop, or the absolute
    /// path of a file. If there is none, it is the picture of any program.
    package static func appIcon(_ icon: String, size: Int = 32) -> Widget {
        guard icon.hasPrefix("/"), g_file_test(icon, G_FILE_TEST_IS_REGULAR) != 0,
            let made = gtk_image_new_from_file(icon)
        else {
            // Entries of old have a file's name.
            let name =
                [".png", ".svg", ".xpm"].first { icon.hasSuffix($0) }.map { icon.dropLast($0.count) } ?? icon[...]
            return .icon(String(name), orElse: "application-x-executable", size: size)
        }
        gtk_image_set_pixel_size(OpaquePointer(made), CInt(size))
        return Widget(made)
    }

    /// - Parameter colour: `#rrggbb`, or a `mix` of such. It becomes part of a style sheet, so it must be nothing else.
    package func setColour(_ colour: String) {
        guard let provider = gtk_css_provider_new() else { return }
        gtk_css_provider_load_from_data(provider, "* { color: \(colour); }", -1)
        gtk_style_context_add_provider(
            gtk_widget_get_style_context(widget), OpaquePointer(provider),
            guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(provider)
    }

    package func remove(style: String) { gtk_widget_remove_css_class(widget, style) }

    package var isSensitive: Bool { gtk_widget_is_sensitive(widget) != 0 }

    package func set(_ property: String, _ isOn: Bool) {
        var value = GValue()
        g_value_init(&value, GType(5 << 2))
        g_value_set_boolean(&value, isOn ? 1 : 0)
        g_object_set_property(UnsafeMutablePointer<GObject>(pointer), property, &value)
        g_value_unset(&value)
    }
}
