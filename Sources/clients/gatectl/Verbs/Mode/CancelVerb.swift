import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct CancelVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Withdraw the open question. Changes nothing in the other modes.",
        discussion: """
            Only administrators can withdraw another program's question.

            With its number, an administrator can close any presentation: gatectl cancel 17. `gatectl watch \
            --topic presentations` prints the numbers. A closed sign-in cover stays away until somebody has signed \
            in and out again, or the policy is read again.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: ArgumentHelp("Close this one instead (administrators).", valueName: "presentation"))
    var presentation: UInt64?

    func perform(_ session: Session) async throws(GateError) {
        if let presentation {
            let response = try await session.gate.call(
                Methods.Presentations.withdraw, WithdrawRequest(id: presentation))
            return try session.output.result(
                response,
                RevisionText.row(response.revision, localized("closed {number}", ["number": "\(presentation)"])))
        }
        let response = try await session.gate.call(Methods.Mode.cancel, CancelVerifyingRequest())
        try session.output.mode(response, response.revision, response.state)
    }
}
