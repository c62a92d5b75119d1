import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct GatesVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "gates",
        abstract: "List the gated actions of the policy.",
        discussion: "For each: its title, for how long a user is not asked again, and what it asks for.")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let gatedActions = try await session.gate.authorization.gatedActions()
        guard !session.output.isJSON else {
            for page in gatedActions.pages {
                session.output.line(
                    try ListGatedActionsResponse(page, nextPageToken: "").json())
            }
            return
        }
        var rows: [[String]] = []
        for gatedAction in gatedActions {
            let keep =
                gatedAction.keep.map { localized("kept for {duration}", ["duration": DurationWords.short($0)]) }
                ?? localized("every time")
            rows.append([
                gatedAction.name, VisibleText.line(gatedAction.titles.ofPerson), keep,
                VisibleText.line(try await session.requirement(of: gatedAction)),
            ])
        }
        session.output.table(
            rows, orNone: localized("The policy names no gated actions, so all are denied."))
    }
}
