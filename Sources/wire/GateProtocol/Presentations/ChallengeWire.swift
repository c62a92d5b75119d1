import CGateProtocol
import GateModel

// presentations.proto: the contents of presentations that are challenges. ShapesWire.swift has those with shapes.

extension Challenge {
    /// - Throws: `INVALID_ARGUMENT` if this version does not know the kind of challenge, or a part of it.
    init(contentOf message: Gate__V1__Presentation) throws(GateError) {
        guard let challenge = try Self.content(of: message) else {
            throw .wrong("gate.v1.Presentation", "holds no content that this version knows")
        }
        self = challenge
    }

    private static func content(of message: Gate__V1__Presentation) throws(GateError) -> Challenge? {
        guard let kind = Kind.allCases.first(where: { $0.content == message.content_case }) else { return nil }
        switch kind {
        case .arithmeticChoice:
            guard let content = message.arithmetic_choice else { return nil }
            let choice = try ArithmeticChoice(reading: content.pointee)
            return .arithmeticChoice(choice.problem, choices: choice.choices)
        case .arithmeticEntry:
            guard let content = message.arithmetic_entry else { return nil }
            return .arithmeticEntry(try ArithmeticProblem(reading: content.pointee))
        case .shapes:
            guard let content = message.shapes else { return nil }
            let choice = try ShapesChoice(reading: content.pointee)
            return .shapes(choice.problem, choices: choice.choices)
        case .quiz:
            guard let content = message.quiz else { return nil }
            return .quiz(try Quiz(reading: content.pointee).texts)
        case .confirm:
            return .confirm
        case .birthdate:
            guard let content = message.birthdate else { return nil }
            return .birthdate(try BirthdateCalendar(reading: content.pointee))
        case .passcode:
            return .passcode
        case .totp:
            return .totp
        case .hold:
            guard let content = message.hold else { return nil }
            return .hold(Hold(reading: content.pointee).duration)
        case .swipe:
            guard let content = message.swipe else { return nil }
            return .swipe(try SwipeGesture(reading: content.pointee))
        }
    }

    func write(toContentOf message: inout Gate__V1__Presentation, in arena: inout MessageArena) {
        message.content_case = kind.content
        switch self {
        case .arithmeticChoice(let problem, let choices):
            message.arithmetic_choice = arena.message(ArithmeticChoice(problem: problem, choices: choices))
        case .arithmeticEntry(let problem): message.arithmetic_entry = arena.message(problem)
        case .shapes(let problem, let choices):
            message.shapes = arena.message(ShapesChoice(problem: problem, choices: choices))
        case .quiz(let texts): message.quiz = arena.message(Quiz(texts: texts))
        case .confirm: message.confirm = arena.blank()
        case .birthdate(let calendar): message.birthdate = arena.message(calendar)
        case .passcode: message.passcode = arena.blank()
        case .totp: message.totp = arena.blank()
        case .hold(let duration): message.hold = arena.message(Hold(duration: duration))
        case .swipe(let gesture): message.swipe = arena.message(gesture)
        }
    }
}

extension Challenge.Kind {
    fileprivate var content: Gate__V1__Presentation__ContentCase {
        switch self {
        case .arithmeticChoice: GATE__V1__PRESENTATION__CONTENT_ARITHMETIC_CHOICE
        case .arithmeticEntry: GATE__V1__PRESENTATION__CONTENT_ARITHMETIC_ENTRY
        case .shapes: GATE__V1__PRESENTATION__CONTENT_SHAPES
        case .quiz: GATE__V1__PRESENTATION__CONTENT_QUIZ
        case .confirm: GATE__V1__PRESENTATION__CONTENT_CONFIRM
        case .birthdate: GATE__V1__PRESENTATION__CONTENT_BIRTHDATE
        case .passcode: GATE__V1__PRESENTATION__CONTENT_PASSCODE
        case .totp: GATE__V1__PRESENTATION__CONTENT_TOTP
        case .hold: GATE__V1__PRESENTATION__CONTENT_HOLD
        case .swipe: GATE__V1__PRESENTATION__CONTENT_SWIPE
        }
    }

    var wire: Gate__V1__PresentationKind {
        switch self {
        case .arithmeticChoice: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_ARITHMETIC_CHOICE
        case .arithmeticEntry: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_ARITHMETIC_ENTRY
        case .shapes: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_SHAPES
        case .quiz: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_QUIZ
        case .confirm: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_CONFIRM
        case .birthdate: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_BIRTHDATE
        case .passcode: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_PASSCODE
        case .totp: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_TOTP
        case .hold: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_HOLD
        case .swipe: GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_SWIPE
        }
    }
}

// MARK: Arithmetic

/// The content of a presentation that offers several results of a sum to choose from.
private struct ArithmeticChoice: MessageMapping {
    let problem: ArithmeticProblem
    let choices: [Int]

    init(problem: ArithmeticProblem, choices: [Int]) {
        self.problem = problem
        self.choices = choices
    }

