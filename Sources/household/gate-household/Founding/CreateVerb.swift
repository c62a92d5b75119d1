import ArgumentParser
import GateClient
import GateGuardians
import GateHousehold
import GateModel
import GateTexts
import Glibc

struct CreateVerb: FoundingVerb {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a household, with this device as the first one.",
        discussion: """
            Makes the household's key, its certificate authority, and a configuration for mosquitto, and prints the recovery key. As root, \
            while gated runs.
            """)

    @Option(help: "The name of this device, as people read it.", transform: String.name)
    var name: String

    @Option(help: "The grown-up who commands the other devices from this one.", transform: String.name)
    var guardian: String

    @Option(
        help: ArgumentHelp(
            "The broker: its name or address, and its port if that is not 8883.", valueName: "host[:port]"),
        transform: { text in
            guard let address = BrokerAddress(text) else {
                throw ValidationError("'\(text)' is no broker: a name like gate.example, or gate.example:8883.")
            }
            return address
        })
    var broker: BrokerAddress

    @Option(help: "The broker's port for devices that join.")
    var joinPort = MosquittoConfiguration.defaultJoinPort

    @Flag(
        help:
            "The household exists, and the device that had its key is lost: read the recovery key from standard input.")
    var recover = false

    @Flag(
        help:
            "With --recover: the broker has lost the list of devices, too. What this device knows itself is taken; all others have to join anew."
    )
    var withoutList = false

    @Option(
        help: ArgumentHelp(
            "With --recover: the broker's list of revoked certificates, revoked.pem, so that they stay revoked.",
            valueName: "file"), completion: .file())
    var revoked: String?

    @Flag(help: "Forget the household that this device belongs to.")
    var replace = false

    @Flag(help: "Print JSON for programs, one object a line. Errors stay sentences on standard error.")
    var json = false

    @OptionGroup var options: DeviceOptions

    func validate() throws {
        if withoutList, !recover { throw ValidationError("--without-list goes with --recover.") }
        if revoked != nil, !recover { throw ValidationError("--revoked goes with --recover.") }
        if joinPort == 0 || joinPort == broker.port { throw ValidationError("--join-port is a port of its own.") }
    }

    func perform(_ session: FoundingSession) async throws {
        try session.directory.checkMayBegin(replaces: replace, isKeyAtHand: recover)
        var secret = HouseholdSecret()
        if recover {
            let text = session.answer(to: localized("Type the recovery key:"), isHidden: true) ?? ""
            guard let given = HouseholdSecret(recoveryKey: text) else { throw FoundingError.badRecoveryKey }
            secret = given
        }
        let keys = try await session.gate.household.createDeviceKey()
        let former = recover ? try await former(secret, keys, session) : nil
        let founding = try founding(secret, keys, former)
        var settings = founding.keeping.settings
        if replace, let former = try? session.directory.settings() { settings.keepChoices(of: former) }
        try session.directory.alone { [settings] () throws(FoundingError) in
            try session.directory.install(
                settings, founding.files + [HouseholdDirectory.file(ofJoinPort: joinPort)],
                replaces: replace)
        }
        await session.bringIntoForce(founding.keeping.signedList)
        guard !json else { return session.line(FoundingJSON.line(created(founding.keeping.settings, secret, session))) }
        tell(secret, session)
        if let former { tell(former, founding.keeping, session) }
    }

    private func founding(
        _ secret: HouseholdSecret, _ keys: DevicePublicKeys, _ former: HouseholdFounding.FormerMembers?
    ) throws -> HouseholdFounding {
        var random = SystemRandomNumberGenerator()
        return try HouseholdFounding(
            HouseholdFounding.Request(name: name, guardian: guardian, broker: broker, joinPort: joinPort),
            secret: secret,
            keys: keys, former: former, now: .now(), using: &random)
    }

    /// The newest list that can be found: the broker's, that of this device's files, or that of its gated. So a device
    /// that was revoked does not become a member again if the broker keeps an older list than this device knows.
    private func former(
        _ secret: HouseholdSecret, _ keys: DevicePublicKeys, _ session: FoundingSession
    ) async throws -> HouseholdFounding.FormerMembers {
        let own = session.directory.former(secret)
        var former = own ?? HouseholdFounding.FormerMembers(nil)
        let known = try await session.state(of: secret).map {
            HouseholdFounding.FormerMembers(number: $0.listNumber, members: $0.members)
        }
        for other in [known, try await published(secret, keys, session)] {
            guard let other, other.number > former.number else { continue }
            (former.number, former.members) = (other.number, other.members)
        }
        if let revoked { former.revoked = try FileSystem.read(revoked) }
        return former
    }

    /// The list that the broker keeps for the household. It is read with a certificate that is made from the secret.
    /// - Throws: `noList` if the broker has none; `broker`.
    private func published(
        _ secret: HouseholdSecret, _ keys: DevicePublicKeys, _ session: FoundingSession
    ) async throws -> HouseholdFounding.FormerMembers? {
        guard !withoutList else { return nil }
        let reader = try founding(secret, keys, nil)
        return try await TemporaryFolder.with(reader.files.filter { $0.readers == .service }) { folder in
            let settings = reader.keeping.settings
            let topic = HouseholdTopic.guardians.text(in: settings.household)
            guard
                let signed = try await RetainedMessage.read(
                    topic, host: settings.broker.host, port: settings.broker.port,
                    .device(folder: folder), over: session.link),
                let list = try? HouseholdList(signed: signed, by: settings.publicKey)
            else { throw FoundingError.noList }
            return HouseholdFounding.FormerMembers(list)
        }
    }

    private func tell(
        _ former: HouseholdFounding.FormerMembers, _ keeping: HouseholdKeeping, _ session: FoundingSession
    ) {
        session.line()
        let members = former.members.filter { !$0.isRevoked }
        session.line(
            localized(
                "List {number} was the newest that was found, with {count} device. What was changed after it is lost: look through them, and revoke again whatever was revoked: `gatectl household revoke`.",
                plural:
                    "List {number} was the newest that was found, with {count} devices. What was changed after it is lost: look through them, and revoke again whatever was revoked: `gatectl household revoke`.",
                count: members.count, ["number": "\(former.number)"]))
        let names = HouseholdMember.distinctNames(of: former.members, among: former.members)
        for (member, name) in zip(former.members, names) {
            session.line("  " + (member.isRevoked ? localized("{name}: revoked", ["name": name]) : name))
        }
        let unknown = keeping.revokedWithoutCertificates
        guard !unknown.isEmpty, former.revoked == nil else { return }
        session.note(
            localized(
                "The broker may go on to take the certificates of those that were revoked, until they end: they are not known here. Where its revoked.pem is still there, do this again with `--replace --revoked revoked.pem`."
            ))
    }

    private func created(
        _ settings: HouseholdSettings, _ secret: HouseholdSecret, _ session: FoundingSession
    ) -> FoundingJSON.Created {
        FoundingJSON.Created(
            household: settings.household.description, device: settings.device.description, name: name,
            guardian: guardian,
            broker: FoundingJSON.Broker(host: broker.host, port: broker.port, joinPort: joinPort),
            brokerCommands: MosquittoFolder.commands(session.directory.folder, recovers: recover),
            deviceCommands: ServiceCommands.starting(replaces: replace),
            recoveryKey: recover ? nil : secret.recoveryKey)
    }

    private func tell(_ secret: HouseholdSecret, _ session: FoundingSession) {
        let folder = session.directory.folder
        session.line(
            localized(
                "The household is created. {name} is its first device, and {guardian} its guardian.",
                ["name": name, "guardian": guardian]))
        session.line()
        session.line(
            localized("Now the broker, {host}. On it, with mosquitto 2 installed, as root:", ["host": broker.host]))
        for command in MosquittoFolder.commands(folder, recovers: recover) { session.line("  \(command)") }
        session.line(localized("Then, here:"))
        for command in ServiceCommands.starting(replaces: replace) { session.line("  \(command)") }
        session.line("  gatectl household invite")
        session.line()
        guard !recover else { return }
        session.line(
            localized(
                "The recovery key. Write it on paper, and keep it where no child and no stranger finds it. It is shown only now:"
            ))
        session.line()
        session.line("  \(secret.recoveryKey)")
        session.line()
        session.line(
            localized(
                "Anyone who has it is the household. You need it if this device is lost: `gatectl household create --recover`."
            ))
    }
}

/// The folder with the broker's files, which are copied to the broker.
enum MosquittoFolder {
    /// Commands to type at the broker that copy the files and start the service. With `recovers`, the broker there may
    /// be set up as before version 1.0: as a part of another mosquitto.
    static func commands(_ folder: String, recovers: Bool) -> [String] {
        let place = MosquittoConfiguration.defaultFolder
        let former = "rm -f /etc/mosquitto/conf.d/gate.conf && systemctl try-restart \(MosquittoService.sharedName)"
        return (recovers ? [former] : []) + [
            "install -D -o mosquitto -m 0600 -t \(place) \(folder)/\(HouseholdFileName.broker)/*",
            "install -m 0644 -t /etc/systemd/system \(folder)/\(HouseholdFileName.broker)/*.service",
            "systemctl daemon-reload && systemctl enable --now \(MosquittoService.name)",
        ]
    }

    /// The service that reads these files. The files of an older household have no unit for a service of their own.
    static func service(_ folder: String) -> String {
        access("\(folder)/\(HouseholdFileName.brokerUnit)", F_OK) == 0
            ? MosquittoService.name : MosquittoService.sharedName
    }
}
