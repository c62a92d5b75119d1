import GateModel

/// A node of an expression's syntax tree.
struct Syntax: Sendable {
    indirect enum Kind: Sendable {
        /// A literal value; `nil` for `{}`, the empty collection.
        case literal(ExpressionValue?)
        /// `$this`.
        case this
        /// `$index`.
        case index
        /// `%name`.
        case variable(String)
        /// `input.name`, or just `name`, which is looked up in `$this`.
        case member(Syntax?, String)
        /// `items[number]`.
        case element(Syntax, Syntax)
        /// `input.function(…)`, or just `function(…)`, which is called on `$this`.
        case call(Syntax?, FunctionName, [Syntax])
        /// `matches` or `matchesFull`. The pattern is `nil` for `{}`.
        case matches(Syntax?, TextPattern?)
        case sign(Syntax, isNegative: Bool)
        case binary(BinaryOperator, Syntax, Syntax)
    }

    let kind: Kind
    let place: ExpressionError.Place
    /// The height of the tree below it: 1 for a leaf.
    let depth: Int
}

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

    /// For error messages: "one argument".
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

    /// An operator with a higher number binds more tightly.
    var strength: Int {
        switch self {
        case .implies: 1
        case .or, .xor: 2
        case .and: 3
        case .in, .contains: 4
        case .equal, .notEqual, .equivalent, .notEquivalent: 5
        case .less, .lessOrEqual, .greater, .greaterOrEqual: 6
        case .union: 7
        // 8 would be `is` and `as`, which Gate does not support.
        case .plus, .minus, .concatenation: 9
        case .times, .divided, .div, .mod: 10
        }
    }
}
