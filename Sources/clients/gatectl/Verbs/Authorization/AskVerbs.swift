public import ArgumentParser
import GateClient
public import GateModel
import GateProtocol
import GateTexts

// The verbs that list, answer and take back requests that wait for a grown-up.

struct AsksVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "asks",
        abstract: localized("List the questions that wait for a grown-up, and those that were answered."),
        discussion: localized(
            """
            Children see their own questions. Grown-ups who may answer, and administrators, see all. An allowed \
            question stays on the list as long as the yes counts, and a refused one until it can be asked again. \
            Apps that ask how old a person is are on the list of `gatectl age apps`.
            """))

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
        abstract: localized("Say yes to a question that waits."),
        discussion: localized(
            """
            For example: gatectl allow 12; gatectl allow 12 today; gatectl allow 12 30m

            The person who asked can then do exactly what they asked for, in any program of their user. The choices \
            are: once, within the time that the policy lets the question wait; today; always; this-site, for every \
            link to the same site, always; and amounts of time. The policy says which of them are offered, and \
            `gatectl asks` lists them. Without a choice, the first of them counts.

            Grown-ups on the list of people may answer, other users with the role grown-up-presenter, and \
            administrators. `gatectl refuse` takes the yes back as long as it counts.
            """))

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var ask: AskArgument

    @Argument(
        help: ArgumentHelp(
            localized("How much is allowed: once, today, always, this-site, or a time like 30m."), valueName: "choice"),
        completion: NameCompletion.choices)
    var choice: AskChoice?

    func perform(_ session: Session) async throws(GateError) {
        try await session.answerAsk(ask.number, .yes(choice))
    }
}

struct RefuseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "refuse",
        abstract: localized("Say no to a question that waits, or take back a yes."),
        discussion: localized(
            """
            The same can be asked again a day later. With --until-tomorrow, the person can't ask for anything of this \
            kind until the next day begins, whatever the words. Whoever may use `gatectl allow` may use this, too.
            """))

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var ask: AskArgument

    @Flag(help: ArgumentHelp(localized("Refuse everything of this kind until tomorrow.")))
    var untilTomorrow = false

    func perform(_ session: Session) async throws(GateError) {
        try await session.answerAsk(ask.number, untilTomorrow ? .notUntilTomorrow : .no)
    }
}

struct WithdrawVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: localized("Take back a question of your own that waits."),
        discussion: "Administrators can take back anybody's questions.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var ask: AskArgument

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(
            Methods.Authorization.withdrawAsk, WithdrawAskRequest(number: ask.number))
        try session.output.result(
            response, at: response.revision, localized("question {number} is over", ["number": "\(ask.number)"]))
    }
}

struct AskArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(localized("The question's number, as `gatectl asks` lists it."), valueName: "number"),
        completion: NameCompletion.asks)
    var number: UInt64
}

extension Session {
    fileprivate func answerAsk(_ number: UInt64, _ answer: AskAnswer) async throws(GateError) {
        // Read before the answer, since afterwards the question may be over.
        let ask = try await gate.authorization.asks().first { $0.id == number }
        let response = try await gate.call(Methods.Authorization.answerAsk, AnswerAskRequest(number: number, answer))
        let words = ask.map(AskText.words) ?? "\(number)"
        switch answer {
        case .yes(let choice):
            let allowed = AskChoiceWords.allowed(choice ?? ask?.choices.first, VisibleText.line(ask?.details ?? ""))
            let row = RevisionText.row(
                response.revision, localized("{allowed}  {words}", ["allowed": allowed, "words": words]))
            let reach = ask.map { "\n" + AskChoiceWords.reach(VisibleText.line($0.person)) } ?? ""
            try output.result(response, row + reach)
        case .no:
            try output.result(response, at: response.revision, localized("refused  {words}", ["words": words]))
        case .notUntilTomorrow:
            try output.result(
                response, at: response.revision, localized("not until tomorrow  {words}", ["words": words]))
        }
    }
}

extension AskChoice: ExpressibleByArgument {
    public init?(argument: String) { self.init(text: argument) }
}
