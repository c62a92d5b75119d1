import GateForms
import GateModel
import GateScreens
import GateTexts

/// The release notes of an app, as text.
///
/// If an app brought them itself, nobody has read their words, and a button with them could look like a prompt of
/// Gate's. So the buttons then have Gate's words, and the app's labels stand above, among the lines that are marked.
struct WhatsNewText {
    let notice: WhatsNewNotice
    private let isAppsOwn: Bool
    private var entry: WhatsNew { notice.entry }

    init(_ notice: WhatsNewNotice, isAppsOwn: Bool = false) {
        self.notice = notice
        self.isAppsOwn = isAppsOwn
    }

    var title: String { VisibleText.line(entry.titles.ofPerson) }

    func lines(colours: Colours) -> [String] {
        var lines = [colours.bold(title), colours.dim("\(VisibleText.line(notice.app)) \(entry.version)"), ""]
        for feature in entry.features {
            lines.append("* \(colours.bold(VisibleText.line(feature.titles.ofPerson)))")
            if !feature.subtitle.isEmpty { lines.append("  \(VisibleText.line(feature.subtitles.ofPerson))") }
        }
        let links = entry.secondary.flatMap { secondary in
            secondary.url.map { ListText.pair(VisibleText.line(secondary.titles.ofPerson), VisibleText.line($0)) }
        }
        var labels = isAppsOwn ? self.labels : []
        if let links { labels = Array(labels.prefix(1)) + [links] }
        return labels.isEmpty ? lines : lines + [""] + labels
    }

    /// The labels in the words of the notes.
    private var labels: [String] {
        [NotesWords.title(of: entry.primary), entry.secondary?.titles.ofPerson].compactMap(\.self).map(VisibleText.line)
    }

    /// The labels of the buttons, the primary one first.
    var buttons: [String] {
        guard isAppsOwn else { return labels }
        return [ScreenWords.haveRead] + (entry.secondary == nil ? [] : [localized("More about it")])
    }

    /// `Return: Continue, s: Learn more`
    var request: String {
        let primary = localized("Return: {button}", ["button": buttons[0]])
        return entry.secondary == nil ? primary : ListText.things([primary, ListText.pair("s", buttons[1])])
    }

    var singleKeys: Set<UInt8> { entry.secondary == nil ? [] : Set("sS".utf8) }

    /// The button that a line names by label, letter or key; the primary one if it is empty. `nil` if there is none.
    func answer(_ line: String) -> ChallengeAnswer? {
        let text = FormAnswerText.trimmed(line).lowercased()
        if ["", "a", "primary", buttons[0].lowercased()].contains(text) { return .acknowledged(.primary) }
        guard buttons.count > 1, ["s", "b", "secondary", buttons[1].lowercased()].contains(text) else { return nil }
        return .acknowledged(.secondary)
    }
}
