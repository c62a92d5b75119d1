/// A question that a grown-up can answer, as the person sees it. The solution is not in it (F-06).
public enum Challenge: Hashable, Sendable {
    /// Choose one of three (F-06, F-09 … F-11).
    case arithmeticChoice(ArithmeticProblem, choices: [Int])
    /// Type the result (F-19, F-20).
    case arithmeticEntry(ArithmeticProblem)

    /// The kinds, by the names that policies use.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case arithmeticChoice = "arithmetic-choice"
        case arithmeticEntry = "arithmetic-entry"
    }

    public var kind: Kind {
        switch self {
        case .arithmeticChoice: .arithmeticChoice
        case .arithmeticEntry: .arithmeticEntry
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
