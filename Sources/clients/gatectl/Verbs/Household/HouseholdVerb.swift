import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts
import Glibc

struct HouseholdVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "household",
        abstract: localized("See the other devices of the family, lock them, or give them parent mode."),
        discussion: localized(
            """
            Devices that belong together are connected by an MQTT broker. Each device decides for itself, and believes \
            only what a guardian of the household has signed. docs/household.md says how to set a household up.
            """),
        subcommands: [
            HouseholdDevicesVerb.self, HouseholdLockVerb.self, HouseholdExtendVerb.self, HouseholdOverrideVerb.self,
            HouseholdRequestsVerb.self, HouseholdApproveVerb.self, HouseholdDenyVerb.self, HouseholdDoctorVerb.self,
            HouseholdCreateVerb.self, HouseholdInviteVerb.self, HouseholdJoinVerb.self, HouseholdLeaveVerb.self,
            HouseholdRevokeVerb.self, HouseholdRenameVerb.self, HouseholdRenewVerb.self, HouseholdPublishVerb.self,
        ], defaultSubcommand: HouseholdDevicesVerb.self)
}

struct HouseholdDevicesVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: localized(
            "List the devices: their mode, until when it lasts, and when each device was last heard from."))

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: ArgumentHelp(localized("Keep running, and print the list again whenever it changes.")))
    var follow = false

    func perform(_ session: Session) async throws(GateError) {
        var devices = try await session.gate.household.devices()
        try show(devices, session.output)
        while follow {
            devices = try await session.gate.household.devices(after: devices.change)
            try show(devices, session.output)
        }
    }

    private func show(_ devices: HouseholdDevices, _ output: Output) throws(GateError) {
        guard !output.isJSON else { return output.line(try ListDevicesResponse(devices: devices).json()) }
        output.table(
            devices.devices.map {
                HouseholdText.row($0, isHeard: devices.isGuardiansDevice, now: .now(), colours: output.colours)
            },
            orNone: localized("The household's list has no devices."))
        if !devices.isGuardiansDevice {
            output.note(localized("This device can't command others, so it is not told how they are."))
        }
        if !devices.hasBroker {
            output.note(
                localized("The other devices can't be reached just now. `gatectl household doctor` says why."))
        }
    }
}

struct DevicesArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            localized("Which devices, by name or id, as `gatectl household devices` lists them."), valueName: "device"))
    var devices: [String] = []

    /// - Throws: `NOT_FOUND` if the household has no such device; `INVALID_ARGUMENT` if several have this name.
    func found(_ session: Session) async throws(GateError) -> [HouseholdMember] {
        let members = try await session.gate.household.devices().devices.map(\.member)
        return try devices.map { word throws(GateError) in
            // An id names one device, even a revoked one. A name means those that are not revoked, if there are any.
            let named = members.filter { $0.name == word }
            let current = named.filter { !$0.isRevoked }
            let found =
                members.filter { $0.id.description == word }.first.map { [$0] } ?? (current.isEmpty ? named : current)
            guard let member = found.first else { throw HouseholdText.noDevice(word, among: members) }
            guard found.count == 1 else {
                throw GateError(
                    .invalidArgument, .invalidRequest,
                    saying: localized(
                        "Several devices are called '{name}'. Give the id: `gatectl household devices --json`.",
                        ["name": word]))
            }
            return member
        }
    }
}

struct HouseholdLockVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: localized("Lock other devices: they switch to child mode at once."),
        discussion: localized(
            """
            This needs parent mode on this device, or an administrator. Status 0: all devices have done it; 75: some \
            have not answered, or are not connected.
            """)
    )

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var target: DevicesArgument

    @Flag(help: ArgumentHelp(localized("All devices except this one.")))
    var all = false

    @Flag(
        help: ArgumentHelp(
            localized(
                "Ignore devices that are not connected: status 0 if all that are connected have done it, and at least one."
            ))
    )
    var connected = false

    @OptionGroup var waiting: AnswerOptions

    func validate() throws {
        guard all == target.devices.isEmpty else {
            throw ValidationError("Name the devices, or say --all for all but this one.")
        }
    }

    func perform(_ session: Session) async throws(GateError) {
        let devices = all ? nil : try await target.found(session)
        try await session.command(
            .lock, to: devices, waiting: waiting.wait, readsStandardInput: false, countsOffline: !connected)
    }
}

