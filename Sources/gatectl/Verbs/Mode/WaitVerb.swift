public import ArgumentParser
import GateClient
public import GateModel
import GateTexts

struct WaitVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until the mode is this one.",
        discussion: "A daemon that dies meanwhile leaves the device in child mode.")

    @OptionGroup var connection: ConnectionOptions

    @Option(help: "The mode to wait for.")
    var mode: Mode

    func perform(_ session: Session) async throws(GateError) {
        var lines = WatchLines(isJSON: session.output.isJSON, colours: session.output.colours)
        var hasBegun = false
        for await event in session.gate.events(of: [.mode]) {
            switch event {
            case .snapshot, .change, .resumed:
                hasBegun = true
            case .lost(let error):
                // That nobody has ever answered does not make it child mode.
                if !hasBegun, mode == .child || !error.mendsItself { throw error }
                if mode != .child {
                    session.output.note("gatectl: \(RefusalText.sentence(error)) " + localized("Waiting."))
                }
            }
            guard event.mode?.mode == mode else { continue }
            for line in try lines.lines(for: event, now: .now()) { session.output.line(line) }
            return
        }
    }
}

extension Mode: ExpressibleByArgument {}
