/// A question that only a grown-up should be able to answer, with what a screen shows of it. The right answer is not
/// part of it and never leaves the daemon. Only a swipe or a hold states what has to be done.
@nonexhaustive
public enum Challenge: Hashable, Sendable {
    /// Solve the problem and choose one of three results. One is right, and two are near misses.
    case arithmeticChoice(ArithmeticProblem, choices: [Int])
    /// Solve the problem and type the result.
    case arithmeticEntry(ArithmeticProblem)
    /// Count the corners of shapes and choose one of three results.
    case shapes(ShapesProblem, choices: [Int])
    /// Choose the right answer to a question of general knowledge. There is one text for each language, and the choices
    /// have the same order in all of them.
    case quiz([QuizText])
    /// Allow or refuse: "May they?"
    case confirm
    /// Enter a date of birth, in this calendar.
    case birthdate(BirthdateCalendar)
    /// Enter the passcode of the device.
    case passcode
    /// Enter the code that an authenticator app shows.
    case totp
    /// Press a button and keep it pressed for this long.
    case hold(Duration)
    /// Swipe over the screen like this.
    case swipe(SwipeGesture)

    /// The kinds of question. The raw values are their names in policies.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An arithmetic problem with three results to choose from.
        case arithmeticChoice = "arithmetic-choice"
        /// An arithmetic problem whose result is typed.
        case arithmeticEntry = "arithmetic-entry"
        /// Shapes whose corners are counted, with three results to choose from.
        case shapes
        /// A question of general knowledge with four answers to choose from.
        case quiz
        /// Yes or no.
        case confirm
        /// A date of birth.
        case birthdate
        /// The device's passcode.
        case passcode
        /// The code that an authenticator app shows.
        case totp
        /// A button to keep pressed.
        case hold
        /// A swipe.
        case swipe

        /// Whether the answer is a secret of the device. Only presenters of grown-ups and the requester itself show it.
        public var isSecret: Bool { secret != nil }

        /// The secret of the device that is the answer; `nil` if it is no secret.
        package var secret: SecretKind? {
            switch self {
            case .passcode: .passcode
            case .totp: .totp
            case .arithmeticChoice, .arithmeticEntry, .shapes, .quiz, .confirm, .birthdate, .hold, .swipe: nil
            }
        }

        /// The settings that a policy can give for this kind, besides who answers.
        package var settings: Settings {
            switch self {
            case .arithmeticChoice, .arithmeticEntry, .shapes, .quiz, .swipe: .difficulty
            case .birthdate: .minimumAge
            case .hold: .duration
            case .confirm, .passcode, .totp: .none
            }
        }

        package enum Settings: Hashable, Sendable {
            case none
            case difficulty
            /// The age that somebody must have reached, and the calendar in which the date of birth is asked for.
            case minimumAge
            case duration
        }
    }

    /// The kind of this question, without its numbers and texts.
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

    /// How this question is answered. Screens, tools and tests switch over this instead of over the kinds, except where
    /// they draw the question itself. So they need no change for a new kind that is answered like an earlier one.
    package var answering: Answering {
        switch self {
        case .arithmeticChoice(_, let choices), .shapes(_, let choices): .result(of: choices)
        case .quiz(let texts): .choice(of: texts)
        case .arithmeticEntry: .number
        case .confirm: .permission
        case .birthdate(let calendar): .date(calendar)
        case .passcode: .secret(.passcode)
        case .totp: .secret(.totp)
        case .hold(let duration): .hold(duration)
        case .swipe(let gesture): .swipe(gesture)
        }
    }

    /// The number that answers this question; `nil` if the answer is no number that follows from the question alone.
    package var result: Int? {
        switch self {
        case .arithmeticChoice(let problem, _), .arithmeticEntry(let problem): problem.result
        case .shapes(let problem, _): problem.result
        case .quiz, .confirm, .birthdate, .passcode, .totp, .hold, .swipe: nil
        }
    }

    package enum Answering: Hashable, Sendable {
        /// One of these numbers is chosen, and is the answer.
        case result(of: [Int])
        /// One of the choices is chosen. The answer is its number, from 1, which is the same in all languages.
        case choice(of: [QuizText])
        case number
        case permission
        case date(BirthdateCalendar)
        case secret(SecretKind)
        case hold(Duration)
        case swipe(SwipeGesture)
    }
}

/// A problem in arithmetic: `left operator right = ?`
public struct ArithmeticProblem: Hashable, Sendable {
    /// The four operations. The raw value is the sign to show, which should be drawn larger than the operands.
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

    public init(left: Int, operator: Operator, right: Int) {
        self.left = left
        self.operator = `operator`
        self.right = right
    }
}

extension ArithmeticProblem: CustomStringConvertible {
    public var description: String { "\(left) \(`operator`.rawValue) \(right)" }

    package var result: Int {
        switch `operator` {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .dividedBy: left / right
        }
    }
}

/// A problem with corners: count those of the shapes on the left, and add or subtract those of the shapes on the right.
public struct ShapesProblem: Hashable, Sendable {
    /// The shapes on the left.
    public var left: [Shape]
    /// Addition or subtraction.
    public var `operator`: ArithmeticProblem.Operator
    /// The shapes on the right.
    public var right: [Shape]

    public init(left: [Shape], operator: ArithmeticProblem.Operator, right: [Shape]) {
        self.left = left
        self.operator = `operator`
        self.right = right
    }
}

extension ShapesProblem {
    package var result: Int {
        `operator` == .minus ? left.corners - right.corners : left.corners + right.corners
    }

    /// One shape. A presenter draws it as it likes, as long as the corners can be counted.
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

            /// The number of corners; 0 for a circle.
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

        /// The colours of shapes. They are decoration: no question depends on them.
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

        /// The form, whose corners are counted.
        public var form: Form
        /// The colour to draw it in.
        public var colour: Colour

        public init(_ form: Form, _ colour: Colour) {
            self.form = form
            self.colour = colour
        }
    }
}

extension [ShapesProblem.Shape] {
    package var corners: Int { reduce(0) { $0 + $1.form.corners } }
}

/// A question of general knowledge in one language.
public struct QuizText: Hashable, Sendable {
    /// The language as a BCP 47 tag, like "en" or "zh".
    public var language: String
    /// The question, as people read it.
    public var question: String
    /// The choices, in the order to show them. An answer is the number of a choice, from 1.
    public var choices: [String]

    public init(language: String, question: String, choices: [String]) {
        self.language = language
        self.question = question
        self.choices = choices
    }
}

/// The calendar in which a date of birth is asked for. The calendars differ only in how they count years.
@nonexhaustive
public enum BirthdateCalendar: String, Hashable, Sendable, CaseIterable {
    /// The Gregorian calendar, used in most countries.
    case gregorian
    /// Thailand's calendar, whose years are 543 higher: 2522 is 1979.
    case buddhist
    /// Taiwan's calendar, whose years are 1911 lower: 68 is 1979.
    case minguo
}

/// A swipe over the screen.
public struct SwipeGesture: Hashable, Sendable {
    /// The directions in which a finger can move.
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

    /// The direction in which the fingers move.
    public var direction: Direction
    /// The number of fingers, all on the screen at the same time.
    public var fingers: Int

    public init(_ direction: Direction, fingers: Int) {
        self.direction = direction
        self.fingers = fingers
    }
}
