import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct AppsGuardVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "guard",
        abstract: localized(
            "Guard an app, so that it starts only through Gate (administrators; grown-ups with the passcode)."),
        discussion: localized(
            """
            For example: sudo gatectl apps guard supertux2
            And: sudo gatectl apps guard supertux2 --allowance games
            And: sudo gatectl apps guard supertux2 --during after-school --requires arithmetic-choice --or-parent

            Without --requires, --ages, --allowance and --during, a child asks a grown-up, who can allow the app once, \
            for half an hour or for an hour; in parent mode it starts without a question. With only --allowance or \
            --during, nobody is asked while there is time. A child whose time is over can ask for more, unless \
            --more-time says otherwise.

            A guarded app is a gated action, app.NAME, which `gatectl gates` can change, too. Within seconds, only the \
            app's own group has access to its files, and its menu entry leads through Gate. At the end, the command \
            says whether the kernel alone guards the app, or whether a child who was allowed to start it can then copy \
            it.
            """))

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var choice: GateChoiceOptions

    @Option(
        help: ArgumentHelp(
            localized("The app starts only while this allowance has time left (`gatectl allowances`)."),
            valueName: "name"))
    var allowance: String?

    @Option(
        help: ArgumentHelp(
            localized("The app starts only in the hours of this schedule (`gatectl schedules`)."), valueName: "name"))
    var during: String?

    @OptionGroup var change: ChangeOptions

    @Argument(
        help: ArgumentHelp(localized("The app, as `gatectl apps list` names it.")), completion: AppsGuardVerb.completion
    )
    var app: String

    /// A child asks a grown-up, perhaps for later; in parent mode nobody is asked.
    static let usual =
        "{any: [{mode: parent}, {challenge: {kind: confirm, answered-by: grown-up, may-wait: 1d, choices: [once, 30m, 1h]}}]}"

    static var completion: CompletionKind {
        .custom { _, _, _ in
            AppSearch.entries(in: AppDevice.menuFolder, AppDevice()).filter { $0.isShown(on: []) }
                .compactMap(\.name).filter(NameCompletion.isOffered)
        }
    }

    var clock: [String] {
        [
            during.map { "{during: \(JSONString.quoted($0))}" },
            allowance.map { "{allowance: \(JSONString.quoted($0))}" },
        ].compactMap(\.self)
    }

    func validate() throws { _ = try choice.requirement(within: clock, orElse: Self.usual) }

    func perform(_ session: Session) async throws(GateError) {
        // It was validated before.
        guard let requires = try? choice.requirement(within: clock, orElse: Self.usual) else { return }
        let device = AppDevice()
        let name = try AppName.given(app)
        let wait = AppsWaiting(device: device, name: name)
        try wait.requireService()
        let listing = try AppListing(device, rules: [:])
        let found = try listing.app(name)
        if !found.isGuarded, found.hold.strength == .nothing, let problem = found.problem {
            throw GateError(
                problem.word == .notInstalled ? .notFound : .failedPrecondition, .unspecified,
                saying: problem.sentence(name))
        }
        guard found.action == AppName.actionPrefix + name else {
            throw GateError(
                .failedPrecondition, .unspecified,
                saying: AppProblem(
                    .otherApp, found.packages.first ?? "", by: AppName.ofAction(found.action) ?? ""
                ).sentence(name))
        }
        let isListed = try await session.gate.authorization.gatedActions().contains { $0.name == found.action }
        try await session.changeGate(
            SetGateRequest(
                gatedAction: found.action, requires: requires, keep: choice.keep,
                title: choice.title ?? (isListed ? nil : found.title.ofPerson),
                moreTime: choice.moreTime ?? (isListed || clock.isEmpty ? nil : AskChoice.usualMoreTime),
                checkOnly: change.dryRun),
            readsStandardInput: change.question.stdin)
        let hold =
            change.dryRun || isListed && found.isGuarded && found.problem == nil ? found.hold : try await wait.guarded()
        if session.output.isJSON {
            session.output.json(try AppListing(device, rules: try await session.appRules()).app(name).json)
        } else {
            let title = VisibleText.line(found.title.ofPerson)
            session.output.line(ListText.pair(title, hold.sentence))
            for reason in hold.reasons { session.output.line(VisibleText.line(reason.sentence)) }
        }
    }
}

struct AppsReleaseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: localized("Release an app: everybody can start it again, and its files are as they were."))

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var change: ChangeOptions

    @Argument(
        help: ArgumentHelp(localized("The app, as `gatectl apps list` names it.")),
        completion: AppsReleaseVerb.completion)
    var app: String

    static var completion: CompletionKind {
        .custom { _, _, _ in AppDevice().recordedApps.filter(NameCompletion.isOffered) }
    }

    func perform(_ session: Session) async throws(GateError) {
        let name = try AppName.given(app)
        let action = AppName.actionPrefix + name
        let wait = AppsWaiting(device: AppDevice(), name: name)
        let origin = try await origin(of: action, session)
        switch origin?.layer {
        case .choices:
            try await session.changeGate(
                SetGateRequest(gatedAction: action, requires: nil, checkOnly: change.dryRun),
                readsStandardInput: change.question.stdin)
            guard !change.dryRun else { return }
            // The choice may have stood before a file that names the app, too.
            if let origin = try await self.origin(of: action, session) { throw Self.isNamed(origin, name) }
        case .shipped, .household, .device, .unrecognized:
            if let origin { throw Self.isNamed(origin, name) }
        case nil:
            guard wait.isRecorded else {
                throw GateError(
                    .notFound, .unknown,
                    saying: localized("{app} is not guarded. `gatectl apps list` shows all.", ["app": name]))
            }
            guard !change.dryRun else { return }
        }
        try await wait.released()
        session.output.note(localized("{app} is no longer guarded. Its files are as they were.", ["app": name]))
    }

    /// Where the policy names the action; `nil` if it does not.
    private func origin(of action: String, _ session: Session) async throws(GateError) -> PolicyOrigin? {
        let found = try await session.gate.authorization.gatedActions().first { $0.name == action }
        return found.map { $0.origin ?? PolicyOrigin(layer: .unrecognized, file: localized("the policy")) }
    }

    private static func isNamed(_ origin: PolicyOrigin, _ name: String) -> GateError {
        GateError(
            .failedPrecondition, .unspecified,
            saying: localized(
                "{app} stays guarded, since it is named here: {origin}. Take it out there.",
                ["app": name, "origin": GateWords.origin(origin, visible: VisibleText.line)]))
    }
}

extension AppName {
    /// The name of an app that a person has typed; the name of its menu entry's file will do, too.
    static func given(_ text: String) throws(GateError) -> String {
        let id = text.ends(withBytesOf: MenuEntry.suffix) ? String(text.dropLast(MenuEntry.suffix.count)) : text
        guard let name = of(id) else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "'{name}' can't be the name of an app. `gatectl apps list` shows all.",
                    ["name": VisibleText.line(text)]))
        }
        return name
    }
}
