import ArgumentParser
import GateClient
import GateHousehold
import GateModel
import GateTexts

struct JoinVerb: FoundingVerb {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Join a household, with a code of `gatectl household invite`.",
        discussion: """
            The code is read from standard input, and never from the command line: anyone on the device could read it there, and join \
            first. As root, while gated and the broker run, and the inviting device waits.
            """)

    @Option(help: "The name of this device, as people read it.", transform: String.name)
    var name: String

    @Flag(help: "Forget the household that this device belongs to.")
    var replace = false

    @Flag(
        help:
            "With --replace: make another key for this device, because it is a copy of another device's disk. Until it has joined nobody believes it."
    )
    var newKey = false

    @Flag(help: "Print JSON for programs, one object a line. Errors stay sentences on standard error.")
    var json = false

    @OptionGroup var options: DeviceOptions

    func validate() throws {
        if newKey, !replace { throw ValidationError("--new-key goes with --replace.") }
    }

    func perform(_ session: FoundingSession) async throws {
        let directory = session.directory
        try directory.checkMayBegin(replaces: replace)
        let former = replace ? try? directory.settings() : nil
        let code = try JoinCode(typed: session.answer(to: localized("Type the code:")) ?? "")
        let keys = try await session.gate.household.createDeviceKey(replaces: newKey)
        var random = SystemRandomNumberGenerator()
        let membership = try HouseholdMembership(
            name: name, host: TerminalInput.hostName, keys: keys, using: &random)
        let joining = Joining(code, over: session.link, clock: { .now() }, sleep: FoundingSession.sleep)
        var joined: HouseholdSettings?
        let (authority, household) = try await joining.authority()
        let list = try await TemporaryFolder.with([.authority(authority)]) { folder in
            try await joining.join(
                membership.request, household: household, authority: "\(folder)/\(HouseholdFileName.authority)",
                isAsking: { number in
                    session.note(
                        localized(
                            "Somebody is asked at the inviting device. It shows the same number: {number}",
                            ["number": number.text]))
                }
            ) { admission throws(FoundingError) in
                var (settings, files) = try membership.files(admission, code, now: .now())
                if let former { settings.keepChoices(of: former) }
                if let former, former.household != settings.household, !newKey {
                    _ = await session.sayFarewell(former)
                }
                try directory.alone { () throws(FoundingError) in
                    try directory.install(settings, files, replaces: replace)
                }
                joined = settings
                return admission.list
            }
        }
        if let former, former.homeAssistant != nil, joined?.homeAssistant == nil {
            session.note(
                localized(
                    "This is another household, so what {file} had said about Home Assistant is gone. Write it anew if this household's may find the device.",
                    ["file": HouseholdFileName.settings]))
        }
        await session.bringIntoForce(list)
        if json, let joined {
            return session.line(
                FoundingJSON.line(
                    FoundingJSON.Joined(
                        household: joined.household.description, device: joined.device.description, name: name,
                        hasConfirmed: true, deviceCommands: ServiceCommands.starting(replaces: replace))))
        }
        session.line(localized("{name} is in the household. Then, here:", ["name": name]))
        for command in ServiceCommands.starting(replaces: replace) { session.line("  \(command)") }
    }
}
