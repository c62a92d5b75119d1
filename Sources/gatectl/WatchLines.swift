import GateClient
import GateModel
import GateProtocol

/// Turns what a watcher hears into lines.
struct WatchLines {
    let isJSON: Bool
    let colours: Colours
    /// Whether the daemon is away, as far as the reader of the lines knows.
    private var isAway = false

    init(isJSON: Bool, colours: Colours) {
        self.isJSON = isJSON
        self.colours = colours
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
            // A change of something else than the mode is no news for people.
            guard let state = event.state else { return greeting }
            return greeting + [ModeLine(revision: message.revision, state: state).text(now: now, colours: colours)]
        case .lost(let error):
            isAway = true
            return [
                "lost the daemon: \(Self.firstSentence(of: error.message)); showing \(colours.paint("child", for: .child))"
            ]
        }
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
