package import GateModel

/// The words on the notes of what is new that are Gate's own (F-57).
package enum NotesWords {
    /// The label of the primary button: where the notes say nothing else, in the language of the person.
    ///
    /// - Parameter languages: BCP 47 tags, the preferred one first.
    package static func title(
        of action: WhatsNew.PrimaryAction, for languages: [String] = Localization.languages
    ) -> String {
        action.titles == LocalizedText(WhatsNew.PrimaryAction.builtInTitle)
            ? localized("Continue") : action.titles.text(for: languages)
    }
}
