import ArgumentParser
import GateClient
import GateModel

struct WatchVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the mode and every change of it.",
        discussion: "Goes on when the daemon is away, and says so. Meanwhile the mode is child.")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        var lines = WatchLines(isJSON: session.output.isJSON, colours: session.output.colours)
        var hasBegun = false
        for await event in session.gate.watch() {
            switch event {
            case .snapshot, .change, .resumed: hasBegun = true
            case .lost(let error): if !hasBegun, !error.mendsItself { throw error }
            }
            for line in try lines.lines(for: event, now: .now()) { session.output.line(line) }
        }
    }
}

extension GateError {
    /// Whether it can be over in a moment without anybody doing anything about it, so that waiting makes sense.
    var mendsItself: Bool {
        switch code {
        case .unavailable, .resourceExhausted, .aborted, .deadlineExceeded: true
        case .cancelled, .unknown, .invalidArgument, .notFound, .alreadyExists, .permissionDenied, .failedPrecondition,
            .outOfRange, .unimplemented, .internal, .dataLoss, .unauthenticated:
            false
        }
    }
}
