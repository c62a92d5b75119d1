/// A question that a grown-up can answer, as the person sees it. The solution is not in it (F-06).
@nonexhaustive
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
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A sum, with three results to choose from.
        case arithmeticChoice = "arithmetic-choice"
        /// A sum, whose result is typed.
        case arithmeticEntry = "arithmetic-entry"
        /// Corners to count, with three results to choose from.
        case shapes
        /// A question of general knowledge, with answers to choose from.
        case quiz
        /// A yes or a no.
        case confirm
        /// A date of birth.
        case birthdate
        /// The passcode of the device.
        case passcode
        /// The code of an authenticator.
        case totp
        /// A button to keep pressed.
        case hold
        /// A gesture.
        case swipe

        /// Whether the answer is a secret of the device: shown by presenters of grown-ups alone, or by the requester.
        public var isSecret: Bool {
            switch self {
            case .passcode, .totp: true
            case .arithmeticChoice, .arithmeticEntry, .shapes, .quiz, .confirm, .birthdate, .hold, .swipe: false
            }
        }
    }

    /// The kind of the question.
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
    @nonexhaustive
    public enum Operator: Character, Hashable, Sendable, CaseIterable {
        /// Addition.
        case plus = "+"
        /// Subtraction.
        case minus = "−"
        /// Multiplication.
        case times = "×"
        /// Division.
        case dividedBy = "÷"
    }

    /// The number on the left.
    public var left: Int
    /// The operation on the numbers.
    public var `operator`: Operator
    /// The number on the right.
    public var right: Int

    /// Makes a problem of these values.
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
    /// The shapes on the left.
    public var left: [Shape]
    /// Plus or minus.
    public var `operator`: ArithmeticProblem.Operator
    /// The shapes on the right.
    public var right: [Shape]

    /// Makes a problem of these values.
    public init(left: [Shape], operator: ArithmeticProblem.Operator, right: [Shape]) {
        self.left = left
        self.operator = `operator`
        self.right = right
    }
}

extension ShapesProblem {
    /// One shape, for any presenter to draw.
    public struct Shape: Hashable, Sendable {
        /// The forms that a shape can have.
        @nonexhaustive
        public enum Form: String, Hashable, Sendable, CaseIterable {
            /// A circle: no corners.
            case circle
            /// A triangle: three corners.
            case triangle
            /// A square: four corners.
            case square
            /// A pentagon: five corners.
            case pentagon
            /// A hexagon: six corners.
            case hexagon

            /// The number of corners.
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
        @nonexhaustive
        public enum Colour: String, Hashable, Sendable, CaseIterable {
            /// Red.
            case red
            /// Yellow.
            case yellow
            /// Green.
            case green
            /// Blue.
            case blue
        }

        /// Its form.
        public var form: Form
        /// Its colour.
        public var colour: Colour

        /// Makes a shape of these values.
        public init(_ form: Form, _ colour: Colour) {
            self.form = form
            self.colour = colour
        }
    }
}

/// A question of general knowledge in one language, as it is shown.
public struct QuizText: Hashable, Sendable {
    /// A BCP 47 tag, like "en" or "zh".
    public var language: String
    /// The question.
    public var question: String
    /// In the order to show them.
    public var choices: [String]

    /// Makes a text of these values.
    public init(language: String, question: String, choices: [String]) {
        self.language = language
        self.question = question
        self.choices = choices
    }
}

/// How years are counted.
@nonexhaustive
public enum BirthdateCalendar: String, Hashable, Sendable, CaseIterable {
    /// The calendar of most countries.
    case gregorian
    /// The calendar of Thailand: 543 years ahead.
    case buddhist
    /// The calendar of Taiwan: 1911 years behind.
    case minguo
}

/// A swipe over the screen.
public struct SwipeGesture: Hashable, Sendable {
    /// The directions of a swipe.
    @nonexhaustive
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        /// Upwards.
        case up
        /// Downwards.
        case down
        /// To the left.
        case left
        /// To the right.
        case right
    }

    /// Where to.
    public var direction: Direction
    /// The number of fingers.
    public var fingers: Int

    /// Makes a gesture of these values.
    public init(_ direction: Direction, fingers: Int) {
        self.direction = direction
        self.fingers = fingers
    }
}
