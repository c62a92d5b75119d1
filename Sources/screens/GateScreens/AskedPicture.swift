package import GateModel
package import GateTexts

/// The head of every screen: what is asked for, and who asks. Each text has a label of its own.
package struct AskedPicture: Hashable, Sendable {
    /// The subject, in a few words of Gate or of an administrator.
    package let title: String
    /// What exactly would be done, in the requester's words: an address, a command line, an amount. May be empty.
    package let details: String
    /// Tells a screen reader what the frame tells the eye: the details are the requester's words. Empty if not.
    package let detailsSource: String
    /// `Asked by anna`, which the kernel vouches for, and a warning if no administrator has read the words.
    package let who: String
    /// The name that the program gives itself, which nobody has checked. May be empty.
    package let program: String

    package init(_ summary: PresentationSummary, _ names: AskerNames, _ reader: ScreenReader) {
        let words = AskedWords(summary, for: reader.languages)
        title = words.title.foreignLine
        details = words.details.foreignLine
        detailsSource = words.areDetailsTheAskers && !details.isEmpty ? ScreenWords.programsWords : ""
        who = [words.who(names.map(\.foreignLine)), words.caution].compactMap(\.self).joined(separator: " ")
        program = words.isAskedByGate ? "" : summary.asked.program.foreignLine
    }
}
