import GateModel

extension QuestionnaireEnableCondition {
    /// Whether the condition holds, by the wording of R4's operators.
    ///
    /// | operator | holds if |
    /// |---|---|
    /// | `exists` | there is an answer; with `false`: there is none |
    /// | `=`, `>`, `<`, `>=`, `<=` | at least one answer compares so; one that can't be compared does not |
    /// | `!=` | no answer is equal; so also if there is none |
    ///
    /// - Parameter answers: the question's answers; empty if it is not enabled.
    func holds(for answers: [FormValue]) -> Bool {
        func some(_ compares: (Int) -> Bool) -> Bool {
            answers.contains { $0.compare(answer).map(compares) ?? false }
        }
        switch comparison {
        case .exists: return answer == .boolean(!answers.isEmpty)
        case .equal: return answers.contains { $0.isSame(as: answer) }
        case .notEqual: return !answers.contains { $0.isSame(as: answer) }
        case .greater: return some { $0 > 0 }
        case .less: return some { $0 < 0 }
        case .greaterOrEqual: return some { $0 >= 0 }
        case .lessOrEqual: return some { $0 <= 0 }
        }
    }
}
