import GateModel

/// An expression as a tree.
struct Syntax: Sendable {
    indirect enum Kind: Sendable {
        /// `{}` has no value.
        case literal(ExpressionValue?)
        /// `$this`.
        case this
        /// `$index`.
        case index
        /// `%name`.
        case variable(String)
        /// `name`, of `$this` where nothing stands before it.
        case member(Syntax?, String)
        /// `items[number]`.
        case element(Syntax, Syntax)
        /// A function, of `$this` where nothing stands before it.
        case call(Syntax?, FunctionName, [Syntax])
        /// `matches` and `matchesFull` of a pattern. `nil`: of `{}`.
        case matches(Syntax?, TextPattern?)
        /// `-value`, or `+value`.
        case sign(Syntax, isNegative: Bool)
        case binary(BinaryOperator, Syntax, Syntax)
    }

    let kind: Kind
    let place: ExpressionError.Place
    /// 1 where nothing is below it.
    let depth: Int
}

/// The functions that Gate knows.
enum FunctionName: String, CaseIterable, Sendable {
    case all
    case children
    case contains
    case count
    case descendants
    case duration
    case empty
    case exists
    case first
    case iif
    case last
    case length
    case matches
    case matchesFull
    case not
    case now
    case round
    case select
    case sum
    case timeOfDay
    case today
    case toString
    case `where`

    /// How many arguments it takes.
    var arguments: ClosedRange<Int> {
        switch self {
        case .children, .count, .descendants, .empty, .first, .last, .length, .not, .now, .sum, .timeOfDay, .today,
            .toString:
            0...0
        case .exists, .round: 0...1
        case .all, .contains, .matches, .matchesFull, .select, .where: 1...1
        case .duration: 2...2
        case .iif: 2...3
        }
    }

    /// In a sentence: "one argument".
    var argumentsText: String {
        switch arguments {
        case 0...0: "no argument"
        case 0...1: "one argument at most"
        case 1...1: "one argument"
        case 2...2: "two arguments"
        case _: "two or three arguments"
        }
    }
}

/// The operators between two operands, each with how strongly it binds.
enum BinaryOperator: String, CaseIterable, Sendable {
    case implies
    case or
    case xor
    case and
    case `in`
    case contains
    case equal = "="
    case notEqual = "!="
    case equivalent = "~"
    case notEquivalent = "!~"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case union = "|"
    case plus = "+"
    case minus = "-"
    case concatenation = "&"
    case times = "*"
    case divided = "/"
    case div
    case mod

    /// The higher, the stronger.
    var strength: Int {
        switch self {
        case .implies: 1
        case .or, .xor: 2
        case .and: 3
        case .in, .contains: 4
        case .equal, .notEqual, .equivalent, .notEquivalent: 5
        case .less, .lessOrEqual, .greater, .greaterOrEqual: 6
        case .union: 7
        // 8: `is` and `as`, which Gate does not have.
        case .plus, .minus, .concatenation: 9
        case .times, .divided, .div, .mod: 10
        }
    }
}
