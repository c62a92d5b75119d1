import CGTK

package enum Padlock: Hashable, Sendable {
    case open
    case closed

    /// The name of the icon in the desktop's theme. If the theme lacks it, a status icon shows the picture of `pixels`.
    package var iconName: String {
        switch self {
        case .open: "changes-allow-symbolic"
        case .closed: "changes-prevent-symbolic"
        }
    }

    /// Alpha, red, green and blue of each pixel of a square of this size, line by line, as status icons need them.
    func pixels(_ size: Int) -> [UInt8] {
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, CInt(size), CInt(size)),
            let cairo = cairo_create(surface)
        else { return [] }
        defer { cairo_surface_destroy(surface) }
        // From here on, a unit is a 16th of the square.
        cairo_scale(cairo, Double(size) / 16, Double(size) / 16)
        draw(on: cairo)
        cairo_destroy(cairo)
        cairo_surface_flush(surface)
        guard let data = cairo_image_surface_get_data(surface) else { return [] }
        let stride = Int(cairo_image_surface_get_stride(surface))
        var pixels: [UInt8] = []
        pixels.reserveCapacity(size * size * 4)
        for row in 0..<size {
            for column in 0..<size {
                let pixel = UnsafeRawPointer(data).load(fromByteOffset: row * stride + column * 4, as: UInt32.self)
                let alpha = pixel >> 24
                pixels.append(UInt8(alpha))
                for shift: UInt32 in [16, 8, 0] {
                    // Cairo has multiplied the colours with alpha.
                    let colour = pixel >> shift & 0xFF
                    pixels.append(alpha == 0 ? 0 : UInt8(min(255, colour * 255 / alpha)))
                }
            }
        }
        return pixels
    }

    /// White with a dark edge, so that it is visible on each panel. An open padlock has the colour of parent mode.
    private func draw(on cairo: OpaquePointer) {
        for isEdge in [true, false] {
            let (red, green, blue): (Double, Double, Double) =
                switch (isEdge, self) {
                case (true, _): (0.1, 0.1, 0.1)
                case (false, .open): (0.97, 0.76, 0.2)
                case (false, .closed): (1, 1, 1)
                }
            cairo_set_source_rgb(cairo, red, green, blue)
            cairo_set_line_width(cairo, isEdge ? 3.4 : 1.6)
            cairo_new_path(cairo)
            shackle(on: cairo)
            cairo_stroke(cairo)
            let edge = isEdge ? 0.9 : 0
            cairo_rectangle(cairo, 3.5 - edge, 7.5 - edge, 9 + 2 * edge, 6.5 + 2 * edge)
            cairo_fill(cairo)
        }
    }

    private func shackle(on cairo: OpaquePointer) {
        switch self {
        case .closed:
            cairo_move_to(cairo, 5, 8)
            cairo_line_to(cairo, 5, 5.5)
            cairo_arc(cairo, 8, 5.5, 3, .pi, 2 * .pi)
            cairo_line_to(cairo, 11, 8)
        case .open:
            // One end of the shackle hangs free.
            cairo_move_to(cairo, 5, 8)
            cairo_line_to(cairo, 5, 4.5)
            cairo_arc(cairo, 8, 4.5, 3, .pi, 1.9 * .pi)
        }
    }
}
