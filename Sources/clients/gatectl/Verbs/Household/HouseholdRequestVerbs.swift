import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct HouseholdRequestsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: localized("List the questions of other devices that this device's guardian can answer."),
        discussion: localized(
            """
            This needs parent mode on this device, or an administrator, since only guardians may see what a child \
            asks.
            """))

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let requests = try await session.gate.household.requests()
        guard !session.output.isJSON else {
            return session.output.line(try ListRequestsResponse(requests: requests).json())
        }
        session.output.table(
            requests.map { HouseholdText.row($0, now: .now()) }, orNone: localized("No device is asking anything now."))
    }
}

struct HouseholdApproveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: localized("Say yes to a question of another device."),
        discussion: localized(
            """
            This needs an administrator, or a grown-up's answer on this device, to the gated action household.answer.
            """))

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var request: RequestArgument
    @OptionGroup var waiting: AnswerOptions

    @OptionGroup var question: QuestionOptions

    func perform(_ session: Session) async throws(GateError) {
        try await session.answer(
            request.number, isApproved: true, waiting: waiting.wait, readsStandardInput: question.stdin)
    }
}

struct HouseholdDenyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "deny",
        abstract: localized("Say no to a question of another device."),
        discussion: localized("This needs parent mode on this device, or an administrator."))

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var request: RequestArgument
    @OptionGroup var waiting: AnswerOptions

    func perform(_ session: Session) async throws(GateError) {
        try await session.answer(request.number, isApproved: false, waiting: waiting.wait, readsStandardInput: false)
    }
}

struct RequestArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            localized("The question's number, as `gatectl household requests` lists it."), valueName: "number"))
    var number: UInt64
}

extension Session {
    /// Answers another device's question, and prints how that device took the answer.
    fileprivate func answer(
        _ number: UInt64, isApproved: Bool, waiting: Duration, readsStandardInput: Bool
    ) async throws(GateError) {
        let sent: SentCommand
        do throws(GateError) {
            sent = try await gate.household.answer(number, isApproved: isApproved)
        } catch {
            guard error.parameters["what"] == "answer-grant",
                let request = try await gate.household.requests().first(where: { $0.id == number })
            else { throw error }
            let grant = try await grant(
                for: AuthorizationRequest(
                    gatedAction: HouseholdRequest.gatedAction, details: request.grantDetails),
                readsStandardInput: readsStandardInput)
            sent = try await gate.household.answer(number, isApproved: isApproved, grant: grant.proof)
        }
        try await showAnswers(to: sent, waiting: waiting)
    }
}
