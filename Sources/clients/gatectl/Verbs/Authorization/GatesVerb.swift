import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct GatesVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gates",
        abstract: localized("List the gated actions of the policy, and change what they require."),
        discussion: """
            For example: sudo gatectl gates set link.open --requires passcode --keep 5m
            And: sudo gatectl gates unset link.open
            """,
        subcommands: [GatesListVerb.self, GatesSetVerb.self, GatesUnsetVerb.self],
        defaultSubcommand: GatesListVerb.self)
}

struct GatesListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the gated actions of the policy.",
        discussion: """
            For each gated action: its title, what it requires, for how long a user is not asked again, how much more \
            time a child can ask for, how likely somebody who only guesses gets through within an hour, whether a \
            program can get through, and where the policy says so.
            """)

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let gatedActions = try await session.gate.authorization.gatedActions()
        try await session.output.list(
            gatedActions, as: ListGatedActionsResponse.self,
            orNone: localized("The policy names no gated actions, so all are denied.")
        ) { gatedAction throws(GateError) in
            let rule = try await session.gate.authorization.rule(of: gatedAction)
            let origin = gatedAction.origin.map { GateWords.origin($0, visible: VisibleText.line) }
            let further = [GateWords.moreTime(gatedAction.moreTime), rule.strength.map(GateWords.strength), origin]
            return [
                gatedAction.name, VisibleText.line(gatedAction.titles.ofPerson), GateWords.keep(gatedAction.keep),
                GateWords.requirement(rule, visible: VisibleText.line),
            ] + further.compactMap(\.self)
        }
    }
}

struct GatesSetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Choose what a gated action requires (administrators; grown-ups with the passcode).",
        discussion: """
            For example: sudo gatectl gates set link.open --requires passcode --keep 5m
            And: sudo gatectl gates set share --ages 0-8=arithmetic-choice,9+=passcode --or-parent
            And: sudo gatectl gates set calls.video --requires confirm --answered-by grown-up
            And: sudo gatectl gates set games.play --requires '{allowance: games}' --more-time 15m,1h

            This takes precedence over what packages have installed, but not over the household's policy and \
            /etc/gate. It replaces everything that the action required before, so what is not given here is not kept. \
            The title stays, and how much more time can be asked for.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var choice: GateChoiceOptions

    @OptionGroup var change: ChangeOptions

    @Argument(help: "The gated action, like link.open.", completion: NameCompletion.gatedActions)
    var action: String

    func validate() throws { _ = try choice.requirement() }

    func perform(_ session: Session) async throws(GateError) {
        // It was validated before.
        guard let requires = try? choice.requirement() else { return }
        try await session.changeGate(
            SetGateRequest(
                gatedAction: action, requires: requires, keep: choice.keep, title: choice.title,
                moreTime: choice.moreTime, checkOnly: change.dryRun),
            readsStandardInput: change.question.stdin)
    }
}

struct GatesUnsetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Take a choice back, so that what packages have installed counts again.")

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var change: ChangeOptions

    @Argument(help: "The gated action, like link.open.", completion: NameCompletion.gatedActions)
    var action: String

    func perform(_ session: Session) async throws(GateError) {
        try await session.changeGate(
            SetGateRequest(gatedAction: action, requires: nil, checkOnly: change.dryRun),
            readsStandardInput: change.question.stdin)
    }
}

extension Session {
    /// Changes what stands before a gated action, or takes a choice back, and prints what was before and is now.
    func changeGate(_ request: SetGateRequest, readsStandardInput: Bool) async throws(GateError) {
        let response = try await change(
            Methods.Control.setGate, request, readsStandardInput: readsStandardInput)
        let lines = GateWords.change(
            ChangedGate(response), of: request.gatedAction, isDone: !request.checkOnly, visible: VisibleText.line)
        try output.result(response, lines.joined(separator: "\n"))
    }
}
