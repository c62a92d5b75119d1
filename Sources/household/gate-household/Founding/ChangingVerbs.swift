import ArgumentParser
import GateClient
import GateHousehold
import GateModel
import GateTexts

struct LeaveVerb: FoundingVerb {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Leave the household: this device forgets it.",
        discussion: "The other devices still have it on their list: revoke it there. As root, while gated runs.")

    @Flag(help: "Don't ask.")
    var yes = false

    @Flag(help: "Forget the household's key, too. Without the recovery key nobody can change the household then.")
    var withTheKey = false

    @OptionGroup var options: DeviceOptions

    func perform(_ session: FoundingSession) async throws {
        let directory = session.directory
        let settings = try directory.settings()
        guard withTheKey || !directory.hasSecret else { throw FoundingError.hasKey }
        if !yes {
            let name = (try? await session.gate.household.state())?.ownName ?? settings.name
            try session.confirm(localized("Forget the household on {name}? Type yes:", ["name": name]))
        }
        if await !session.sayFarewell(settings) {
            session.note(
                localized(
                    "The broker keeps what this device has said until it is revoked, and Home Assistant goes on to show it."
                ))
        }
        try directory.alone { () throws(FoundingError) in try directory.remove() }
        do throws(GateError) {
            try await session.gate.control.reload()
        } catch {
            session.note(
                localized(
                    "The files are gone, but gated could not be told: {problem} Once that is fixed, run: gatectl reload",
                    ["problem": RefusalText.sentence(error)]))
        }
        session.line(
            localized(
                "This device is in no household any more. On the device with the household's key: gatectl household revoke {device}",
                ["device": settings.device.description]))
        session.line(localized("gate-household still speaks for it. To stop it, here:"))
        session.line("  systemctl disable --now \(ServiceCommands.units)")
    }
}

struct RevokeVerb: FoundingVerb {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a device, or a guardian's device: no other device listens to it any more.",
        discussion: "As root, on the device that has the household's key, while gated runs.")

    @Argument(help: "The name or the id of the device.")
    var device: String

    @OptionGroup var options: DeviceOptions

    func perform(_ session: FoundingSession) async throws {
        let directory = session.directory
        try await session.takeUpNewest()
        let (keeping, name) = try directory.alone { () throws(FoundingError) in
            var keeping = try directory.keeping()
            let member = try keeping.member(named: device)
            do {
                try directory.replace(keeping.revoke(member.id, now: .now()))
            } catch let error as FoundingError {
                throw error
            } catch {
                throw .badFile(path: directory.folder)
            }
            return (keeping, member.name)
        }
        let newest = try await session.bringIntoForce(keeping)
        session.line(
            localized(
                "{name} is revoked. The devices learn it from the broker, those that are away when they are back.",
                ["name": name])
        )
        session.line(localized("The broker has to be told, too. On it, as root:"))
        session.line(
            "  install -o mosquitto -m 0600 \(directory.folder)/\(HouseholdFileName.revoked) \(MosquittoConfiguration.defaultFolder)/"
        )
        session.line("  systemctl restart \(MosquittoFolder.service(directory.folder))")
        try await session.publish(newest, [])
    }
}

struct RenameVerb: FoundingVerb {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a device another name.",
        discussion: """
            The device stays what it is, and learns its name from the next list. As root, on the device that has the household's key, while gated and \
            the broker run.
            """)

    @Argument(help: "The name or the id of the device.")
    var device: String

    @Argument(help: ArgumentHelp("Its new name, as people read it.", valueName: "name"), transform: String.name)
    var newName: String

    @OptionGroup var options: DeviceOptions

    func perform(_ session: FoundingSession) async throws {
        let directory = session.directory
        try await session.takeUpNewest()
        let (keeping, oldName) = try directory.alone { () throws(FoundingError) in
            var keeping = try directory.keeping()
            let member = try keeping.member(named: device)
            try directory.replace(keeping.rename(member.id, to: newName, now: .now()))
            return (keeping, member.name)
        }
        try await session.publish(try await session.bringIntoForce(keeping), [])
        session.line(
            localized(
                "{name} is now called {new}. The devices learn it from the broker, those that are away when they are back.",
                ["name": oldName, "new": newName]))
    }
}

struct RenewVerb: FoundingVerb {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Renew the list of devices and the certificates before they expire.",
        discussion: """
            On the device that has the household's key: the list, which is good for 30 days, and each certificate that ends within 30 days. \
            On another device: takes the certificate that was made for it. As root, while gated and the broker run.
            """)

    @Option(
        help: ArgumentHelp(
            "The broker's list of revoked certificates, revoked.pem: after a backup was restored, so that they stay revoked.",
            valueName: "file"), completion: .file())
    var revoked: String?

    @OptionGroup var options: DeviceOptions

    func perform(_ session: FoundingSession) async throws {
        let directory = session.directory
        let settings = try directory.settings()
        guard directory.hasSecret else { return try await takeCertificate(settings, session) }
        try await session.takeUpNewest(revoked: try revoked.map(FileSystem.read))
        let (keeping, certificates) = try directory.alone { () throws(FoundingError) in
            var keeping = try directory.keeping()
            let made: (files: [HouseholdFile], certificates: [HouseholdKeeping.Issued])
            do {
                made = try keeping.renew(now: .now())
            } catch {
                throw .badFile(path: directory.folder)
            }
            try directory.replace(made.files)
            return (keeping, made.certificates)
        }
        try await session.publish(try await session.bringIntoForce(keeping), certificates)
        session.line(
            localized(
                "The list of devices is new, and so is {count} certificate.",
                plural: "The list of devices is new, and so are {count} certificates.", count: certificates.count))
        let content = try? directory.read(HouseholdFileName.homeAssistantEnd)
        if let end = content.flatMap({ HomeAssistantCertificateEnd($0) }), end.isNear(at: .now()) {
            session.note(HomeAssistantText.ending(end))
        }
        try? await session.tellIfJoinPortIsOpen(keeping)
    }

    private func takeCertificate(_ settings: HouseholdSettings, _ session: FoundingSession) async throws {
        let directory = session.directory
        let topic = HouseholdTopic.certificate(settings.device).text(in: settings.household)
        let new = try await RetainedMessage.read(
            topic, host: settings.broker.host, port: settings.broker.port,
            .device(folder: directory.folder), over: session.link)
        let isNew = try directory.alone { () throws(FoundingError) in
            guard let new,
                let file = HouseholdMembership.renewedFile(
                    new, old: try directory.read(HouseholdFileName.certificate),
                    authority: try directory.read(HouseholdFileName.authority), device: settings.device, now: .now())
            else { return false }
            try directory.replace([file])
            return true
        }
        session.line(
            isNew
                ? localized("This device has a new certificate.")
                : localized("There is no newer certificate for this device."))
    }
}
