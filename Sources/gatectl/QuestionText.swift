import GateModel

/// A question as text: plain for scripts, large for people.
struct QuestionText {
    let presentation: Presentation

    /// What the person is asked for.
    var heading: String {
        switch presentation.purpose {
        case .enterParentMode: "For parent mode, a grown-up answers:"
        case .extendParentMode: "For more time in parent mode, a grown-up answers:"
        }
    }

    var problem: ArithmeticProblem {
        switch presentation.challenge {
        case .arithmeticChoice(let problem, _), .arithmeticEntry(let problem): problem
        }
    }

    /// `35 + 55 = ?`, then, where there is a choice, `a) 80   b) 90   c) 85`.
    func plain(colours: Colours = .none) -> [String] {
        let question =
            "\(problem.left) \(colours.emphasise(String(problem.operator.rawValue))) \(problem.right) = ?"
        return [question] + choices(colours: colours)
    }

    /// The same with the problem drawn; plain where it does not fit, or has no glyphs.
    ///
    /// - Parameters:
    ///   - columns: the width of the terminal.
    ///   - ink: what the strokes are drawn with.
    func large(columns: Int, ink: Character, colours: Colours) -> [String] {
        let sign = String(problem.operator.rawValue)
        var rows = Array(repeating: "", count: Glyphs.rowCount)
        var width = 0
        for word in ["\(problem.left)", sign, "\(problem.right)", "=", "?"] {
            for character in word {
                guard let glyph = Glyphs.rows(of: character), let glyphWidth = glyph.first?.count else {
                    return plain(colours: colours)
                }
                width += glyphWidth + 2
                for (index, row) in glyph.enumerated() {
                    let drawn = String(row.map { $0 == "#" ? ink : $0 })
                    rows[index] += "  " + (word == sign ? colours.emphasise(drawn) : drawn)
                }
            }
            width += 2
            for index in rows.indices { rows[index] += "  " }
        }
        guard width <= columns else { return plain(colours: colours) }
        return rows.map(Self.withoutTrailingSpaces) + [""] + choices(colours: colours).map { "  " + $0 }
    }

    private func choices(colours: Colours) -> [String] {
        switch presentation.challenge {
        case .arithmeticChoice(_, let choices):
            let shown = zip(AnswerText.letters, choices).map { "\(colours.bold("\($0))")) \($1)" }
            return [shown.joined(separator: "   ")]
        case .arithmeticEntry:
            return []
        }
    }

    private static func withoutTrailingSpaces(_ text: String) -> String {
        guard let last = text.lastIndex(where: { $0 != " " }) else { return "" }
        return String(text[...last])
    }
}
