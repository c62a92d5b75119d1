import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

// The verbs that list, answer and take back requests that wait for a grown-up.

struct AsksVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "asks",
        abstract: "List the questions that wait for a grown-up, and those that were answered.",
        discussion: """
            A child sees their own. Grown-ups who may answer, and administrators, see all. What was allowed stays on \
            the list until it is used, and what was refused until it can be asked again.
            """)

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let asks = try await session.gate.authorization.asks()
        try await session.output.list(
            asks, as: ListAsksResponse.self, orNone: localized("Nothing waits for an answer."), columns: AskText.columns
        )
    }
}

struct AllowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Say yes to a question that waits.",
        discussion: """
            For example: gatectl allow 12

            The person who asked can then do it once, exactly as they asked, within as long as the policy lets the \
            question wait. It takes a user with the role grown-up-presenter, as a grown-up on the list of people has, \
            or an administrator. `gatectl refuse` takes the yes back until it is used.
            """)

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var ask: AskArgument

    func perform(_ session: Session) async throws(GateError) {
        try await session.answerAsk(ask.number, isAllowed: true)
    }
}

struct RefuseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "refuse",
        abstract: "Say no to a question that waits, or take back a yes that was not used.",
        discussion: "The same can be asked again a day later. Whoever may use `gatectl allow` may use this.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var ask: AskArgument

    func perform(_ session: Session) async throws(GateError) {
        try await session.answerAsk(ask.number, isAllowed: false)
    }
}

struct WithdrawVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Take back a question of your own that waits.",
        discussion: "Administrators can take back anybody's.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var ask: AskArgument

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(
            Methods.Authorization.withdrawAsk, WithdrawAskRequest(number: ask.number))
        try session.output.result(
            response,
            RevisionText.row(response.revision, localized("question {number} is over", ["number": "\(ask.number)"])))
    }
}

struct AskArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("Its number, as `gatectl asks` lists it.", valueName: "number"),
        completion: NameCompletion.asks)
    var number: UInt64
}

extension Session {
    fileprivate func answerAsk(_ number: UInt64, isAllowed: Bool) async throws(GateError) {
        // Read before the answer, since afterwards the question may be over.
        let ask = try await gate.authorization.asks().first { $0.id == number }
        let response = try await gate.call(
            Methods.Authorization.answerAsk, AnswerAskRequest(number: number, isAllowed: isAllowed))
        let words: KeyValuePairs = ["words": ask.map(AskText.words) ?? "\(number)"]
        try output.result(
            response,
            RevisionText.row(
                response.revision,
                isAllowed ? localized("allowed once  {words}", words) : localized("refused  {words}", words)))
    }
}
