import GateModel
import GateTexts

/// A challenge as text: plain for scripts, large for people.
struct QuestionText {
    let challenge: Challenge
    let locale: TextLocale

    init(_ challenge: Challenge, locale: TextLocale) {
        self.challenge = challenge
        self.locale = locale
    }

    /// The question in one line, without its choices: `35 + 55 = ?`
    func question(colours: Colours = .none) -> String {
        switch challenge {
        case .arithmeticChoice(let problem, _), .arithmeticEntry(let problem):
            "\(problem.left) \(colours.emphasise(String(locale.sign(problem.operator.rawValue)))) \(problem.right) = ?"
        case .shapes(let problem, _):
            localized(
                "How many corners? {shapes} = ?",
                ["shapes": ShapesText(problem: problem, locale: locale).names(colours: colours)])
        case .quiz(let texts):
            VisibleText.line(locale.text(of: texts)?.question ?? QuestionWords.withoutText)
        case .confirm: QuestionWords.confirm
        case .birthdate(let calendar): QuestionWords.birthdate(calendar)
        case .passcode: QuestionWords.passcode
        case .totp: QuestionWords.totp
        case .hold(let duration): QuestionWords.hold(duration)
        case .swipe(let gesture): QuestionWords.swipe(gesture)
        }
    }

    /// The choices, in the order of their letters; empty if there are none.
    var choices: [String] {
        switch challenge.answering {
        case .result(let results): results.map { String($0) }
        case .choice(let texts): (locale.text(of: texts)?.choices ?? []).map(VisibleText.line)
        case .number, .permission, .date, .secret, .hold, .swipe: []
        }
    }

    /// `35 + 55 = ?`, then the choices if there are any: `a) 80   b) 90   c) 85`. The choices of a quiz have one line
    /// each, and so have others that are too wide for one line.
    ///
    /// - Parameters:
    ///   - columns: the width of the terminal. Scripts have no limit.
    ///   - withChoices: `false` if the caller draws the choices itself.
    func plain(columns: Int = .max, colours: Colours = .none, withChoices: Bool = true) -> [String] {
        [question(colours: colours)] + (withChoices ? choiceLines(columns: columns, colours: colours) : [])
    }

    /// The question drawn in large characters, with its choices below; plain if it does not fit, or has characters
    /// without glyphs.
    ///
    /// - Parameters:
    ///   - columns: the width of the terminal.
    ///   - withChoices: `false` if the caller draws the choices itself.
    func large(columns: Int, colours: Colours, withChoices: Bool = true) -> [String] {
        guard withChoices else { return withoutChoices(columns: columns, colours: colours) }
        let question = withoutChoices(columns: columns, colours: colours)
        switch challenge.answering {
        case .result, .number:
            // Nothing could be drawn large.
            guard question.count > 1 else { return plain(columns: columns, colours: colours) }
        case .choice: break
        case .permission, .date, .secret, .hold, .swipe: return question
        }
        return question + [""] + choiceLines(columns: columns - 2, colours: colours).map { "  " + $0 }
    }

    private func withoutChoices(columns: Int, colours: Colours) -> [String] {
        switch challenge {
        case .arithmeticChoice(let problem, _), .arithmeticEntry(let problem):
            guard let picture = picture(of: problem, columns: columns, colours: colours) else {
                return [question(colours: colours)]
            }
            return picture
        case .shapes(let problem, _):
            guard locale.isUTF8 else { return [question(colours: colours)] }
            return [
                QuestionWords.shapes, "",
                "  \(ShapesText(problem: problem, locale: locale).drawn(colours: colours)) = ?",
                "  (\(ShapesText(problem: problem, locale: locale).names()))",
            ]
        case .quiz:
            return [question()]
        case .hold(let duration):
            return [
                localized(
                    "Press the Space bar, wait {duration}, and press it again.",
                    ["duration": DurationWords.text(duration)])
            ]
        case .confirm, .birthdate, .passcode, .totp, .swipe:
            return [question(colours: colours)]
        }
    }

    private func choiceLines(columns: Int, colours: Colours) -> [String] {
        let shown = zip(AnswerText.letters, choices).map { "\(colours.bold("\($0))")) \($1)" }
        switch challenge.answering {
        case .choice: return shown
        case .result:
            let line = shown.joined(separator: "   ")
            return TextWidth.columns(of: line) <= columns ? [line] : shown
        case .number, .permission, .date, .secret, .hold, .swipe: return []
        }
    }

    /// `nil` if it is too wide, or has characters without glyphs.
    private func picture(of problem: ArithmeticProblem, columns: Int, colours: Colours) -> [String]? {
        let sign = String(problem.operator.rawValue)
        var rows = Array(repeating: "", count: Glyphs.rowCount)
        var width = 0
        for word in ["\(problem.left)", sign, "\(problem.right)", "=", "?"] {
            for character in word {
                guard let glyph = Glyphs.rows(of: character), let glyphWidth = glyph.first?.count else { return nil }
                width += glyphWidth + 2
                for (index, row) in glyph.enumerated() {
                    let drawn = String(row.map { $0 == "#" ? locale.ink : $0 })
                    rows[index] += "  " + (word == sign ? colours.emphasise(drawn) : drawn)
                }
            }
            width += 2
            for index in rows.indices { rows[index] += "  " }
        }
        return width <= columns ? rows.map(Self.withoutTrailingSpaces) : nil
    }

    private static func withoutTrailingSpaces(_ text: String) -> String {
        guard let last = text.lastIndex(where: { $0 != " " }) else { return "" }
        return String(text[...last])
    }
}
