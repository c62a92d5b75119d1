import GateModel
import GateTexts

/// An ask, in one line of plain, visible characters for each part, as a page and a notification show it.
struct AskWords {
    /// The name of the person who asks, and of the device if it is another one of the household: `Mia (Mia's tablet)`.
    let person: String
    /// What is asked for.
    let title: String
    /// What exactly would be done, in the asking program's words. May be empty.
    let details: String

    /// - Parameter languages: the person's languages as BCP 47 tags, the preferred one first.
    init(_ ask: Ask, for languages: [String]) {
        let name = ask.person.foreignLine
        person = ask.device.isEmpty ? name : "\(name) (\(ask.device.foreignLine))"
        let title = ask.titles.text(for: languages).foreignLine
        self.title = title.isEmpty ? ask.gatedAction.foreignLine : title
        details = ask.details.foreignLine
    }

    /// `Mia asks: Open a web page`
    var asked: String { localized("{name} asks: {what}", ["name": person, "what": title]) }

    /// The beginning of the details, if they are too long to be read at a glance.
    var shortDetails: String {
        details.count > Self.glance ? details.prefix(Self.glance) + "…" : details
    }

    /// `Mia: Open a web page, https://example.org/`, for a screen reader.
    var sentence: String {
        let what = ListText.things([title] + (details.isEmpty ? [] : [shortDetails]))
        return localized("{name}: {what}", ["name": person, "what": what])
    }

    /// In characters.
    private static let glance = 160
}
