import GateModel

extension QuestionnaireEnableCondition {
    /// Whether it holds, by the letter of R4's operators (F-38).
    ///
    /// | operator | holds |
    /// |---|---|
    /// | `exists` | there is an answer, or with `false`: there is none |
    /// | `=`, `>`, `<`, `>=`, `<=` | at least one answer compares so; what can't be compared does not |
    /// | `!=` | no answer is equal; so also where there is none |
    ///
    /// - Parameter answers: of the question, as far as it is enabled.
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
