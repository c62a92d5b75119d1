import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct HouseholdRequestsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List what other devices ask, for this device's guardian to answer.",
        discussion: "It takes parent mode here, or an administrator: what a child asks is for guardians alone.")

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
        abstract: "Say yes to what another device asks.",
        discussion: "It takes an administrator, or a grown-up's answer here: the gated action household.answer.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var request: RequestArgument
    @OptionGroup var waiting: AnswerOptions

    @Flag(help: "Print the question as text, and read answers line by line: a letter, or the value.")
    var stdin = false

    func perform(_ session: Session) async throws(GateError) {
        try await session.answer(
            request.number, isApproved: true, waiting: waiting.wait, readsStandardInput: stdin)
    }
}

struct HouseholdDenyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "deny",
        abstract: "Say no to what another device asks.",
        discussion: "It takes parent mode here, or an administrator.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var request: RequestArgument
    @OptionGroup var waiting: AnswerOptions

    func perform(_ session: Session) async throws(GateError) {
        try await session.answer(request.number, isApproved: false, waiting: waiting.wait, readsStandardInput: false)
    }
}

struct RequestArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("Its number, as `gatectl household requests` lists it.", valueName: "number"))
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
