import GateClient
import GateModel
import GateTexts

/// Who asks, and for what, in the same words on every presenter.
struct AskedText {
    private let asked: PresentationContext
    let purpose: Presentation.Purpose
    private let words: AskedWords

    init(_ summary: PresentationSummary, for languages: [String] = Localization.languages) {
        asked = summary.asked
        purpose = summary.purpose
        words = AskedWords(summary, for: languages)
    }

    var title: String { VisibleText.line(words.title) }

    /// The URL, the command line, or the amount; may be empty.
    var details: String { VisibleText.line(words.details) }

    /// `Asked by anna (the program says it is "firefox").` The kernel reports the user; the program names itself.
    var who: String {
        words.who(
            AskerNames(asked, userName: LocalAccounts.userName).map(VisibleText.line),
            program: asked.program.isEmpty ? nil : VisibleText.quoted(asked.program))
    }

    /// A warning about words that no administrator has read; empty if there are none.
    var cautions: [String] { [words.caution].compactMap(\.self) }

    var heading: String { words.heading }

    /// For a plain pipe. Others' words are on a line of their own, after Gate's.
    func lines(colours: Colours) -> [String] {
        [colours.bold(title), who] + cautions + (details.isEmpty ? [] : [TextWidth.quote + details])
    }

    func headRows(colours: Colours, columns: Int) -> [String] {
        [colours.bold(title), who].flatMap { TextWidth.marked($0, columns: columns) }
            + cautions.flatMap { TextWidth.wrapped($0, columns: columns) }
    }

    /// The rows of a line that an app brought itself. It could look like one of Gate's, so each row is marked. `nil` if
    /// the content is not an app's own.
    func appsRows(of line: String, columns: Int = .max) -> [String]? {
        guard asked.isAppsOwn else { return nil }
        return line.isEmpty ? [line] : TextWidth.quoted(line, columns: columns)
    }

    /// Others' words, with each row marked.
    func detailRows(columns: Int) -> [String] {
        details.isEmpty ? [] : TextWidth.quoted(details, columns: columns)
    }
}

/// The text of a presentation for people: a question, a sign-in, a paywall, a form, or release notes.
struct ContentText {
    let content: Presentation.Content
    let locale: TextLocale
    /// Whether an app brought the form or the news itself.
    private let isAppsOwn: Bool

    init(_ content: Presentation.Content, locale: TextLocale, isAppsOwn: Bool = false) {
        self.content = content
        self.locale = locale
        self.isAppsOwn = isAppsOwn
    }

    /// The content in one line.
    func question() -> String {
        switch content {
        case .challenge(let challenge): QuestionText(challenge, locale: locale).question()
        case .signIn: QuestionWords.signIn
        case .paywall(let paywall):
            localized(
                "{title}, by {provider}",
                ["title": Self.title(of: paywall), "provider": EntitlementText.name(of: paywall.provider)])
        case .form(let form): Self.title(of: form)
        case .whatsNew(let notice): WhatsNewText(notice).title
        case .unrecognized: localized("This version of gatectl can't show this question. Update it.")
        }
    }

    /// The choices, in the order of their letters; empty if there are none.
    var choices: [String] {
        switch content {
        case .challenge(let challenge): QuestionText(challenge, locale: locale).choices
        case .signIn, .paywall, .form, .unrecognized: []
        case .whatsNew(let notice): WhatsNewText(notice, isAppsOwn: isAppsOwn).buttons
        }
    }

    var offers: [String] {
        switch content {
        case .paywall(let paywall): paywall.offers.map { OfferLines.text(of: $0, locale) }
        case .challenge, .signIn, .form, .whatsNew, .unrecognized: []
        }
    }

    /// The provider's names of a paywall's products; empty for other presentations.
    var products: [String] {
        switch content {
        case .paywall(let paywall): paywall.products.map(VisibleText.line)
        case .challenge, .signIn, .form, .whatsNew, .unrecognized: []
        }
    }

