import ArgumentParser
import GateClient
import GateModel
import GateProtocol

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
                    try ListGatedActionsResponse(gatedActions: page, nextPageToken: "").json())
            }
            return
        }
        let rows = gatedActions.map { gatedAction in
            let keep = gatedAction.keep.map { "kept for \($0.shortText)" } ?? "every time"
            return [
                gatedAction.name, VisibleText.line(gatedAction.titles.ofPerson), keep,
                VisibleText.line(gatedAction.requirement),
            ]
        }
        for line in TextTable(rows: rows).lines { session.output.line(line) }
        if rows.isEmpty { session.output.note("The policy names no gated actions, so all are denied.") }
    }
}
