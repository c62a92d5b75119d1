import CGateProtocol
import GateModel

// presentations.proto: challenges that ask the person to count the corners of shapes

struct ShapesChoice: MessageMapping {
    let problem: ShapesProblem
    let choices: [Int]

    init(problem: ShapesProblem, choices: [Int]) {
        self.problem = problem
        self.choices = choices
    }

    init(reading message: Gate__V1__Shapes) throws(GateError) {
        problem = ShapesProblem(
            left: try [ShapesProblem.Shape](reading: message.left, count: message.n_left),
            operator: try ArithmeticProblem.Operator(wire: message.operation, of: "gate.v1.Shapes.operation"),
            right: try [ShapesProblem.Shape](reading: message.right, count: message.n_right))
        choices = UnsafeBufferPointer(start: message.choices, count: message.n_choices).map { Int($0) }
    }

    func write(to message: inout Gate__V1__Shapes, in arena: inout MessageArena) {
        (message.left, message.n_left) = arena.messages(problem.left)
        message.operation = problem.operator.wire
        (message.right, message.n_right) = arena.messages(problem.right)
        (message.choices, message.n_choices) = arena.numbers(choices.map { UInt32(clamping: $0) })
    }
}

extension ShapesProblem.Shape: MessageMapping {
    init(reading message: Gate__V1__Shape) throws(GateError) {
        self.init(
            try Form(wire: message.form, of: "gate.v1.Shape.form"),
            try Colour(wire: message.colour, of: "gate.v1.Shape.colour"))
    }

    func write(to message: inout Gate__V1__Shape, in arena: inout MessageArena) {
        message.form = form.wire
        message.colour = colour.wire
    }
}

extension ShapesProblem.Shape.Form: EnumMapping {
    var wire: Gate__V1__Shape__Form {
        switch self {
        case .circle: GATE__V1__SHAPE__FORM__FORM_CIRCLE
        case .triangle: GATE__V1__SHAPE__FORM__FORM_TRIANGLE
        case .square: GATE__V1__SHAPE__FORM__FORM_SQUARE
        case .pentagon: GATE__V1__SHAPE__FORM__FORM_PENTAGON
        case .hexagon: GATE__V1__SHAPE__FORM__FORM_HEXAGON
        }
    }
}

extension ShapesProblem.Shape.Colour: EnumMapping {
    var wire: Gate__V1__Shape__Colour {
        switch self {
        case .red: GATE__V1__SHAPE__COLOUR__COLOUR_RED
        case .yellow: GATE__V1__SHAPE__COLOUR__COLOUR_YELLOW
        case .green: GATE__V1__SHAPE__COLOUR__COLOUR_GREEN
        case .blue: GATE__V1__SHAPE__COLOUR__COLOUR_BLUE
        }
    }
}