    func request(isPressed: Bool = false, onTerminal: Bool = false) -> String {
        switch content {
        case .challenge(let challenge):
            AnswerText.request(for: challenge, isPressed: isPressed, onTerminal: onTerminal)
        case .signIn: localized("the name and the password")
        case .paywall: localized("a payment")
        case .form: localized("the answers")
        case .whatsNew(let notice): WhatsNewText(notice, isAppsOwn: isAppsOwn).request
        case .unrecognized: localized("a newer gatectl")
        }
    }

    /// The question as lines without a frame: for scripts, and for a terminal that is too small for more.
    /// `withChoices`: false if the caller draws the choices.
    func plain(columns: Int = .max, colours: Colours = .none, withChoices: Bool = true) -> [String] {
        switch content {
        case .challenge(let challenge):
            QuestionText(challenge, locale: locale)
                .plain(columns: columns, colours: colours, withChoices: withChoices)
        case .signIn, .unrecognized: [question()]
        case .paywall(let paywall): paywallLines(paywall, columns: columns, colours: colours)
        case .form(let form): formLines(form, colours: colours)
        case .whatsNew(let notice): WhatsNewText(notice, isAppsOwn: isAppsOwn).lines(colours: colours)
        }
    }

    /// For people, as large as it fits.
    func large(columns: Int, colours: Colours, withChoices: Bool = true) -> [String] {
        switch content {
        case .challenge(let challenge):
            QuestionText(challenge, locale: locale)
                .large(columns: columns, colours: colours, withChoices: withChoices)
        case .signIn, .paywall, .form, .whatsNew, .unrecognized: plain(columns: columns, colours: colours)
        }
    }

    /// A line of the content as rows of a terminal. They are marked if others wrote some of it.
    func rows(of line: String, columns: Int) -> [String] {
        switch content {
        case .challenge(.quiz), .paywall, .form, .whatsNew, .unrecognized:
            TextWidth.marked(line, columns: columns)
        case .challenge, .signIn: TextWidth.wrapped(line, columns: columns)
        }
    }

    /// The offers, or the provider's names of the products if there are no offers.
    private func paywallLines(_ paywall: Paywall, columns: Int, colours: Colours) -> [String] {
        let offers = OfferLines(offers: paywall.offers, locale: locale)
        let features = paywall.features.map { "  - \(VisibleText.line($0.ofPerson))" }
        guard paywall.isForSale else {
            return [colours.bold(Self.title(of: paywall))] + features + [QuestionWords.notForSale]
        }
        return [colours.bold(question())] + features
            + (paywall.offers.isEmpty
                ? products.map { "  \($0)" } : offers.lines(columns: columns, hasCodes: colours.isOn))
    }

    /// Only the heading: the items are asked one by one later.
    private func formLines(_ form: FormInvitation, colours: Colours) -> [String] {
        let holder = localized("For {holder}.", ["holder": FormLines.name(of: form.holder)])
        return [colours.bold(question()), holder]
            + (form.isForGrownUps ? [localized("Only a grown-up completes it.")] : [])
    }

    static func title(of form: FormInvitation) -> String {
        VisibleText.line(form.title.isEmpty ? form.name : form.titles.ofPerson)
    }

    static func title(of paywall: Paywall) -> String {
        VisibleText.line(paywall.title.isEmpty ? paywall.entitlement : paywall.titles.ofPerson)
    }
}

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

    var choices: [String] {
        switch challenge.answering {
        case .result(let results): results.map { String($0) }
        case .choice(let texts): (locale.text(of: texts)?.choices ?? []).map(VisibleText.line)
        case .number, .permission, .date, .secret, .hold, .swipe: []
        }
    }

    /// `35 + 55 = ?`, then the choices if there are any: `a) 80   b) 90   c) 85`. Those of a quiz have one line each,
    /// and so have others that are too wide. Scripts have no limit of columns.
    func plain(columns: Int = .max, colours: Colours = .none, withChoices: Bool = true) -> [String] {
        [question(colours: colours)] + (withChoices ? choiceLines(columns: columns, colours: colours) : [])
    }

    /// In large characters, with the choices below; plain if it does not fit, or has characters without glyphs.
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
                QuestionWords.shapes(problem), "",
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
