import ArgumentParser
import GateClient
import GateModel
import GatePolicy
import GateProtocol
import GateTexts

struct WhatsNewVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whatsnew",
        abstract: localized("Show what is new in an app, once to each person."),
        discussion: """
            For example: gatectl whatsnew show org.example.draw 1.2.0

            Gate remembers what was seen for the user that runs this, if that user is a person's on the list of \
            people; otherwise for the account that is signed in, or if nobody is, for that user.
            """,
        subcommands: [
            WhatsNewShowVerb.self, WhatsNewAckVerb.self, WhatsNewResetVerb.self, WhatsNewListVerb.self,
        ])
}

struct WhatsNewArguments: ParsableArguments, Sendable {
    @Argument(help: "The app: org.example.draw.")
    var app: String

    @Argument(help: "Its version: 1.2.0.", transform: Self.parse)
    var version: AppVersion

    private static func parse(_ text: String) throws(ValidationError) -> AppVersion {
        guard let version = AppVersion(text) else {
            throw ValidationError("'\(text)' is no version. Write one to three numbers with dots between them: 1.2.0.")
        }
        return version
    }
}

struct OwnNotesOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "Bring these notes along, a file as in release-notes.d, for a device where none of the app are installed.",
            valueName: "path"),
        completion: .file())
    var notes: String?

    /// - Throws: `INVALID_ARGUMENT` with everything that is wrong with the file.
    func notes(of app: String) throws(GateError) -> [WhatsNew] {
        guard let notes else { return [] }
        do throws(PolicyError) {
            let brought = try ReleaseNotesFile.read(notes)
            guard brought.app == app else {
                throw PolicyError(problems: [
                    PolicyProblem(
                        file: notes,
                        message: localized(
                            "These are the notes of '{found}', not of '{app}'.",
                            ["found": VisibleText.line(brought.app), "app": VisibleText.line(app)]), kind: .value)
                ])
            }
            return brought.entries
        } catch {
            throw GateError(.invalidArgument, .invalidRequest, error.description)
        }
    }
}

struct WhatsNewShowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what is new in this version, unless this person has seen it.",
        discussion: """
            For example: gatectl whatsnew show org.example.draw 1.2.0

            Shows the entry of exactly this version, else that of the first release of the same minor version, \
            else nothing. On another screen if there is one (`gatectl present`), else on this terminal: Return \
            closes it, s takes the second button. Closing it in any way counts as having seen it. If the second \
            button has an address, it is opened as by `gatectl open`: after the gated action link.open, in the \
            browser that the policy names.

            Status 0: it was shown, or there is nothing new, for example because this device has no release notes \
            of the app; 2: nobody could show it, and it counts as not seen; 69: the daemon can't be reached. If \
            the second button opens an address, the status is that of `gatectl open`.

            An app may bring its own notes: gatectl whatsnew show org.example.draw 1.2.0 --notes draw.yaml, written as a \
            file of release-notes.d. They count if this device has none of the app; people are told that no \
            administrator has read them.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var own: OwnNotesOptions

    @OptionGroup var policy: PolicyOptions

    @Option(help: ArgumentHelp("Another browser than the policy's; a path, or a name in PATH.", valueName: "program"))
    var browser: String?

    @Flag(help: "Print it as text, and read the answer from standard input: an empty line, or s.")
    var stdin = false

    @OptionGroup var whatsNew: WhatsNewArguments

    func perform(_ session: Session) async throws(GateError) {
        // Ask before the notes are shown: afterwards they count as seen, and can't be fetched.
        let notes = try own.notes(of: whatsNew.app)
        let notice = try await session.gate.releaseNotes.unseen(
            app: whatsNew.app, version: whatsNew.version, bringing: notes)
        let outcome = try await outcome(session, notes)
        let response = ShowReleaseNotesResponse(
            revision: try await session.gate.control.ping().revision, result: .outcome(outcome))
        try session.output.result(response, at: response.revision, outcome.text)
        switch outcome {
        case .nothingNew, .shown: return
        case .secondaryChosen:
            guard let url = notice?.entry.secondary?.url else { return }
            let opening = try LinkOpening(url, browser: browser, policy, connection)
            throw try await opening.open(session, readsStandardInput: stdin)
        }
    }

    private func outcome(_ session: Session, _ notes: [WhatsNew]) async throws(GateError) -> WhatsNewOutcome {
        let (gate, app, version) = (session.gate, whatsNew.app, whatsNew.version)
        let questioner = Questioner(readsStandardInput: stdin, output: session.output)
        let (response, open) = try await session.begun(readsStandardInput: stdin, questioner) {
            presenting throws(GateError) in
            try await gate.beginWhatsNew(app: app, version: version, bringing: notes, presenting)
        }
        if case .outcome(let outcome) = response.result { return outcome }
        guard let questioner, let open, case .whatsNew(let notice) = open.content else {
            throw GateError(.internal, .unspecified, saying: localized("The daemon did not send the news."))
        }
        let isSecondary = try await questioner.showWhatsNew(notice, open, from: response)
        return isSecondary ? .secondaryChosen : .shown
    }
}

struct WhatsNewAckVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "ack", abstract: "Mark the news of this version as seen.",
        discussion: "For apps that have shown it themselves: gatectl whatsnew ack org.example.draw 1.2.0")

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var own: OwnNotesOptions

    @OptionGroup var whatsNew: WhatsNewArguments

    func perform(_ session: Session) async throws(GateError) {
        let request = AcknowledgeReleaseNotesRequest(
            app: whatsNew.app, version: whatsNew.version, notes: try own.notes(of: whatsNew.app))
        let response = try await session.gate.call(Methods.ReleaseNotes.acknowledge, request)
        try session.output.result(response, at: response.revision, localized("seen"))
    }
}

struct WhatsNewResetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Mark the news of one app, or of all, as not seen.")

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "The app. Default: all.")
    var app: String?

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.gate.call(
            Methods.ReleaseNotes.reset, ResetReleaseNotesRequest(app: app))
        try session.output.result(
            response, at: response.revision,
            localized(
                "{count} version counts as not seen", plural: "{count} versions count as not seen",
                count: response.count))
    }
}

struct WhatsNewListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the apps with release notes, and what was seen of them.")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let apps = try await session.gate.releaseNotes.list()
        try await session.output.list(
            apps, as: ListReleaseNotesResponse.self,
            orNone: localized("There are no release notes. Release notes are files in release-notes.d."),
            columns: Self.columns)
    }

    /// `org.example.draw`, `newest 1.2.0`, `3 versions`, `seen 1.0.0, 1.1.0`.
    static func columns(_ app: ReleaseNotesSummary) -> [String] {
        let seen = ListText.things(app.seen.map(\.description))
        return [
            VisibleText.line(app.app), localized("newest {version}", ["version": "\(app.newest)"]),
            localized("{count} version", plural: "{count} versions", count: app.entryCount),
            app.seen.isEmpty ? localized("none seen") : localized("seen {versions}", ["versions": seen]),
        ]
    }
}

extension WhatsNewOutcome {
    var text: String {
        switch self {
        case .nothingNew: localized("nothing new")
        case .shown: localized("shown")
        case .secondaryChosen: localized("shown, and the second button taken")
        }
    }
}
