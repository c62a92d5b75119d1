package import CGTK

/// A widget of GTK. It is owned by the window that contains it.
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
    /// Lets presses of pointers and fingers pass through this widget and everything inside of it.
    package func ignorePresses() { gtk_widget_set_can_target(widget, 0) }
    package func takeFocus() { _ = gtk_widget_grab_focus(widget) }
    /// Leaves so many pixels free on each side.
    package func setMargins(_ pixels: CInt) {
        gtk_widget_set_margin_top(widget, pixels)
        gtk_widget_set_margin_bottom(widget, pixels)
        gtk_widget_set_margin_start(widget, pixels)
        gtk_widget_set_margin_end(widget, pixels)
    }

    package func fill() { gtk_widget_set_valign(widget, GTK_ALIGN_FILL) }
    package func add(style: String) { gtk_widget_add_css_class(widget, style) }
    /// Measures this widget and everything inside of it again.
    package func forgetSizes() { Self.forgetSizes(widget) }

    private static func forgetSizes(_ widget: UnsafeMutablePointer<GtkWidget>) {
        gtk_widget_queue_resize(widget)
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            forgetSizes(next)
            child = gtk_widget_get_next_sibling(next)
        }
    }

    /// The size of the desktop's text: 2 if it is twice as large as usual.
    package static var textScale: Double {
        guard let settings = gtk_settings_get_default() else { return 1 }
        var value = GValue()
        g_value_init(&value, GType(6 << 2))
        defer { g_value_unset(&value) }
        g_object_get_property(UnsafeMutablePointer<GObject>(settings), "gtk-xft-dpi", &value)
        // In 1,024ths of a dot per inch. If it is not set, the usual 96 dots.
        let dots = g_value_get_int(&value)
        return dots > 0 ? Double(dots) / 1024 / 96 : 1
    }

    /// In pixels; `nil` if there is no monitor.
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

    package func append(_ child: Widget) { gtk_box_append(UnsafeMutablePointer(pointer), child.widget) }

    /// Lays out everything inside of this box from left to right in every language, as sums and keypads are read.
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
    /// Cuts the end of this button's text if it is longer. The tooltip has the whole text.
    package func shortenLabel(toCharacters count: CInt) {
        guard let child = gtk_button_get_child(UnsafeMutablePointer(pointer)) else { return }
        let label = OpaquePointer(child)
        gtk_label_set_ellipsize(label, PANGO_ELLIPSIZE_END)
        gtk_label_set_max_width_chars(label, count)
        gtk_widget_set_tooltip_text(widget, gtk_label_get_text(label))
    }

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

/// The widgets of a `.ui` file, by their names in it.
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

    /// The widget with this name. A name that is not in the file is a bug of ours, and traps.
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
