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

    /// What is asked for, in a few words.
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

    /// What the person is asked to do.
    var heading: String { words.heading }

    /// For a plain pipe. Others' words are on a line of their own, after Gate's.
    func lines(colours: Colours) -> [String] {
        [colours.bold(title), who] + cautions + (details.isEmpty ? [] : [TextWidth.quote + details])
    }

    /// The title, and who asks, for a terminal.
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
