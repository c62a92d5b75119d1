import GateModel

/// What is shown to a person, as text: a question, a sign-in, a paywall.
struct ContentText {
    let content: Presentation.Content
    let locale: TextLocale

    init(_ content: Presentation.Content, locale: TextLocale) {
        self.content = content
        self.locale = locale
    }

    /// On one line.
    func question() -> String {
        switch content {
        case .challenge(let challenge): QuestionText(challenge, locale: locale).question()
        case .signIn: "Who are you?"
        case .paywall(let paywall):
            "\(Self.title(of: paywall)), by \(EntitlementText.name(of: paywall.provider))"
        }
    }

    /// What there is to choose from, in the order of its letters; empty where there is nothing.
    var choices: [String] {
        switch content {
        case .challenge(let challenge): QuestionText(challenge, locale: locale).choices
        case .signIn, .paywall: []
        }
    }

    /// What can be bought, by the provider's names; empty where it is no paywall.
    var products: [String] {
        switch content {
        case .paywall(let paywall): paywall.products.map(VisibleText.line)
        case .challenge, .signIn: []
        }
    }

    /// What is asked for, in a few words.
    func request(isPressed: Bool = false, onTerminal: Bool = false) -> String {
        switch content {
        case .challenge(let challenge):
            AnswerText.request(for: challenge, isPressed: isPressed, onTerminal: onTerminal)
        case .signIn: "the name and the password"
        case .paywall: "a payment"
        }
    }

    /// For scripts.
    func plain(colours: Colours = .none) -> [String] {
        switch content {
        case .challenge(let challenge): QuestionText(challenge, locale: locale).plain(colours: colours)
        case .signIn: [question()]
        case .paywall: paywallLines(colours: colours)
        }
    }

    /// For people, as large as there is room for.
    func large(columns: Int, colours: Colours) -> [String] {
        switch content {
        case .challenge(let challenge):
            QuestionText(challenge, locale: locale).large(columns: columns, colours: colours)
        case .signIn, .paywall: plain(colours: colours)
        }
    }

    private func paywallLines(colours: Colours) -> [String] {
        [colours.bold(question())] + products.map { "  \($0)" }
    }

    static func title(of paywall: Paywall) -> String {
        VisibleText.line(paywall.title.isEmpty ? paywall.entitlement : paywall.title)
    }
}
