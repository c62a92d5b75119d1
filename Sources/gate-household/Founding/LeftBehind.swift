import GateClient
import GateHousehold
import GateModel
import GateTexts

/// The traces of devices that have left the household. If the broker kept them, Home Assistant would show these devices for ever.
extension FoundingSession {
    /// So long the broker has to hand out what it keeps, or to take a farewell.
    private static let time = Duration.seconds(10)

    /// Has the broker forget what this device has said of itself, before it forgets the household.
    ///
    /// A copy of this device's disk speaks under the same topics, so where there is one nothing is taken away.
    ///
    /// - Returns: whether the broker has.
    func sayFarewell(_ settings: HouseholdSettings) async -> Bool {
        let devices = try? await gate.household.devices()
        if devices?.devices.first(where: \.isThisDevice)?.report?.hasTwin == true { return true }
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let filter = HouseholdTopic.guardians.text(in: settings.household)
        // Connecting to a broker that is not there can take minutes.
        let farewell = Task { [link, directory] in
            do throws(FoundingError) {
                let channel = try await link.open(
                    settings.broker.host, settings.broker.port, .device(folder: directory.folder), [filter])
                defer { channel.close() }
                try await channel.clear(HouseholdTopic.leftBehind(by: settings.device, in: settings.household))
                end.yield(true)
            } catch {
                end.yield(false)
            }
        }
        let timer = Task {
            await Self.sleep(Self.time)
            end.yield(false)
        }
        defer {
            farewell.cancel()
            timer.cancel()
        }
        for await isDone in ends { return isDone }
        return false
    }

    /// Clears what the broker keeps of devices that were revoked or are not on the household's list.
    func clearLeftBehind(_ settings: HouseholdSettings) async throws(FoundingError) {
        let echo = JoinTopic.echo(in: settings.household)
        let channel = try await link.open(
            settings.broker.host, settings.broker.port, .device(folder: directory.folder),
            HouseholdTopic.leftBehindFilters(in: settings.household) + [echo])
        defer { channel.close() }
        let known = try members()
        var topics: [HouseholdID: [String]] = [:]
        try await channel.hearKept(echo: echo, within: Self.time, sleep: Self.sleep) { message in
            guard !message.payload.isEmpty,
                let device = HouseholdTopic(message.topic, in: settings.household)?.device, !known.contains(device)
            else { return }
            topics[device, default: []].append(message.topic)
        }
        // One that has joined meanwhile is a member now.
        for device in try members() { topics[device] = nil }
        do throws(FoundingError) {
            for (device, topics) in topics {
                try await channel.clear(HouseholdTopic.leftBehind(by: device, in: settings.household))
                try await channel.clear(topics)
            }
        } catch {
            guard case .brokerRefuses = error else { throw error }
            try tellOfRules(settings)
        }
    }

    private func members() throws(FoundingError) -> Set<HouseholdID> {
        Set(try directory.keeping().list.members.filter { !$0.isRevoked }.map(\.id))
    }

    /// The broker's access list is one of before, which lets nobody take away what another device has said.
    private func tellOfRules(_ settings: HouseholdSettings) throws(FoundingError) {
        let rules = MosquittoConfiguration(
            household: settings.household, keeper: settings.device, port: settings.broker.port)
        try directory.alone { () throws(FoundingError) in try directory.replace([rules.deviceRulesFile]) }
        note(
            localized(
                "The broker keeps what devices that are gone have said, and Home Assistant goes on to show them, because its access list is older. On it, as root:"
            ))
        note(
            "  install -o mosquitto -m 0600 \(directory.folder)/\(rules.deviceRulesFile.path) \(MosquittoConfiguration.defaultFolder)/"
        )
        note("  systemctl reload \(MosquittoFolder.service(directory.folder))")
        note(localized("Then, here:"))
        note("  gatectl household renew")
    }
}
