import ArgumentParser
import GateClient
import GateModel
import GateProtocol

struct LockVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Go to child mode, at once.",
        discussion: """
            Administrators and the user who entered parent mode may do so as often as they like; others three \
            times, and once more after each hour (status 75). Another user's open question stays open (status 1).
            """)

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(Methods.Mode.lock, LockRequest())
        try session.output.mode(response, response.revision, response.state)
    }
}
