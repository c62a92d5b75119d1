package import GateModel
package import GateTexts

/// The head of every screen: for what somebody asks, and who it is. Each text has a place of its own.
package struct AskedPicture: Hashable, Sendable {
    /// The subject, in a few words: Gate's own, or those of an administrator.
    package let title: String
    /// The exact thing that would be done, in the asker's words: an address, a command line, an amount. May be empty.
    package let details: String
    /// Says to a screen reader that the details are the asker's words, as their frame does to the eye. Empty: they are not.
    package let detailsSource: String
    /// `Asked by anna`: the kernel's word; and the warning before words that no administrator has read.
    package let who: String
    /// The program's name for itself, which nobody has checked. May be empty.
    package let program: String

    /// Makes the head of a presentation.
    ///
    package init(_ summary: PresentationSummary, _ names: AskerNames, _ reader: ScreenReader) {
        let words = AskedWords(summary, for: reader.languages)
        title = words.title.foreignLine
        details = words.details.foreignLine
        detailsSource = words.areDetailsTheAskers && !details.isEmpty ? ScreenWords.programsWords : ""
        who = [words.who(names.map(\.foreignLine)), words.caution].compactMap(\.self).joined(separator: " ")
        program = words.isAskedByGate ? "" : summary.asked.program.foreignLine
    }
}
