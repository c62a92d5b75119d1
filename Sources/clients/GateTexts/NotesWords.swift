package import GateModel

/// Gate's own words in release notes.
package enum NotesWords {
    /// The label of the primary button: the one that the notes set, or else "Continue", in the person's language.
    /// `languages` are BCP 47 tags, the preferred one first.
    package static func title(
        of action: WhatsNew.PrimaryAction, for languages: [String] = Localization.languages
    ) -> String {
        action.titles == LocalizedText(WhatsNew.PrimaryAction.builtInTitle)
            ? localized("Continue") : action.titles.text(for: languages)
    }
}
