import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts
import Glibc

struct MoreTimeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "more-time",
        abstract: localized("Ask a grown-up for more time."),
        discussion: localized(
            """
            For example: gatectl more-time games.play --amount 15m

            This is for a gated action whose hours are over or whose time is used up, if the policy offers more time \
            (more-time). The question waits until the day ends, and `gatectl asks` lists it. A grown-up answers with \
            `gatectl allow 12 15m`, in the settings, or on another device of the household. The time counts from the \
            answer. Run the same command later to get the answer.

            Status 0: there is more time, and the command says until when; 1: a grown-up said no; 4: nobody has \
            answered yet. With --wait, the command waits for the answer; --timeout limits that.
            """))

    @OptionGroup var connection: ConnectionOptions

    @Argument(
        help: ArgumentHelp(
            localized("The gated action, as the policy names it: games.play."), valueName: "gated-action"),
        completion: NameCompletion.gatedActions)
    var gatedAction: String

    @Option(
        help: ArgumentHelp(
            localized(
                "How much more, if the policy offers it: a time like 15m, or today. Default: the grown-up decides."),
            valueName: "amount"))
    var amount: AskChoice?

    @Flag(help: ArgumentHelp(localized("Wait until a grown-up has answered.")))
    var wait = false

    func perform(_ session: Session) async throws(GateError) {
        var response = try await session.gate.call(
            Methods.Authorization.askMoreTime, AskMoreTimeRequest(gatedAction: gatedAction, choice: amount))
        if wait, response.ask.state == .waiting {
            if !session.output.isJSON { session.output.note(Self.row(response)) }
            response = try await answered(response, session)
        }
        try session.output.result(response, Self.row(response))
        guard response.ask.state != .allowed else { return }
        Glibc.exit(response.ask.state == .refused ? 1 : 4)
    }

    private static func row(_ response: AskMoreTimeResponse) -> String {
        let ask = response.ask
        return RevisionText.row(
            response.revision,
            localized(
                "question {number}  {words}  {state}",
                ["number": "\(ask.id)", "words": AskText.words(ask), "state": AskText.state(ask)]))
    }

    /// Waits until the ask was answered, also while the daemon is lost.
    /// - Throws: `NOT_FOUND` if the ask has ended without an answer.
    private func answered(_ response: AskMoreTimeResponse, _ session: Session) async throws(GateError)
        -> AskMoreTimeResponse
    {
        for await asks in session.gate.askUpdates {
            guard let ask = asks.first(where: { $0.id == response.ask.id }) else {
                // The update is also empty while the daemon is lost. Then it can't be asked either.
                guard let listed = try? await session.gate.authorization.asks() else { continue }
                guard listed.contains(where: { $0.id == response.ask.id }) else { throw .noSuchAsk(response.ask.id) }
                continue
            }
            guard ask.state != .waiting else { continue }
            return AskMoreTimeResponse(revision: try await session.gate.control.ping().revision, ask: ask)
        }
        return response
    }
}

extension GateError {
    fileprivate static func noSuchAsk(_ number: UInt64) -> GateError {
        GateError(
            .notFound, .unknown,
            saying: localized(
                "Question {number} no longer waits, and nobody has answered it.", ["number": "\(number)"]))
    }
}
