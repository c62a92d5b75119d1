import GateModel
import GateTexts

/// Asks that wait for a grown-up, as lines for people.
enum AskText {
    /// The columns of a list: the number, who asks, for what, and the state.
    static func columns(_ ask: Ask) -> [String] {
        let words = AskWords(ask)
        return ["\(ask.id)", words.person, words.title] + (words.details.isEmpty ? [] : [words.details]) + [state(ask)]
    }

    /// `mia: Open a web page, https://example.org/`
    static func words(_ ask: Ask) -> String {
        let words = AskWords(ask)
        return words.sentence(with: words.details)
    }

    /// The state of an ask; while it waits, also the choices for `gatectl allow`.
    static func state(_ ask: Ask) -> String {
        let words = AskWords(ask)
        var state = words.state(WallTimeText.local)
        if ask.state == .waiting, !ask.choices.isEmpty {
            let choices = ask.choices.map(\.text).joined(separator: " ")
            state = localized("{state}; choices: {choices}", ["state": state, "choices": choices])
        }
        return words.reason.isEmpty
            ? state
            : localized("{state}; your answer did not count: {reason}", ["state": state, "reason": words.reason])
    }
}

extension AskWords {
    fileprivate init(_ ask: Ask) { self.init(ask, for: Localization.languages, line: VisibleText.line) }
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

    /// Forgets all asks. Call it when the daemon is lost, because it is unknown then which asks wait.
    mutating func forget() {
        known = []
    }
}
