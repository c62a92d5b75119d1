import GateClient
import GateModel
import GateTexts

/// The asker, and what is asked for, as every presenter shows it.
struct AskedText {
    private let asked: PresentationContext
    let purpose: Presentation.Purpose
    private let words: AskedWords

    /// - Parameter languages: those of the person, the preferred one first.
    init(_ summary: PresentationSummary, for languages: [String] = Localization.languages) {
        asked = summary.asked
        purpose = summary.purpose
        words = AskedWords(summary, for: languages)
    }

    /// The subject, in a few words.
    var title: String { VisibleText.line(words.title) }

    /// The URL, the command line, the amount. May be empty.
    var details: String { VisibleText.line(words.details) }

    /// `Asked by anna (the program says it is "firefox").` The user is the kernel's word; the name of the program is its own.
    var who: String {
        words.who(
            AskerNames(asked, userName: LocalAccounts.userName).map(VisibleText.line),
            program: asked.program.isEmpty ? nil : VisibleText.quoted(asked.program))
    }

    /// The warning before words that no administrator has read: none, or one.
    var cautions: [String] { [words.caution].compactMap(\.self) }

    /// The request to the person.
    var heading: String { words.heading }

    /// On a plain pipe: what others wrote stands on a line of its own, below Gate's words.
    func lines(colours: Colours) -> [String] {
        [colours.bold(title), who] + cautions + (details.isEmpty ? [] : [TextWidth.quote + details])
    }

    /// The title, and who asks, on a terminal.
    func headRows(colours: Colours, columns: Int) -> [String] {
        [colours.bold(title), who].flatMap { TextWidth.marked($0, columns: columns) }
            + cautions.flatMap { TextWidth.wrapped($0, columns: columns) }
    }

    /// The rows of a line of the content that an app has brought itself: it could read like one of Gate's, so each is marked. `nil`: the content is
    /// no app's own.
    func appsRows(of line: String, columns: Int = .max) -> [String]? {
        guard asked.isAppsOwn else { return nil }
        return line.isEmpty ? [line] : TextWidth.quoted(line, columns: columns)
    }

    /// The words of others: each row is marked.
    func detailRows(columns: Int) -> [String] {
        details.isEmpty ? [] : TextWidth.quoted(details, columns: columns)
    }
}
