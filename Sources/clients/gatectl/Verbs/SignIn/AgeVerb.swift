public import ArgumentParser
import GateClient
public import GateModel
import GateProtocol
import GateTexts
import Glibc

struct AgeVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "age",
        abstract: localized("Show which age range an app is told, and choose which apps are told one."),
        discussion: """
            For example: gatectl age --app org.example.chat
            And: sudo gatectl age settings --on
            And: sudo gatectl age set mia org.example.chat always
            """,
        subcommands: [AgeQueryVerb.self, AgeSettingsVerb.self, AgeAppsVerb.self, AgeSetVerb.self],
        defaultSubcommand: AgeQueryVerb.self)
}

struct AgeQueryVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Ask for the age range of the person whose user this is, as an app does.",
        discussion: """
            Status 0: a range is told; 1: nothing is told, which looks the same whatever the reason. The date of birth \
            is never told. The range changes on 1 January and on 1 July only. If a grown-up has not answered yet for \
            the app, `gatectl age apps` lists it afterwards.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("Ask in the name of this app.", valueName: "name"))
    var app: String

    func perform(_ session: Session) async throws(GateError) {
        var options = connection.client
        options.programName = app
        let response = try await GateClient(options).call(Methods.Age.query, QueryAgeRangeRequest())
        try session.output.result(response, AgeWords.range(response.range))
        Glibc.exit(response.range == nil ? 1 : 0)
    }
}

struct AgeSettingsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Say whether apps are told age ranges, or change that (administrators; grown-ups with the passcode).",
        discussion: """
            For example: sudo gatectl age settings --on --gates 13,16,18

            Age ranges are off until a grown-up turns them on. When they are off, every app is told nothing, and what \
            was chosen for each app remains.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Turn age ranges on.")
    var on = false

    @Flag(help: "Turn age ranges off.")
    var off = false

    @Option(
        help: ArgumentHelp(
            "The ages at which a new range begins: one to three from 2 to 25, at least two years apart.",
            valueName: "ages"),
        transform: { text in
            let ages = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            guard !ages.contains(nil) else { throw ValidationError("Write for example --gates 13,16,18.") }
            return ages.compactMap(\.self)
        })
    var gates: [Int]?

    @OptionGroup var question: QuestionOptions

    func validate() throws {
        guard !on || !off else { throw ValidationError(localized("Give --on or --off, not both.")) }
    }

    func perform(_ session: Session) async throws(GateError) {
        guard on || off || gates != nil else {
            let response = try await session.gate.call(Methods.Age.getSettings, GetAgeSettingsRequest())
            return try session.output.result(response, AgeWords.settings(response.settings))
        }
        var isOn = on
        if !on, !off { isOn = try await session.gate.age.settings().isOn }
        let response = try await session.change(
            Methods.Age.setSettings, SetAgeSettingsRequest(isOn: isOn, gates: gates ?? []),
            readsStandardInput: question.stdin)
        let text = AgeWords.settings(try await session.gate.age.settings())
        try session.output.result(response, at: response.revision, text)
    }
}

struct AgeAppsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "List the apps that asked for an age range (administrators and grown-ups; in parent mode anybody).",
        discussion: """
            For each app: as whose user it ran, the name that it gives itself, which nobody checks, and what it is \
            told.
            """)

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        try await session.output.list(
            session.gate.age.apps(), as: ListAgeAppsResponse.self,
            orNone: localized("No app has asked for an age range."), columns: \.columns)
    }
}

struct AgeSetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Choose what an app is told of a person (administrators; grown-ups with the passcode).",
        discussion: """
            For example: sudo gatectl age set mia org.example.chat always

            With for-now the app is told the range until the half-year ends, and then a grown-up is asked again, since \
            the range can be another one; not-now is the same for a no.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var question: QuestionOptions

    @Argument(help: "The person's name.", completion: NameCompletion.people)
    var person: String

    @Argument(help: "The app's name for itself.", completion: NameCompletion.ageApps)
    var app: String

    @Argument(help: "What happens when the app asks.")
    var choice: AgeChoice

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.change(
            Methods.Age.setChoice, SetAgeChoiceRequest(person: person, app: app, choice: choice),
            readsStandardInput: question.stdin)
        let chosen = AgeApp(person: person, app: app, choice: choice, isWaiting: false)
        try session.output.result(response, at: response.revision, ListText.facts(chosen.columns))
    }
}

extension AgeChoice: ExpressibleByArgument {}

extension AgeApp {
    /// `mia`, `org.example.chat`, `waits for an answer`.
    var columns: [String] {
        [VisibleText.line(person), VisibleText.line(app), AgeWords.choice(self)]
    }
}
