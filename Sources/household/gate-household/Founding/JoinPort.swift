import GateHousehold
import GateModel
import GateTexts
import Glibc

/// The broker's port for joining. Anyone may connect to it, so it is open only while somebody is invited.
extension FoundingSession {
    /// How long the broker that this device starts may take until it listens.
    private static let patience = Duration.seconds(10)

    /// Runs `body` while the port is open. If nothing listens there, and the broker's machine is this device, this
    /// starts the broker for devices that join; on another machine a person has to start it. `body` gets the identity
    /// with which this device connects to that broker. If the members' broker has the port, as in older households,
    /// `body` gets `nil`, and a note says how to close the port.
    /// - Throws: `joinPortClosed` if a person has to open the port, or mosquitto is missing here; `broker` or `file` if
    ///   the port can't be opened, or another program has it; what `body` throws.
    func withJoinPort(
        _ keeping: HouseholdKeeping, _ body: (JoinLink.Identity?) async throws -> Void
    ) async throws {
        let host = keeping.settings.broker.host
        let broker = try joinBroker(keeping)
        let inviting = inviting(broker)
        switch await listener(keeping, broker, inviting) {
        case .nothing: break
        case .joinBroker: return try await body(inviting)
        case .membersBroker:
            tellHowToClose(broker)
            return try await body(nil)
        case .otherProgram: throw JoinBrokerProcess.isNotThere(host, broker.port)
        }
        guard ListeningPort.isHere(host), let program = JoinBrokerProcess.program else {
            throw FoundingError.joinPortClosed(host: host, port: broker.port, commands: commandsToOpen)
        }
        try await withOwnBroker(program, keeping, broker) { try await body(inviting) }
    }

    /// Runs `body` while the broker for devices that join runs on this device.
    /// - Throws: `broker` or `file` if it can't be started, or if another program was quicker to take the port; what
    ///   `body` throws.
    func withOwnBroker(
        _ program: String, _ keeping: HouseholdKeeping, _ broker: JoinBroker, _ body: () async throws -> Void
    ) async throws {
        let certificates = try ["ca.pem", "server.pem", "server.key"].map { name throws(FoundingError) in
            HouseholdFile(name, try directory.read("\(HouseholdFileName.broker)/\(name)"), for: .nobody)
        }
        let access = [("join.acl", broker.rules), ("join.passwords", broker.passwords)].map { name, text in
            HouseholdFile(name, Array(text.utf8), for: .nobody)
        }
        try await JoinBrokerProcess.with(
            program, broker, packetBytes: JoinBroker.packetBytes(forList: keeping.signedList.count),
            certificates + access
        ) {
            let end = ContinuousClock.now + Self.patience
            while case let found = await listener(keeping, broker, inviting(broker)), found != .joinBroker {
                guard found == .nothing, ContinuousClock.now < end else {
                    throw JoinBrokerProcess.isNotThere(keeping.settings.broker.host, broker.port)
                }
                await Self.sleep(.milliseconds(50))
            }
            try await body()
        }
    }

    /// Notes how to close the port for joining if the members' broker has it: then it is open all the time.
    func tellIfJoinPortIsOpen(_ keeping: HouseholdKeeping) async throws(FoundingError) {
        let broker = try joinBroker(keeping)
        guard await listener(keeping, broker, inviting(broker)) == .membersBroker else { return }
        tellHowToClose(broker)
    }

    private func inviting(_ broker: JoinBroker) -> JoinLink.Identity {
        .inviting(authority: "\(directory.folder)/\(HouseholdFileName.authority)", password: broker.password)
    }

    /// The broker for devices that join. Its files in the household's folder are written if they are missing, as in
    /// older households, or differ from what this version makes. A note names those that differed, since an
    /// administrator may have changed them.
    func joinBroker(_ keeping: HouseholdKeeping) throws(FoundingError) -> JoinBroker {
        let settings = keeping.settings
        let broker = JoinBroker(keeping.secret, port: try directory.joinPort())
        let members = MosquittoConfiguration(
            household: settings.household, keeper: settings.device, port: settings.broker.port)
        let old = (broker.files + [members.file]).filter { (try? directory.read($0.path)) != $0.content }
        let changed = old.map(\.path).filter { (try? directory.read($0)) != nil }.map { "\(directory.folder)/\($0)" }
        if !old.isEmpty { try directory.alone { () throws(FoundingError) in try directory.replace(old) } }
        if !changed.isEmpty {
            note(
                localized(
                    "These files were not as this version of Gate makes them, and were written anew: {files}. Make changes of your own in the broker's copies, in {folder}.",
                    ["files": ListText.together(changed), "folder": MosquittoConfiguration.defaultFolder]))
        }
        return broker
    }

    /// What listens at the port for joining.
    private enum Listener {
        case nothing
        /// The broker for devices that join.
        case joinBroker
        /// The members' broker, as in older households.
        case membersBroker
        /// A program without a certificate of the household's. Any user can take the port while nobody is invited.
        case otherProgram
    }

    private func listener(
        _ keeping: HouseholdKeeping, _ broker: JoinBroker, _ inviting: JoinLink.Identity
    ) async -> Listener {
        let (host, household) = (keeping.settings.broker.host, keeping.settings.household)
        guard ListeningPort.answers(host, broker.port) else { return .nothing }
        let topics = [JoinTopic.authority(in: household)]
        let newcomer = JoinLink.Identity.newcomer(authority: "\(directory.folder)/\(HouseholdFileName.authority)")
        guard let channel = try? await link.open(host, broker.port, newcomer, topics) else { return .otherProgram }
        channel.close()
        // A members' broker does not know the inviting device's name, and refuses it, or what it publishes.
        guard let channel = try? await link.open(host, broker.port, inviting, topics) else { return .membersBroker }
        defer { channel.close() }
        let isAllowed = (try? await channel.publish(JoinTopic.echo(in: household), [])) != nil
        return isAllowed ? .joinBroker : .membersBroker
    }

    private func tellHowToClose(_ broker: JoinBroker) {
        let service = MosquittoFolder.service(directory.folder)
        let folder =
            service == MosquittoService.name ? MosquittoConfiguration.defaultFolder : "/etc/mosquitto/conf.d"
        note(
            localized(
                "The broker's port for joining, {port}, is open all the time, so strangers can take all of the broker's connections. Once nobody is being invited, close it there, as root. Then `gatectl household invite` opens it each time for as long as it waits.",
                ["port": "\(broker.port)"]))
        note("  sed -i '/^listener \(broker.port)$/,$d' \(folder)/gate.conf")
        note("  systemctl restart \(service)")
    }

    private var commandsToOpen: [String] {
        let folder = directory.folder
        return [
            "install -o mosquitto -m 0600 \(folder)/\(HouseholdFileName.broker)/join.* \(MosquittoConfiguration.defaultFolder)/",
            "install -m 0644 \(folder)/\(HouseholdFileName.joinUnit) /etc/systemd/system/ && systemctl daemon-reload",
            "systemctl start \(MosquittoService.joinName)",
        ]
    }
}
