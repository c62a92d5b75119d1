import GateModel
import GateTexts

/// Asks that wait for a grown-up, as lines for people.
enum AskText {
    /// The columns of a list: the number, who asks, for what, and what has become of it.
    static func columns(_ ask: Ask) -> [String] {
        let details = ask.details.isEmpty ? [] : [VisibleText.line(ask.details)]
        return ["\(ask.id)", who(ask), VisibleText.line(ask.titles.ofPerson)] + details + [
            state(ask)
        ]
    }

    /// `mia: Open a web page, https://example.org/`
    static func words(_ ask: Ask) -> String {
        let details = ask.details.isEmpty ? [] : [VisibleText.line(ask.details)]
        let what = ListText.things([VisibleText.line(ask.titles.ofPerson)] + details)
        return localized("{name}: {what}", ["name": who(ask), "what": what])
    }

    /// The person, and the device of the household if it is another one: `mia (Mia's tablet)`.
    private static func who(_ ask: Ask) -> String {
        let person = VisibleText.line(ask.person)
        return ask.device.isEmpty ? person : "\(person) (\(VisibleText.line(ask.device)))"
    }

    static func state(_ ask: Ask) -> String {
        let time = ask.ends.map(WallTimeText.shown) ?? ""
        switch ask.state {
        case .waiting:
            let choices = ask.choices.map(\.text).joined(separator: " ")
            let waits = localized("waits until {time}", ["time": time])
            return choices.isEmpty
                ? waits : localized("{state}; choices: {choices}", ["state": waits, "choices": choices])
        case .allowed:
            let allowed = AskChoiceWords.allowed(ask.choice, VisibleText.line(ask.details))
            return ask.ends == nil
                ? allowed : localized("{allowed}, until {time}", ["allowed": allowed, "time": time])
        case .refused: return localized("refused; can be asked again from {time}", ["time": time])
        case .unrecognized: return localized("answered")
        }
    }
}

/// Compares the asks in a watch's events, and makes a line for each ask that is new, was answered, or is over.
struct AskChangeLines {
    private var known: [Ask] = []

    mutating func lines(for asks: [Ask], revision: Revision) -> [String] {
        defer { known = asks }
        let gone = known.filter { old in !asks.contains { $0.id == old.id } }
        let news = asks.filter { !known.contains($0) }
        return gone.map { RevisionText.row(revision, localized("question {number}  over", ["number": "\($0.id)"])) }
            + news.map { ask in
                RevisionText.row(
                    revision,
                    localized(
                        "question {number}  {words}  {state}",
                        ["number": "\(ask.id)", "words": AskText.words(ask), "state": AskText.state(ask)]))
            }
    }

    /// Call it when the daemon is lost: nobody knows then what waits.
    mutating func forget() {
        known = []
    }
}
