import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

// The verbs about the time that people use gated actions.

struct UsageVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "usage",
        abstract: localized("List how much time was used today, and how much is left."),
        discussion: """
            For example: gatectl usage --days 7

            Children see their own time. Grown-ups and administrators see everybody's. Days are kept for ten weeks. If \
            the time is counted for all devices of a household, the other devices are listed with the time used there.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("How many days to list, today included: at most 70.", valueName: "count"))
    var days: Int = 1

    func validate() throws {
        guard (1...70).contains(days) else { throw ValidationError("--days is a number from 1 to 70.") }
    }

    func perform(_ session: Session) async throws(GateError) {
        let times = try await session.gate.usage.times(days: days)
        try await session.output.list(
            times, as: ListUsageResponse.self, orNone: localized("No time was used.")
        ) { UsageText.columns($0, hasDays: days > 1) }
    }
}

struct UseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: localized("Run a command, and count its time as use of a gated action."),
        discussion: """
            For example: gatectl use games.play -- supertux2

            The time counts for the person whose user this is, for the allowances that the gated action needs, as \
            long as the command runs. If there is no time now, nothing runs. Warnings are printed to standard error: \
            five minutes and one minute before the time is over. They also say how to ask for more, if the policy offers \
            that. Then the command gets SIGTERM, and ten seconds later \
            SIGKILL, and the status is 124. Otherwise the status is the command's own; 128 and its number if a signal \
            ended it.

            Nobody is asked whether the gated action is allowed. If somebody has to be asked first: gatectl run --gate \
            games.play -- gatectl use games.play -- supertux2

            A child who can start the program without `gatectl use` has no time counted.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("What a grown-up has said yes to; the command ends with that yes.", valueName: "text"))
    var details = ""

    @Argument(
        help: ArgumentHelp("The gated action, as the policy names it.", valueName: "gated-action"),
        completion: NameCompletion.gatedActions)
    var gatedAction: String

    @Argument(parsing: .postTerminator, help: "The command to run, and its arguments; after a --.")
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else {
            throw ValidationError("Say what to run: gatectl use \(gatedAction) -- COMMAND")
        }
    }

    func perform(_ session: Session) async throws(GateError) {
        let start = try CommandStart(command)
        var times = session.gate.usage.use(gatedAction, details: details).makeAsyncIterator()
        // Nothing starts before the use has begun.
        guard let first = try await times.next() else {
            throw GateError(.unavailable, .unspecified, saying: localized("Gate has ended the use before it began."))
        }
        let program = try UsedProgram(start)
        Task.detached { await program.exitWithIt() }
        var time: TimeLeft? = first
        while let left = time, !left.isOver {
            if let note = UsageText.note(left) { session.output.note(note) }
            if let time = left.left, time <= Self.lastMinutes { await sayHowToAskForMore(session) }
            do throws(GateError) {
                time = try await times.next()
            } catch {
                session.output.report(error)
                time = nil
            }
        }
        // No time is left, or the time is not counted.
        if let note = time.flatMap(UsageText.note) { session.output.note(note) }
        program.isToEnd()
        await program.exitWithIt()
    }

    /// When the first warning comes.
    private static let lastMinutes = Duration.seconds(300)

    private func sayHowToAskForMore(_ session: Session) async {
        let request = GetGatedActionRequest(name: gatedAction)
        guard let gate = try? await session.gate.call(Methods.Authorization.getGatedAction, request),
            !gate.gatedAction.moreTime.isEmpty
        else { return }
        session.output.note(localized("Ask for more time: `gatectl more-time {gate}`.", ["gate": gatedAction]))
    }
}