struct HouseholdExtendVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "extend",
        abstract: localized("Extend parent mode on other devices."),
        discussion: localized(
            """
            This needs an administrator, or a grown-up's answer on this device, to the gated action household.open.
            """))

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var target: DevicesArgument

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            localized("How long parent mode lasts from now on. Default: as that device's policy says."),
            valueName: "duration"),
        transform: DurationText.parse)
    var duration: Duration?

    @OptionGroup var waiting: AnswerOptions

    @OptionGroup var question: QuestionOptions

    func validate() throws {
        guard !target.devices.isEmpty else { throw ValidationError("Name the devices.") }
    }

    func perform(_ session: Session) async throws(GateError) {
        try await session.command(
            .extend(duration), to: try await target.found(session), waiting: waiting.wait,
            readsStandardInput: question.stdin)
    }
}

struct HouseholdOverrideVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "override",
        abstract: localized("Set the mode of other devices without a question there."),
        discussion: localized(
            """
            Parent mode needs an administrator, or a grown-up's answer on this device, to the gated action \
            household.open.
            """))

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: ArgumentHelp(localized("The mode to set.")))
    var mode: OverrideVerb.Target

    @OptionGroup var target: DevicesArgument

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            localized("How long parent mode lasts from now on. Default: as that device's policy says."),
            valueName: "duration"),
        transform: DurationText.parse)
    var duration: Duration?

    @Option(help: ArgumentHelp(localized("The reason, for the journal; at most 200 bytes."), valueName: "text"))
    var reason: String

    @OptionGroup var waiting: AnswerOptions

    @OptionGroup var question: QuestionOptions

    func validate() throws {
        guard !target.devices.isEmpty else { throw ValidationError("Name the devices.") }
    }

    func perform(_ session: Session) async throws(GateError) {
        try await session.command(
            .override(mode.mode, duration, reason: reason), to: try await target.found(session), waiting: waiting.wait,
            readsStandardInput: question.stdin)
    }
}

struct AnswerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(localized("How long to wait for the devices' answers."), valueName: "duration"),
        transform: DurationText.parse)
    var wait: Duration = .seconds(5)
}

extension Session {
    /// Commands other devices (`nil`: all but this one), and prints what each of them answered.
    fileprivate func command(
        _ order: GuardianOrder, to devices: [HouseholdMember]?, waiting: Duration, readsStandardInput: Bool,
        countsOffline: Bool = true
    ) async throws(GateError) {
        let ids = devices?.map(\.id)
        let sent: SentCommand
        do throws(GateError) {
            sent = try await gate.household.send(order, to: ids)
        } catch {
            guard error.parameters["what"] == "household-grant", let devices else { throw error }
            let members = try await gate.household.devices().devices.map(\.member)
            let names = HouseholdMember.distinctNames(of: devices, among: members)
            let request = AuthorizationRequest(gatedAction: "household.open", details: order.grantDetails(for: names))
            let grant = try await grant(for: request, readsStandardInput: readsStandardInput)
            sent = try await gate.household.send(order, to: ids, grant: grant.proof)
        }
        try await showAnswers(to: sent, waiting: waiting, countsOffline: countsOffline)
    }

    /// Prints what each device answered. Ends the program with another status than 0 unless all have done it.
    func showAnswers(
        to sent: SentCommand, waiting: Duration, countsOffline: Bool = true
    ) async throws(GateError) {
        let answers = try await gate.household.answers(to: sent, waiting: waiting)
        if output.isJSON {
            output.line(try GetResultsResponse(results: answers).json())
        } else {
            output.table(
                answers.answers.map { HouseholdText.row($0, colours: output.colours) }
                    + answers.unanswered.map { HouseholdText.unanswered($0) },
                orNone: localized("No device was asked."))
        }
        let status = answers.exitStatus(countsOffline: countsOffline)
        if status != 0 { Glibc.exit(status) }
    }
}

extension CommandAnswers {
    /// 0 if all devices have done it; 75 if some may do it later; 1 if one has not done it. With `countsOffline` false,
    /// devices that are not connected don't matter, provided that another one has done it.
    func exitStatus(countsOffline: Bool) -> Int32 {
        let offline = answers.filter { $0.check == GuardianCheck.offline.rawValue }
        let done = answers.count(where: \.isDone)
        guard done + offline.count == answers.count else { return 1 }
        guard unanswered.isEmpty else { return 75 }
        return offline.isEmpty || !countsOffline && done > 0 ? 0 : 75
    }
}
