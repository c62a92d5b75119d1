import GateModel
import GateTexts

/// The text of a presentation for people: a question, a sign-in, a paywall, a form, or release notes.
struct ContentText {
    let content: Presentation.Content
    let locale: TextLocale

    init(_ content: Presentation.Content, locale: TextLocale) {
        self.content = content
        self.locale = locale
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
        case .whatsNew(let notice): WhatsNewText(notice).buttons
        }
    }

    /// The offers of a paywall, one line each.
    var offers: [String] {
        switch content {
        case .paywall(let paywall): paywall.offers.map { OfferLines.text(of: $0, locale) }
        case .challenge, .signIn, .form, .whatsNew, .unrecognized: []
        }
    }

    /// The products of a paywall, by the provider's names; empty for other presentations.
    var products: [String] {
        switch content {
        case .paywall(let paywall): paywall.products.map(VisibleText.line)
        case .challenge, .signIn, .form, .whatsNew, .unrecognized: []
        }
    }

    /// What to do, in a few words.
    func request(isPressed: Bool = false, onTerminal: Bool = false) -> String {
        switch content {
        case .challenge(let challenge):
            AnswerText.request(for: challenge, isPressed: isPressed, onTerminal: onTerminal)
        case .signIn: localized("the name and the password")
        case .paywall: localized("a payment")
        case .form: localized("the answers")
        case .whatsNew(let notice): WhatsNewText(notice).request
        case .unrecognized: localized("a newer gatectl")
        }
    }

    /// The content for scripts, and for a terminal that is too small for more.
    ///
    /// - Parameter withChoices: `false` if the caller draws the choices itself.
    func plain(columns: Int = .max, colours: Colours = .none, withChoices: Bool = true) -> [String] {
        switch content {
        case .challenge(let challenge):
            QuestionText(challenge, locale: locale)
                .plain(columns: columns, colours: colours, withChoices: withChoices)
        case .signIn, .unrecognized: [question()]
        case .paywall(let paywall): paywallLines(paywall, columns: columns, colours: colours)
        case .form(let form): formLines(form, colours: colours)
        case .whatsNew(let notice): WhatsNewText(notice).lines(colours: colours)
        }
    }

    /// The content for people, as large as it fits.
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
