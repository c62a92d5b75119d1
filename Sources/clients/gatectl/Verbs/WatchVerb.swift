import ArgumentParser
import GateClient
import GateModel
import GateTexts

struct WatchVerb: Verb {
    enum Subject: String, CaseIterable {
        case mode
        case presentations
        case signIn
        case entitlements
        case forms
        case asks
        case schedules
        case usage
        case age

        var topic: WatchTopic {
            switch self {
            case .mode: .mode
            case .presentations: .presentations
            case .signIn: .signIn
            case .entitlements: .entitlements
            case .forms: .forms
            case .asks: .asks
            case .schedules: .schedules
            case .usage: .usage
            case .age: .ageRanges
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: localized("Print the mode and each change of it, or other topics (--topic)."),
        discussion: """
            For example: gatectl watch --topic entitlements,signIn

            If the connection to the daemon is lost, the watch says so and goes on. Meanwhile the mode is child, \
            nothing is presented, nobody is signed in, no purchase is active, and no form is open. The presentations \
            are those that this user may see: presenters and administrators see all, providers see paywalls. The asks \
            are those that `gatectl asks` lists, the use is what `gatectl usage` lists, and under age are the apps \
            that wait for a grown-up's answer.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Option(
        help: ArgumentHelp(
            "What to watch: mode, presentations, signIn, entitlements, forms, asks, schedules, usage, age, with commas between them. Default: mode.",
            valueName: "topics"),
        completion: .list(Subject.allCases.map(\.rawValue)),
        transform: { try NamesText.parse($0, "topic", named: \Subject.rawValue) })
    var topic: [Set<Subject>] = []

    func perform(_ session: Session) async throws(GateError) {
        let topics = topic.isEmpty ? [.mode] : Set(topic.joined().map(\.topic))
        var lines = WatchLines(isJSON: session.output.isJSON, colours: session.output.colours, topics: topics)
        var hasBegun = false
        for await event in session.gate.events(of: topics) {
            switch event {
            case .snapshot, .change, .resumed: hasBegun = true
            case .lost(let error): if !hasBegun, !error.mendsItself { throw error }
            }
            for line in try lines.lines(for: event, now: .now()) { session.output.line(line) }
        }
    }
}

extension GateError {
    /// Whether the error may go away by itself, so that it makes sense to wait.
    var mendsItself: Bool {
        switch code {
        case .unavailable, .resourceExhausted, .aborted, .deadlineExceeded: true
        case .cancelled, .unknown, .invalidArgument, .notFound, .alreadyExists, .permissionDenied, .failedPrecondition,
            .outOfRange, .unimplemented, .internal, .dataLoss, .unauthenticated:
            false
        }
    }
}
