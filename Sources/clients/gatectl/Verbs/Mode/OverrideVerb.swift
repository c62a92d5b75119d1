import ArgumentParser
import GateClient
import GateModel
import GateProtocol

struct OverrideVerb: Verb {
    /// A mode that an administrator can set. `verifying` is a question, so it can't be set.
    enum Target: String, ExpressibleByArgument, CaseIterable {
        case child
        case parent

        var mode: Mode {
            switch self {
            case .child: .child
            case .parent: .parent
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "override", abstract: "Set the mode without a question (administrators).")

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "The mode to set.")
    var mode: Target

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long parent mode lasts; default: a lease as configured.", valueName: "duration"),
        transform: DurationText.parse)
    var duration: Duration?

    @Option(help: ArgumentHelp("Why, for the journal; at most 200 bytes.", valueName: "text"))
    var reason: String

    func perform(_ session: Session) async throws(GateError) {
        let request = OverrideModeRequest(mode: mode.mode, duration: duration, reason: reason)
        let response = try await session.gate.call(Methods.Mode.override, request)
        try session.output.mode(response, response.revision, response.state)
    }
}
