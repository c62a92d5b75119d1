import ArgumentParser
import GateClient
import GateHousehold
import GateModel
import GateTexts
import Glibc

struct HomeAssistantVerb: FoundingVerb {
    static let configuration = CommandConfiguration(
        commandName: "home-assistant",
        abstract: "Make a certificate for Home Assistant, to see and lock the household's devices.",
        discussion: """
            Writes a certificate, its key and the broker's authority into a folder, for Home Assistant's MQTT integration, and the broker's \
            access list anew. Which devices it finds, and what it may do there beside locking, household.yaml says on each of them. As root, \
            on the device that has the household's key.
            """)

    @Option(
        help: ArgumentHelp("The folder to make. It must not be there yet.", valueName: "path"),
        completion: .directory)
    var folder: String

    @OptionGroup var options: DeviceOptions

    func validate() throws {
        if folder.isEmpty { throw ValidationError("--folder needs a path.") }
    }

    func perform(_ session: FoundingSession) async throws {
        let directory = session.directory
        let (settings, access) = try directory.alone { () throws(FoundingError) in
            let keeping = try directory.keeping()
            let access = try self.access(keeping.secret, directory)
            let bridge = HomeAssistantBridge(keeping.settings.household, broker: keeping.settings.broker)
            try FileSystem.makeFolder(folder, access.files + [bridge.file])
            try directory.replace([Self.rules(keeping.settings), HouseholdFile(homeAssistantEnds: access.ends)])
            return (keeping.settings, access)
        }
        tell(settings, access, session)
    }

    private func access(
        _ secret: HouseholdSecret, _ directory: HouseholdDirectory
    ) throws(FoundingError) -> HomeAssistantAccess {
        let authority = try directory.read(HouseholdFileName.authority)
        guard let access = try? HomeAssistantAccess(secret, authority: authority, now: .now()) else {
            throw .badFile(path: "\(directory.folder)/\(HouseholdFileName.authority)")
        }
        return access
    }

    /// The access list as `create` makes it today. That of an older household does not mention Home Assistant.
    private static func rules(_ settings: HouseholdSettings) -> HouseholdFile {
        MosquittoConfiguration(
            household: settings.household, keeper: settings.device, port: settings.broker.port
        ).deviceRulesFile
    }

    private func tell(_ settings: HouseholdSettings, _ access: HomeAssistantAccess, _ session: FoundingSession) {
        session.line(
            localized(
                "Home Assistant's certificate is in {folder}, with its key. It is good until {date}.",
                ["folder": folder, "date": String(access.ends.utcText.prefix(10))]))
        session.line(localized("The broker has to be told, too. On it, as root:"))
        session.line(
            "  install -o mosquitto -m 0600 \(session.directory.folder)/mosquitto/devices.acl \(MosquittoConfiguration.defaultFolder)/"
        )
        session.line("  systemctl reload \(MosquittoFolder.service(session.directory.folder))")
        session.line(
            localized(
                "In Home Assistant add the integration MQTT: broker {host}, port {port}, with these three files. Copy them by a way that nobody else sees.",
                ["host": settings.broker.host, "port": "\(settings.broker.port)"]))
        session.line(
            localized(
                "Where it has another broker already, {file} connects that one with the household's: docs/household.md, \"A broker that is in use\".",
                ["file": "\(folder)/\(HomeAssistantBridge.fileName)"]))
        session.line(
            localized(
                "Then, on each device that it is to find, write into {file}:", ["file": HouseholdFileName.settings]))
        session.line("  home-assistant: {discovery: true}")
    }
}
