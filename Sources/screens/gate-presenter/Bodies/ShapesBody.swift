import CGTK
import GateModel
import GateScreens
import GateWindows

/// The shapes whose corners are counted, and a large button for each of the results to choose from.
@GLibLoop
struct ShapesBody: QuestionBody {
    private let interface = Interface(PackageResources.shapes_ui)
    let controls: [Widget]
    var widget: Widget { interface.widget("root") }

    /// The size of a shape with its margin, in pixels.
    private static let size = 64.0

    init(_ shapes: ScreenModel.Shapes, choices: [String], _ told: @escaping @GLibLoop (ScreenInput) -> Void) {
        interface.widget("question").setText(shapes.question)
        interface.widget("shapes").setSpoken(name: "\(shapes.spoken) = ?")
        interface.widget("shapes").keepLeftToRight()
        for (name, side) in [("left", shapes.left), ("right", shapes.right)] {
            let area = interface.widget(name)
            gtk_drawing_area_set_content_width(
                UnsafeMutablePointer(area.pointer), CInt(Self.size * Double(min(3, side.count))))
            gtk_drawing_area_set_content_height(
                UnsafeMutablePointer(area.pointer), CInt(Self.size * Double((side.count + 2) / 3)))
            area.onDraw { cairo, _, _ in
                for (index, shape) in side.enumerated() {
                    Self.draw(shape, cairo, x: Double(index % 3) * Self.size, y: Double(index / 3) * Self.size)
                }
            }
        }
        let sign = interface.widget("sign")
        sign.setText(shapes.sign)
        sign.setVisible(!shapes.left.isEmpty && !shapes.right.isEmpty)
        controls = interface.widget("choices").appendChoices(choices, told)
    }

    func update(_ picture: ScreenModel) {}
    func takeFocus() {}

    private static func draw(_ shape: ShapesProblem.Shape, _ cairo: OpaquePointer, x: Double, y: Double) {
        let (centreX, centreY, radius) = (x + size / 2, y + size / 2, size * 0.42)
        cairo_new_path(cairo)
        if shape.form.corners == 0 {
            cairo_arc(cairo, centreX, centreY, radius, 0, 2 * .pi)
        } else {
            let corners = shape.form.corners
            // A square rests on a side. All other shapes have a corner at the top.
            let turn = shape.form == .square ? Double.pi / 4 : 0
            for corner in 0..<corners {
                let angle = 2 * .pi * Double(corner) / Double(corners) - .pi / 2 + turn
                cairo_line_to(cairo, centreX + radius * sine(angle + .pi / 2), centreY + radius * sine(angle))
            }
            cairo_close_path(cairo)
        }
        let (red, green, blue) = colour(shape.colour)
        cairo_set_source_rgb(cairo, red, green, blue)
        cairo_fill_preserve(cairo)
        // A dark outline, so that the corners are visible on any background.
        cairo_set_source_rgb(cairo, red * 0.45, green * 0.45, blue * 0.45)
        cairo_set_line_width(cairo, 3)
        cairo_stroke(cairo)
    }

    private static func sine(_ angle: Double) -> Double {
        var matrix = cairo_matrix_t()
        cairo_matrix_init_rotate(&matrix, angle)
        return matrix.yx
    }

    private static func colour(_ colour: ShapesProblem.Shape.Colour) -> (Double, Double, Double) {
        switch colour {
        case .red: (0.88, 0.11, 0.14)
        case .yellow: (0.97, 0.83, 0.18)
        case .green: (0.18, 0.76, 0.49)
        case .blue: (0.21, 0.52, 0.89)
        case _: (0.5, 0.5, 0.5)
        }
    }
}
