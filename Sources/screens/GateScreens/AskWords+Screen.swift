import GateModel
import GateTexts

/// An ask, in one line of plain, visible characters for each part, as a page and a notification show it.
extension AskWords {
    /// - Parameter languages: the person's languages as BCP 47 tags, the preferred one first.
    init(_ ask: Ask, for languages: [String]) {
        var ask = ask
        // The amount that would be liked is a word of policies there.
        if ask.isMoreTime { ask.details = AskChoice(text: ask.details).map(AskChoiceWords.label) ?? "" }
        // The title says already which guarded app it is.
        if GatedAction.guardedApp(by: ask.gatedAction) == ask.details { ask.details = "" }
        self.init(ask, for: languages) { $0.foreignLine }
    }

    /// `Mia asks: Open a web page`
    var asked: String { localized("{name} asks: {what}", ["name": person, "what": title]) }

    /// The beginning of the details, if they are too long to be read at a glance.
    var shortDetails: String {
        details.count > Self.glance ? details.prefix(Self.glance) + "…" : details
    }

    /// That the other device has not taken the answer that was given here, and why. Empty if it has refused none.
    var refusal: String {
        reason.isEmpty ? "" : localized("Your answer did not count: {reason}", ["reason": reason])
    }

    /// `Mia: Open a web page, https://example.org/`, for a screen reader.
    var sentence: String { sentence(with: shortDetails) }

    /// In characters.
    private static let glance = 160
}
