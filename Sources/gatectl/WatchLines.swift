import GateClient
import GateModel
import GateProtocol

/// Turns what a watcher hears into lines.
struct WatchLines {
    let isJSON: Bool
    let colours: Colours
    let topics: Set<Topic>
    private var presentations = PresentationLines()
    /// Whether the daemon is away, as far as the reader of the lines knows.
    private var isAway = false

    init(isJSON: Bool, colours: Colours, topics: Set<Topic> = [.mode]) {
        self.isJSON = isJSON
        self.colours = colours
        self.topics = topics
    }

    mutating func lines(for event: WatchEvent, now: BootTime) throws(GateError) -> [String] {
        isJSON ? [try Self.json(of: event)] : human(event, now: now)
    }

    /// The fields of WatchResponse, and an "event" in front. `mode` is the same object in every event.
    static func json(of event: WatchEvent) throws(GateError) -> String {
        switch event {
        case .snapshot(let message): JSONText.adding("event", "snapshot", to: try message.json())
        case .change(let message): JSONText.adding("event", "change", to: try message.json())
        case .resumed(let message): JSONText.adding("event", "resumed", to: try message.json())
        case .lost(let error):
            "{\"event\":\"lost\",\"mode\":{\"mode\":\"MODE_CHILD\",\"deadlineBoottimeNanoseconds\":\"0\"},"
                + "\"error\":\(JSONText.fields(of: error))}"
        }
    }

    private mutating func human(_ event: WatchEvent, now: BootTime) -> [String] {
        switch event {
        case .snapshot(let message), .change(let message), .resumed(let message):
            let greeting = isAway ? ["connected again"] : []
            isAway = false
            return greeting + modeLines(event, message.revision, now: now)
                + presentationLines(event, message.revision, now: now)
        case .lost(let error):
            isAway = true
            presentations.forget()
            let shown = topics.contains(.mode) ? "; showing \(colours.paint("child", for: .child))" : ""
            return ["lost the daemon: \(Self.firstSentence(of: error.message))\(shown)"]
        }
    }

    /// None where the event says nothing of the mode.
    private func modeLines(_ event: WatchEvent, _ revision: Revision, now: BootTime) -> [String] {
        guard topics.contains(.mode), let state = event.state else { return [] }
        return [ModeLine(revision: revision, state: state).text(now: now, colours: colours)]
    }

    private mutating func presentationLines(_ event: WatchEvent, _ revision: Revision, now: BootTime) -> [String] {
        guard topics.contains(.presentations), let open = event.presentations else { return [] }
        return presentations.lines(for: open, revision: revision, now: now)
    }

    /// What is wrong, without what to do about it: the watch goes on by itself.
    private static func firstSentence(of text: String) -> Substring {
        var rest = text[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[text.index(after: dot)...]
            if rest.isEmpty || rest.first == " " { return text[..<dot] }
        }
        return text[...]
    }
}
