import GateForms
import GateModel
import GateTexts

/// The release notes of an app, as text.
struct WhatsNewText {
    let notice: WhatsNewNotice
    private var entry: WhatsNew { notice.entry }

    init(_ notice: WhatsNewNotice) {
        self.notice = notice
    }

    var title: String { VisibleText.line(entry.titles.ofPerson) }

    func lines(colours: Colours) -> [String] {
        var lines = [colours.bold(title), colours.dim("\(VisibleText.line(notice.app)) \(entry.version)"), ""]
        for feature in entry.features {
            lines.append("* \(colours.bold(VisibleText.line(feature.titles.ofPerson)))")
            if !feature.subtitle.isEmpty { lines.append("  \(VisibleText.line(feature.subtitles.ofPerson))") }
        }
        guard let secondary = entry.secondary, let url = secondary.url else { return lines }
        return lines + ["", ListText.pair(VisibleText.line(secondary.titles.ofPerson), VisibleText.line(url))]
    }

    /// The labels of the buttons, the primary one first.
    var buttons: [String] {
        [NotesWords.title(of: entry.primary), entry.secondary?.titles.ofPerson].compactMap(\.self).map(VisibleText.line)
    }

    /// `Return: Continue, s: Learn more`
    var request: String {
        let primary = localized("Return: {button}", ["button": buttons[0]])
        return entry.secondary == nil ? primary : ListText.things([primary, ListText.pair("s", buttons[1])])
    }

    var singleKeys: Set<UInt8> { entry.secondary == nil ? [] : Set("sS".utf8) }

    /// The button that a line means, by its label, its letter or its key. An empty line means the primary one. `nil` if
    /// there is no such button.
    func answer(_ line: String) -> ChallengeAnswer? {
        let text = FormAnswerText.trimmed(line).lowercased()
        if ["", "a", "primary", buttons[0].lowercased()].contains(text) { return .acknowledged(.primary) }
        guard buttons.count > 1, ["s", "b", "secondary", buttons[1].lowercased()].contains(text) else { return nil }
        return .acknowledged(.secondary)
    }
}
