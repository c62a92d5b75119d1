import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct FormResponsesVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "responses", abstract: "List the kept responses: your own, or as an administrator all.")

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "The form's name. Default: all forms.", completion: NameCompletion.forms)
    var name: String?

    func perform(_ session: Session) async throws(GateError) {
        let responses = try await session.gate.forms.responses(to: name)
        try await session.output.list(
            responses, as: ListResponsesResponse.self, orNone: localized("There are no responses."),
            columns: FormLines.columns)
    }
}

struct FormResponseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "response", abstract: "Show a kept response.",
        discussion: "For example: gatectl form response 7. With --json the QuestionnaireResponse resource.")

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "Its number: `gatectl form responses`.")
    var id: UInt64

    func perform(_ session: Session) async throws(GateError) {
        let answer = try await session.gate.call(
            Methods.Questionnaires.getResponse, GetResponseRequest(responseID: id))
        guard !session.output.isJSON else {
            return session.output.line(String(decoding: answer.response, as: UTF8.self))
        }
        session.output.note(FormLines.columns(answer.summary).joined(separator: "  "))
        let response = try FormLines.response(answer.response)
        for line in ResponseListing(response).lines { session.output.line(line) }
    }
}

struct FormWithdrawVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "withdraw", abstract: "Withdraw a completed response, or delete one that was only saved.",
        discussion: "A completed one stays, marked as entered in error, and no longer counts.")

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "Its number: `gatectl form responses`.")
    var id: UInt64

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(
            Methods.Questionnaires.withdrawResponse, WithdrawResponseRequest(responseID: id))
        try session.output.result(
            response, at: response.revision, localized("response {id}  withdrawn", ["id": "\(id)"]))
    }
}
