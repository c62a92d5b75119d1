/// A question that a grown-up can answer, as the person sees it. The solution is not in it (F-06).
public enum Challenge: Hashable, Sendable {
    /// Choose one of three (F-06, F-09 … F-11).
    case arithmeticChoice(ArithmeticProblem, choices: [Int])
    /// Type the result (F-19, F-20).
    case arithmeticEntry(ArithmeticProblem)
    /// Count corners; choose one of three (F-14).
    case shapes(ShapesProblem, choices: [Int])
    /// Choose the right answer to a question of general knowledge (F-14). One text for each language; the choices stand
    /// in the same order in all.
    case quiz([QuizText])
    /// "May they?" (F-17, F-25)
    case confirm
    /// "When were you born?" (F-25)
    case birthdate(BirthdateCalendar)
    /// "What is the passcode?" (F-25)
    case passcode
    /// "What does your authenticator show?" (G-11)
    case totp
    /// "Press, and keep pressed for so long." (F-25)
    case hold(Duration)
    /// "Swipe like this." (F-25)
    case swipe(SwipeGesture)

    /// The kinds, by the names that policies use.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case arithmeticChoice = "arithmetic-choice"
        case arithmeticEntry = "arithmetic-entry"
        case shapes
        case quiz
        case confirm
        case birthdate
        case passcode
        case totp
        case hold
        case swipe

        /// Whether the answer is a secret of the device: shown by presenters of grown-ups alone, or by the requester.
        public var isSecret: Bool {
            switch self {
            case .passcode, .totp: true
            case .arithmeticChoice, .arithmeticEntry, .shapes, .quiz, .confirm, .birthdate, .hold, .swipe: false
            }
        }
    }

    public var kind: Kind {
        switch self {
        case .arithmeticChoice: .arithmeticChoice
        case .arithmeticEntry: .arithmeticEntry
        case .shapes: .shapes
        case .quiz: .quiz
        case .confirm: .confirm
        case .birthdate: .birthdate
        case .passcode: .passcode
        case .totp: .totp
        case .hold: .hold
        case .swipe: .swipe
        }
    }
}

/// left operator right = ?
public struct ArithmeticProblem: Hashable, Sendable {
    /// The four operations, by the sign that is shown, larger than the operands (F-06).
    public enum Operator: Character, Hashable, Sendable, CaseIterable {
        case plus = "+"
        case minus = "−"
        case times = "×"
        case dividedBy = "÷"
    }

    public var left: Int
    public var `operator`: Operator
    public var right: Int

    public init(left: Int, operator: Operator, right: Int) {
        self.left = left
        self.operator = `operator`
        self.right = right
    }
}

extension ArithmeticProblem: CustomStringConvertible {
    public var description: String { "\(left) \(`operator`.rawValue) \(right)" }
}

/// How many corners have the shapes on the left, plus or minus those on the right?
public struct ShapesProblem: Hashable, Sendable {
    public var left: [Shape]
    /// Plus or minus.
    public var `operator`: ArithmeticProblem.Operator
    public var right: [Shape]

    public init(left: [Shape], operator: ArithmeticProblem.Operator, right: [Shape]) {
        self.left = left
        self.operator = `operator`
        self.right = right
    }
}

/// One shape, for any presenter to draw.
public struct Shape: Hashable, Sendable {
    public enum Form: String, Hashable, Sendable, CaseIterable {
        case circle
        case triangle
        case square
        case pentagon
        case hexagon

        public var corners: Int {
            switch self {
            case .circle: 0
            case .triangle: 3
            case .square: 4
            case .pentagon: 5
            case .hexagon: 6
            }
        }
    }

    /// Decoration: no question is about it.
    public enum Colour: String, Hashable, Sendable, CaseIterable {
        case red
        case yellow
        case green
        case blue
    }

    public var form: Form
    public var colour: Colour

    public init(_ form: Form, _ colour: Colour) {
        self.form = form
        self.colour = colour
    }
}

/// A question of general knowledge in one language, as it is shown.
public struct QuizText: Hashable, Sendable {
    /// A BCP 47 tag, like "en" or "zh".
    public var language: String
    public var question: String
    /// In the order to show them.
    public var choices: [String]

    public init(language: String, question: String, choices: [String]) {
        self.language = language
        self.question = question
        self.choices = choices
    }
}

/// How years are counted.
public enum BirthdateCalendar: String, Hashable, Sendable, CaseIterable {
    case gregorian
    case buddhist
    case minguo
}

/// A swipe over the screen.
public struct SwipeGesture: Hashable, Sendable {
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        case up
        case down
        case left
        case right
    }

    public var direction: Direction
    public var fingers: Int

    public init(_ direction: Direction, fingers: Int) {
        self.direction = direction
        self.fingers = fingers
    }
}
