package import CGTK

private final class DrawClosure: Sendable {
    let body: @GLibLoop (_ cairo: OpaquePointer, _ width: Double, _ height: Double) -> Void

    init(_ body: @escaping @GLibLoop (OpaquePointer, Double, Double) -> Void) {
        self.body = body
    }
}

extension Widget {
    /// Calls the body whenever this drawing area is drawn, with cairo's context and the size in pixels.
    package func onDraw(_ body: @escaping @GLibLoop (_ cairo: OpaquePointer, _ width: Double, _ height: Double) -> Void)
    {
        gtk_drawing_area_set_draw_func(
            UnsafeMutablePointer(pointer),
            { _, cairo, width, height, data in
                guard let cairo, let data else { return }
                let closure = Unmanaged<DrawClosure>.fromOpaque(data).takeUnretainedValue()
                GLibLoop.assumeIsolated { closure.body(cairo, Double(width), Double(height)) }
            }, Unmanaged.passRetained(DrawClosure(body)).toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<DrawClosure>.fromOpaque(data).release()
            })
    }

    package func drawAnew() { gtk_widget_queue_draw(widget) }

    package var textColour: GdkRGBA {
        var colour = GdkRGBA()
        gtk_style_context_get_color(gtk_widget_get_style_context(widget), &colour)
        return colour
    }

    /// A colour of the desktop's theme, like `accent_color`. If the theme lacks it, the colour of the text.
    package func themeColour(_ name: String) -> GdkRGBA {
        var colour = GdkRGBA()
        let isKnown = gtk_style_context_lookup_color(gtk_widget_get_style_context(widget), name, &colour)
        return isKnown != 0 ? colour : textColour
    }

    /// - Parameter height: in pixels.
    package static func drawingArea(height: Int) -> Widget {
        guard let made = gtk_drawing_area_new() else { preconditionFailure("GTK makes no drawing areas") }
        gtk_drawing_area_set_content_height(UnsafeMutablePointer(OpaquePointer(made)), CInt(height))
        return Widget(made)
    }

    /// Redraws this widget for each frame of the screen. Returns a function that stops that.
    package func drawEachFrame() -> @GLibLoop () -> Void {
        let id = gtk_widget_add_tick_callback(
            widget,
            { widget, _, _ in
                gtk_widget_queue_draw(widget)
                return 1
            }, nil, nil)
        return { gtk_widget_remove_tick_callback(widget, id) }
    }
}

extension GdkRGBA {
    /// Lets cairo draw in this colour from now on.
    ///
    /// - Parameter alpha: multiplies the colour's own opacity.
    package func use(in cairo: OpaquePointer, alpha: Double = 1) {
        cairo_set_source_rgba(cairo, Double(red), Double(green), Double(blue), Double(self.alpha) * alpha)
    }
}

extension Widget {
    /// A text that is only drawn, without wrapping: each program on the accessibility bus can read labels.
    package static func drawnText(_ text: String, name: String, description: String) -> Widget {
        guard let made = gtk_drawing_area_new() else { preconditionFailure("GTK makes no drawing areas") }
        let area = Widget(made)
        area.withLayout(of: text) { layout in
            var (width, height): (CInt, CInt) = (0, 0)
            pango_layout_get_pixel_size(layout, &width, &height)
            gtk_drawing_area_set_content_width(UnsafeMutablePointer(area.pointer), width)
            gtk_drawing_area_set_content_height(UnsafeMutablePointer(area.pointer), height)
        }
        gtk_widget_set_halign(made, GTK_ALIGN_CENTER)
        area.setSpoken(name: name, description: description)
        area.onDraw { cairo, _, _ in
            area.withLayout(of: text) {
                gtk_render_layout(gtk_widget_get_style_context(area.widget), cairo, 0, 0, $0)
            }
        }
        return area
    }

    /// Lays out a text in the font of this widget, with centred lines.
    private func withLayout(of text: String, _ body: (OpaquePointer) -> Void) {
        guard let layout = gtk_widget_create_pango_layout(widget, text) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
        body(layout)
    }

    /// A QR code, dark on light whatever the desktop's colours are. `size` is the number of modules on each side.
    package static func code(
        size: Int, name: String, description: String, isDark: @escaping @GLibLoop (_ column: Int, _ row: Int) -> Bool
    ) -> Widget {
        guard let made = gtk_drawing_area_new() else { preconditionFailure("GTK makes no drawing areas") }
        let (area, module, margin) = (Widget(made), 3, 4)
        let side = (size + 2 * margin) * module
        gtk_drawing_area_set_content_width(UnsafeMutablePointer(area.pointer), CInt(side))
        gtk_drawing_area_set_content_height(UnsafeMutablePointer(area.pointer), CInt(side))
        gtk_widget_set_valign(made, GTK_ALIGN_CENTER)
        gtk_widget_set_halign(made, GTK_ALIGN_CENTER)
        area.setSpoken(name: name, description: description)
        area.onDraw { cairo, _, _ in
            cairo_set_source_rgb(cairo, 1, 1, 1)
            cairo_rectangle(cairo, 0, 0, Double(side), Double(side))
            cairo_fill(cairo)
            cairo_set_source_rgb(cairo, 0, 0, 0)
            for row in 0..<size {
                for column in 0..<size where isDark(column, row) {
                    cairo_rectangle(
                        cairo, Double((column + margin) * module), Double((row + margin) * module), Double(module),
                        Double(module))
                }
            }
            cairo_fill(cairo)
        }
        return area
    }
}
