package import CGTK

/// A widget of GTK's, which the window owns that it is in.
@GLibLoop
package struct Widget {
    package let pointer: OpaquePointer

    package init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    package init(_ pointer: UnsafeMutablePointer<GtkWidget>) {
        self.pointer = OpaquePointer(pointer)
    }

    package var widget: UnsafeMutablePointer<GtkWidget> { UnsafeMutablePointer(pointer) }

    package func setVisible(_ isVisible: Bool) { gtk_widget_set_visible(widget, isVisible ? 1 : 0) }
    package func setSensitive(_ isSensitive: Bool) { gtk_widget_set_sensitive(widget, isSensitive ? 1 : 0) }
    /// Lets pointers and fingers go through, for this and what is in it.
    package func ignorePresses() { gtk_widget_set_can_target(widget, 0) }
    package func takeFocus() { _ = gtk_widget_grab_focus(widget) }
    /// Takes all the height that there is.
    package func fill() { gtk_widget_set_valign(widget, GTK_ALIGN_FILL) }
    package func add(style: String) { gtk_widget_add_css_class(widget, style) }
    /// Has it measured anew, and all that is in it.
    package func forgetSizes() { Self.forgetSizes(widget) }

    private static func forgetSizes(_ widget: UnsafeMutablePointer<GtkWidget>) {
        gtk_widget_queue_resize(widget)
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            forgetSizes(next)
            child = gtk_widget_get_next_sibling(next)
        }
    }

    /// How large the text of the desktop is: 2 where it is twice as large as usual.
    package static var textScale: Double {
        guard let settings = gtk_settings_get_default() else { return 1 }
        var value = GValue()
        g_value_init(&value, GType(6 << 2))
        defer { g_value_unset(&value) }
        g_object_get_property(UnsafeMutablePointer<GObject>(settings), "gtk-xft-dpi", &value)
        // In 1,024ths of a dot for each inch; less than one: the usual 96.
        let dots = g_value_get_int(&value)
        return dots > 0 ? Double(dots) / 1024 / 96 : 1
    }

    /// In pixels; `nil`: there is no monitor.
    package static var heightOfLowestMonitor: CInt? {
        guard let monitors = gdk_display_get_default().flatMap({ gdk_display_get_monitors($0) }) else { return nil }
        return (0..<g_list_model_get_n_items(monitors)).compactMap { index -> CInt? in
            guard let monitor = g_list_model_get_item(monitors, index) else { return nil }
            defer { g_object_unref(monitor) }
            var place = GdkRectangle()
            gdk_monitor_get_geometry(OpaquePointer(monitor), &place)
            return place.height
        }.min()
    }

    /// Puts a widget at the end of this box.
    package func append(_ child: Widget) { gtk_box_append(UnsafeMutablePointer(pointer), child.widget) }

    /// Keeps what is in this box from left to right in every language: sums and keypads are read so.
    package func keepLeftToRight() {
        gtk_widget_set_direction(widget, GTK_TEXT_DIR_LTR)
        var child = gtk_widget_get_first_child(widget)
        while let inner = child {
            Widget(inner).keepLeftToRight()
            child = gtk_widget_get_next_sibling(inner)
        }
    }

    /// Sets the text of this label, as plain characters.
    package func setText(_ text: String) { gtk_label_set_text(pointer, text) }

    /// Sets the text on this button, as plain characters.
    package func setLabel(_ text: String) { gtk_button_set_label(UnsafeMutablePointer(pointer), text) }
    /// Cuts the end of the text on this button where it is longer, and shows all of it when the pointer is above it.
    package func shortenLabel(toCharacters count: CInt) {
        guard let child = gtk_button_get_child(UnsafeMutablePointer(pointer)) else { return }
        let label = OpaquePointer(child)
        gtk_label_set_ellipsize(label, PANGO_ELLIPSIZE_END)
        gtk_label_set_max_width_chars(label, count)
        gtk_widget_set_tooltip_text(widget, gtk_label_get_text(label))
    }

    /// Sets the name and the description that a screen reader says.
    package func setSpoken(name: String? = nil, description: String? = nil) {
        for (property, text) in [
            (GTK_ACCESSIBLE_PROPERTY_LABEL, name), (GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description),
        ] {
            guard let text else { continue }
            var (properties, value) = ([property], GValue())
            g_value_init(&value, GType(16 << 2))
            g_value_set_string(&value, text)
            gtk_accessible_update_property_value(pointer, 1, &properties, &value)
            g_value_unset(&value)
        }
    }
}

/// The widgets of one `.ui` file, by their names there.
@GLibLoop
package final class Interface {
    private let builder: OpaquePointer

    package init(_ file: [UInt8]) {
        builder = file.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                let builder = gtk_builder_new_from_string(start, gssize(bytes.count))
            else { preconditionFailure("a screen without a file") }
            return builder
        }
    }

    /// A name that the file does not have is our own mistake.
    package func widget(_ name: String) -> Widget {
        guard let object = gtk_builder_get_object(builder, name) else {
            preconditionFailure("there is no '\(name)' in the screen's file")
        }
        return Widget(OpaquePointer(object))
    }

    isolated deinit {
        g_object_unref(UnsafeMutableRawPointer(builder))
    }
}
