import GateClient
import GateModel
import GateProtocol
import GateTexts

/// Turns the events of a watch into lines.
struct WatchLines {
    let isJSON: Bool
    let colours: Colours
    let topics: Set<WatchTopic>
    private var presentations = PresentationLines()
    private var entitlements = EntitlementLines()
    private var forms = FormChangeLines()
    private var asks = AskChangeLines()
    /// Whether the daemon is away, as far as the lines so far say.
    private var isAway = false

    init(isJSON: Bool, colours: Colours, topics: Set<WatchTopic> = [.mode]) {
        self.isJSON = isJSON
        self.colours = colours
        self.topics = topics
    }

    mutating func lines(for event: WatchEvent, now: BootTime) throws(GateError) -> [String] {
        isJSON ? [try json(of: event)] : human(event, now: now)
    }

    /// The fields of WatchResponse, with "event" in front. `mode` is the same kind of object in every event, and so are
    /// the other topics that are watched.
    private func json(of event: WatchEvent) throws(GateError) -> String {
        switch event {
        case .snapshot(let update): return try json("snapshot", update, isSnapshot: true)
        case .change(let update): return try json("change", update, isSnapshot: false)
        case .resumed(let update): return try json("resumed", update, isSnapshot: true)
        case .lost(let error):
            var text = "{\"event\":\"lost\",\"mode\":{\"mode\":\"MODE_CHILD\",\"deadlineBoottimeNanoseconds\":\"0\"}}"
            if topics.contains(.signIn) {
                let nobody = "{\"isAuthenticating\":false,\"needsAuthentication\":false}"
                text = JSONText.appending("signIn", json: nobody, to: text)
            }
            if topics.contains(.entitlements) {
                let nothing = "{\"entitlements\":[],\"isSubscriptionActive\":false}"
                text = JSONText.appending("entitlements", json: nothing, to: text)
            }
            if topics.contains(.forms) { text = JSONText.appending("forms", json: "{\"forms\":[]}", to: text) }
            if topics.contains(.asks) { text = JSONText.appending("asks", json: "{\"asks\":[]}", to: text) }
            if topics.contains(.schedules) {
                text = JSONText.appending("schedules", json: "{\"schedules\":[]}", to: text)
            }
            if topics.contains(.usage) { text = JSONText.appending("usage", json: "{\"times\":[]}", to: text) }
            if topics.contains(.ageRanges) {
                text = JSONText.appending("age", json: "{\"isOn\":false,\"gates\":[],\"waiting\":[]}", to: text)
            }
            return JSONText.appending("error", json: JSONText.fields(of: error), to: text)
        }
    }

    private func json(_ name: String, _ update: StateUpdate, isSnapshot: Bool) throws(GateError) -> String {
        JSONText.adding("event", name, to: try WatchResponse(update, isSnapshot: isSnapshot).json())
    }

    private mutating func human(_ event: WatchEvent, now: BootTime) -> [String] {
        switch event {
        case .snapshot(let message), .change(let message), .resumed(let message):
            let greeting = isAway ? [localized("connected again")] : []
            isAway = false
            return greeting + modeLines(event, message.revision, now: now) + signInLines(message, now: now)
                + entitlementLines(message) + formLines(event, message.revision) + askLines(event, message.revision)
                + scheduleLines(message) + usageLines(message) + ageLines(message)
                + presentationLines(event, message.revision, now: now)
        case .lost(let error):
            isAway = true
            presentations.forget()
            entitlements.forget()
            forms.forget()
            asks.forget()
            let why = String(Self.firstSentence(of: RefusalText.sentence(error)))
            let lost = localized("lost the daemon: {reason}", ["reason": why])
            let shown = ListText.things(shownMeanwhile)
            return [shown.isEmpty ? lost : ListText.remarks([lost, localized("showing {state}", ["state": shown])])]
        }
    }

    /// What readers have to assume while the daemon is away.
    private var shownMeanwhile: [String] {
        [
            topics.contains(.mode) ? colours.paint(localized("child"), for: .child) : nil,
            topics.contains(.signIn) ? localized("nobody signed in") : nil,
            topics.contains(.entitlements) ? localized("nothing active") : nil,
            topics.contains(.forms) ? localized("no form open") : nil,
            topics.contains(.schedules) ? localized("nothing open") : nil,
        ].compactMap(\.self)
    }

    private func modeLines(_ event: WatchEvent, _ revision: Revision, now: BootTime) -> [String] {
        guard topics.contains(.mode), let state = event.mode else { return [] }
        return [ModeLine(revision: revision, state: state).text(now: now, colours: colours)]
    }

    private func signInLines(_ message: StateUpdate, now: BootTime) -> [String] {
        guard topics.contains(.signIn), let state = message.signIn else { return [] }
        return [RevisionText.row(message.revision, SignInText(state: state).line(now: now))]
    }

    private mutating func entitlementLines(_ message: StateUpdate) -> [String] {
        guard topics.contains(.entitlements), let state = message.entitlements else { return [] }
        return entitlements.lines(for: state, revision: message.revision)
    }

    private mutating func formLines(_ event: WatchEvent, _ revision: Revision) -> [String] {
        guard topics.contains(.forms), let open = event.forms else { return [] }
        return forms.lines(for: open, revision: revision)
    }

    private mutating func askLines(_ event: WatchEvent, _ revision: Revision) -> [String] {
        guard topics.contains(.asks), let open = event.asks else { return [] }
        return asks.lines(for: open, revision: revision)
    }

    private func scheduleLines(_ message: StateUpdate) -> [String] {
        guard topics.contains(.schedules), let schedules = message.schedules else { return [] }
        return schedules.map { schedule in
            let state = schedule.isOpen ? localized("open", context: "a schedule") : localized("closed")
            let end = schedule.until.map { localized("until {time}", ["time": WallTimeText.shown($0)]) }
            return RevisionText.row(
                message.revision, [schedule.name, state, end].compactMap(\.self).joined(separator: "  "))
        }
    }

    private func usageLines(_ message: StateUpdate) -> [String] {
        guard topics.contains(.usage), let usage = message.usage else { return [] }
        return usage.map { RevisionText.row(message.revision, UsageText.line($0)) }
    }

    private func ageLines(_ message: StateUpdate) -> [String] {
        guard topics.contains(.ageRanges), let ages = message.ageRanges else { return [] }
        let texts = [AgeWords.settings(ages.settings)] + ages.waiting.map { ListText.facts($0.columns) }
        return texts.map { RevisionText.row(message.revision, $0) }
    }

    private mutating func presentationLines(_ event: WatchEvent, _ revision: Revision, now: BootTime) -> [String] {
        guard topics.contains(.presentations), let open = event.presentations else { return [] }
        return presentations.lines(for: open, revision: revision, now: now)
    }

    /// The first sentence: what failed. What to do about it is left out, since the watch goes on by itself.
    private static func firstSentence(of text: String) -> Substring {
        var rest = text[...]
        while let dot = rest.firstIndex(where: { ".。".contains($0) }) {
            rest = rest[text.index(after: dot)...]
            if rest.isEmpty || rest.first == " " || text[dot] == "。" { return text[..<dot] }
        }
        return text[...]
    }
}