    init(reading message: Gate__V1__ArithmeticChoice) throws(GateError) {
        problem = try ArithmeticProblem(left: message.left, operator: message.operation, right: message.right)
        choices = UnsafeBufferPointer(start: message.choices, count: message.n_choices).map { Int($0) }
    }

    func write(to message: inout Gate__V1__ArithmeticChoice, in arena: inout MessageArena) {
        message.left = UInt32(clamping: problem.left)
        message.operation = problem.operator.wire
        message.right = UInt32(clamping: problem.right)
        (message.choices, message.n_choices) = arena.numbers(choices.map { UInt32(clamping: $0) })
    }
}

extension ArithmeticProblem: MessageMapping {
    init(reading message: Gate__V1__ArithmeticEntry) throws(GateError) {
        try self.init(left: message.left, operator: message.operation, right: message.right)
    }

    init(left: UInt32, operator: Gate__V1__Operator, right: UInt32) throws(GateError) {
        self.init(
            left: Int(left), operator: try Operator(wire: `operator`, of: "the operator of the challenge"),
            right: Int(right))
    }

    func write(to message: inout Gate__V1__ArithmeticEntry, in arena: inout MessageArena) {
        message.left = UInt32(clamping: left)
        message.operation = `operator`.wire
        message.right = UInt32(clamping: right)
    }
}

extension ArithmeticProblem.Operator: EnumMapping {
    var wire: Gate__V1__Operator {
        switch self {
        case .plus: GATE__V1__OPERATOR__OPERATOR_PLUS
        case .minus: GATE__V1__OPERATOR__OPERATOR_MINUS
        case .times: GATE__V1__OPERATOR__OPERATOR_TIMES
        case .dividedBy: GATE__V1__OPERATOR__OPERATOR_DIVIDED_BY
        }
    }
}

// MARK: Quiz

private struct Quiz: MessageMapping {
    let texts: [QuizText]

    init(texts: [QuizText]) {
        self.texts = texts
    }

    init(reading message: Gate__V1__Quiz) throws(GateError) {
        texts = try [QuizText](reading: message.texts, count: message.n_texts)
    }

    func write(to message: inout Gate__V1__Quiz, in arena: inout MessageArena) {
        (message.texts, message.n_texts) = arena.messages(texts)
    }
}

extension QuizText: MessageMapping {
    init(reading message: Gate__V1__QuizText) {
        self.init(
            language: String(reading: message.language), question: String(reading: message.question),
            choices: [String](reading: message.choices, count: message.n_choices))
    }

    func write(to message: inout Gate__V1__QuizText, in arena: inout MessageArena) {
        message.language = arena.string(language)
        message.question = arena.string(question)
        (message.choices, message.n_choices) = arena.strings(choices)
    }
}

// MARK: Dates and gestures

extension BirthdateCalendar: MessageMapping {
    init(reading message: Gate__V1__Birthdate) throws(GateError) {
        try self.init(wire: message.calendar, of: "gate.v1.Birthdate.calendar")
    }

    func write(to message: inout Gate__V1__Birthdate, in arena: inout MessageArena) {
        message.calendar = wire
    }
}

extension BirthdateCalendar: EnumMapping {
    var wire: Gate__V1__Birthdate__Calendar {
        switch self {
        case .gregorian: GATE__V1__BIRTHDATE__CALENDAR__CALENDAR_GREGORIAN
        case .buddhist: GATE__V1__BIRTHDATE__CALENDAR__CALENDAR_BUDDHIST
        case .minguo: GATE__V1__BIRTHDATE__CALENDAR__CALENDAR_MINGUO
        }
    }
}

private struct Hold: MessageMapping {
    let duration: Duration

    init(duration: Duration) {
        self.duration = duration
    }

    init(reading message: Gate__V1__Hold) {
        duration = .milliseconds(message.duration_milliseconds)
    }

    func write(to message: inout Gate__V1__Hold, in arena: inout MessageArena) {
        message.duration_milliseconds = duration.wireMilliseconds
    }
}

extension SwipeGesture: MessageMapping {
    init(reading message: Gate__V1__Swipe) throws(GateError) {
        self.init(
            try Direction(wire: message.direction, of: "gate.v1.Swipe.direction"), fingers: Int(message.fingers))
    }

    func write(to message: inout Gate__V1__Swipe, in arena: inout MessageArena) {
        message.direction = direction.wire
        message.fingers = UInt32(clamping: fingers)
    }
}

extension SwipeGesture.Direction: EnumMapping {
    var wire: Gate__V1__Swipe__Direction {
        switch self {
        case .up: GATE__V1__SWIPE__DIRECTION__DIRECTION_UP
        case .down: GATE__V1__SWIPE__DIRECTION__DIRECTION_DOWN
        case .left: GATE__V1__SWIPE__DIRECTION__DIRECTION_LEFT
        case .right: GATE__V1__SWIPE__DIRECTION__DIRECTION_RIGHT
        }
    }
}
