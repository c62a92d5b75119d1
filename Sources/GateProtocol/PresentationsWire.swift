import CGateProtocol
public import GateModel

// presentations.proto

public struct CompleteRequest: MappedMessage {
    public var cookie: Cookie
    /// What the person chose or typed.
    public var answer: String

    public init(cookie: Cookie, answer: String) {
        self.cookie = cookie
        self.answer = answer
    }

    static var initialise: Initialise<Gate__V1__CompleteRequest> { gate__v1__complete_request__init }

    init(reading message: Gate__V1__CompleteRequest) throws(GateError) {
        guard message.answer_case == GATE__V1__COMPLETE_REQUEST__ANSWER_TEXT else {
            throw .invalid("gate.v1.CompleteRequest has no answer; set text")
        }
        self.init(cookie: Cookie(reading: message.cookie), answer: String(reading: message.text))
    }

    func write(to message: inout Gate__V1__CompleteRequest, in arena: inout MessageArena) {
        message.cookie = arena.bytes(cookie.bytes)
        message.answer_case = GATE__V1__COMPLETE_REQUEST__ANSWER_TEXT
        message.text = arena.string(answer)
    }
}

public struct CompleteResponse: ModeReply {
    public var revision: Revision
    /// The mode after the answer.
    public var state: ModeState

    public init(revision: Revision, state: ModeState) {
        self.revision = revision
        self.state = state
    }

    static var initialise: Initialise<Gate__V1__CompleteResponse> { gate__v1__complete_response__init }
}

public struct DismissRequest: MappedMessage {
    public var cookie: Cookie

    public init(cookie: Cookie) {
        self.cookie = cookie
    }

    static var initialise: Initialise<Gate__V1__DismissRequest> { gate__v1__dismiss_request__init }

    init(reading message: Gate__V1__DismissRequest) {
        self.init(cookie: Cookie(reading: message.cookie))
    }

    func write(to message: inout Gate__V1__DismissRequest, in arena: inout MessageArena) {
        message.cookie = arena.bytes(cookie.bytes)
    }
}

public struct DismissResponse: ModeReply {
    public var revision: Revision
    /// The mode after the dismissal.
    public var state: ModeState

    public init(revision: Revision, state: ModeState) {
        self.revision = revision
        self.state = state
    }

    static var initialise: Initialise<Gate__V1__DismissResponse> { gate__v1__dismiss_response__init }
}

// MARK: What is shown

extension Presentation: MessageMapping {
    static var initialise: Initialise<Gate__V1__Presentation> { gate__v1__presentation__init }

    init(reading message: Gate__V1__Presentation) throws(GateError) {
        self.init(
            id: message.id, cookie: Cookie(reading: message.cookie),
            purpose: try Purpose(wire: message.purpose, of: "gate.v1.Presentation.purpose"),
            deadline: BootTime(nanoseconds: message.deadline_boottime_nanoseconds),
            style: try Style(wire: message.style, of: "gate.v1.Presentation.style"),
            isDismissible: message.dismissible != 0, challenge: try Self.challenge(of: message))
    }

    /// - Throws: `INVALID_ARGUMENT` where the challenge is of a kind that this version can't show.
    private static func challenge(of message: Gate__V1__Presentation) throws(GateError) -> Challenge {
        if message.content_case == GATE__V1__PRESENTATION__CONTENT_ARITHMETIC_CHOICE,
            let choice = message.arithmetic_choice
        {
            let choice = try ArithmeticChoice(reading: choice.pointee)
            return .arithmeticChoice(choice.problem, choices: choice.choices)
        }
        if message.content_case == GATE__V1__PRESENTATION__CONTENT_ARITHMETIC_ENTRY,
            let entry = message.arithmetic_entry
        {
            return .arithmeticEntry(try ArithmeticProblem(reading: entry.pointee))
        }
        throw .invalid("gate.v1.Presentation holds no content that this version knows")
    }

    func write(to message: inout Gate__V1__Presentation, in arena: inout MessageArena) {
        message.id = id
        message.cookie = arena.bytes(cookie.bytes)
        message.purpose = purpose.wire
        message.deadline_boottime_nanoseconds = deadline.nanoseconds
        message.style = style.wire
        message.dismissible = isDismissible ? 1 : 0
        switch challenge {
        case .arithmeticChoice(let problem, let choices):
            message.content_case = GATE__V1__PRESENTATION__CONTENT_ARITHMETIC_CHOICE
            message.arithmetic_choice = arena.message(ArithmeticChoice(problem: problem, choices: choices))
        case .arithmeticEntry(let problem):
            message.content_case = GATE__V1__PRESENTATION__CONTENT_ARITHMETIC_ENTRY
            message.arithmetic_entry = arena.message(problem)
        }
    }
}

extension Cookie {
    init(reading bytes: ProtobufCBinaryData) {
        self.init(bytes: [UInt8](reading: bytes))
    }
}

extension Presentation.Purpose: EnumMapping {
    var wire: Gate__V1__Purpose {
        switch self {
        case .enterParentMode: GATE__V1__PURPOSE__PURPOSE_ENTER_PARENT_MODE
        case .extendParentMode: GATE__V1__PURPOSE__PURPOSE_EXTEND_PARENT_MODE
        }
    }
}

extension Presentation.Style: EnumMapping {
    var wire: Gate__V1__Style {
        switch self {
        case .sheet: GATE__V1__STYLE__STYLE_SHEET
        case .fullScreenCover: GATE__V1__STYLE__STYLE_FULL_SCREEN_COVER
        }
    }
}

// MARK: Arithmetic

/// The content of a presentation that asks to choose.
private struct ArithmeticChoice: MessageMapping {
    let problem: ArithmeticProblem
    let choices: [Int]

    init(problem: ArithmeticProblem, choices: [Int]) {
        self.problem = problem
        self.choices = choices
    }

    static var initialise: Initialise<Gate__V1__ArithmeticChoice> { gate__v1__arithmetic_choice__init }

    init(reading message: Gate__V1__ArithmeticChoice) throws(GateError) {
        problem = try ArithmeticProblem(left: message.left, operator: message.operator_, right: message.right)
        choices = UnsafeBufferPointer(start: message.choices, count: message.n_choices).map { Int($0) }
    }

    func write(to message: inout Gate__V1__ArithmeticChoice, in arena: inout MessageArena) {
        message.left = UInt32(clamping: problem.left)
        message.operator_ = problem.operator.wire
        message.right = UInt32(clamping: problem.right)
        message.n_choices = choices.count
        message.choices = arena.numbers(choices.map { UInt32(clamping: $0) })
    }
}

extension ArithmeticProblem: MessageMapping {
    static var initialise: Initialise<Gate__V1__ArithmeticEntry> { gate__v1__arithmetic_entry__init }

    init(reading message: Gate__V1__ArithmeticEntry) throws(GateError) {
        try self.init(left: message.left, operator: message.operator_, right: message.right)
    }

    init(left: UInt32, operator: Gate__V1__Operator, right: UInt32) throws(GateError) {
        self.init(
            left: Int(left), operator: try Operator(wire: `operator`, of: "the operator of the challenge"),
            right: Int(right))
    }

    func write(to message: inout Gate__V1__ArithmeticEntry, in arena: inout MessageArena) {
        message.left = UInt32(clamping: left)
        message.operator_ = `operator`.wire
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
