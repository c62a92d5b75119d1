import GateClient
import GateHousehold
import GateModel
import GateTexts

/// Removes what devices that are gone have left at the broker. Otherwise Home Assistant would show them for ever.
extension FoundingSession {
    /// How long the broker may take to send what it keeps, or to take a farewell.
    private static let time = Duration.seconds(10)

    /// Makes the broker forget what this device said of itself, before this device forgets the household. If a copy of
    /// this device's disk exists, it uses the same topics, so nothing is cleared then. Returns false if the broker was
    /// not reached in time, or refused.
    func sayFarewell(_ settings: HouseholdSettings) async -> Bool {
        let devices = try? await gate.household.devices()
        if devices?.devices.first(where: \.isThisDevice)?.report?.hasTwin == true { return true }
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let filter = HouseholdTopic.guardians.text(in: settings.household)
        let people = (try? await gate.people.list())?.compactMap { $0.user?.uid } ?? []
        // In a task of its own, since connecting to a broker that is not there can take minutes.
        let farewell = Task { [link, directory] in
            do throws(FoundingError) {
                let channel = try await link.open(
                    settings.broker.host, settings.broker.port, .device(folder: directory.folder), [filter])
                defer { channel.close() }
                try await channel.clear(
                    Leftovers.topics(of: settings.device, in: settings.household, people: people))
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

    /// Clears what the broker keeps of devices that are revoked or not on the list, and all commands and results.
    func clearLeftBehind(_ settings: HouseholdSettings) async throws(FoundingError) {
        let isToldOfRules = try tellOfNewRules(settings)
        let echo = JoinTopic.echo(in: settings.household)
        let channel = try await link.open(
            settings.broker.host, settings.broker.port, .device(folder: directory.folder),
            Leftovers.filters(in: settings.household) + [echo])
        defer { channel.close() }
        let known = try members().current
        var leftovers = Leftovers(in: settings.household)
        try await channel.hearKept(echo: echo, within: Self.time, sleep: Self.sleep) { message in
            leftovers.arrived(message, members: known)
        }
        let (current, revoked) = try members()
        do throws(FoundingError) {
            try await channel.clear(leftovers.topics(members: current, revoked: revoked))
        } catch {
            guard case .brokerRefuses = error else { throw error }
            guard !isToldOfRules else { return }
            note(
                localized(
                    "The broker keeps what devices that are gone have said, and Home Assistant goes on to show them, because its access list is older. On it, as root:"
                ))
            try tellHowToRenewRules(settings)
        }
    }

    private func members() throws(FoundingError) -> (current: Set<HouseholdID>, revoked: Set<HouseholdID>) {
        let members = try directory.keeping().list.members
        return (Set(members.filter { !$0.isRevoked }.map(\.id)), Set(members.filter(\.isRevoked).map(\.id)))
    }

    /// Older access lists do not let any device see all that devices have left at the broker. If this is one, replaces
    /// the file, notes how to copy it to the broker, and returns true.
    private func tellOfNewRules(_ settings: HouseholdSettings) throws(FoundingError) -> Bool {
        let rules = rules(settings)
        guard try directory.read(rules.path) != rules.content else { return false }
        note(
            localized(
                "The broker's access list is an older one, so messages that devices have left there can't all be cleared. On it, as root:"
            ))
        try tellHowToRenewRules(settings)
        return true
    }

    private func rules(_ settings: HouseholdSettings) -> HouseholdFile {
        MosquittoConfiguration(
            household: settings.household, keeper: settings.device, port: settings.broker.port
        ).deviceRulesFile
    }

    private func tellHowToRenewRules(_ settings: HouseholdSettings) throws(FoundingError) {
        let rules = rules(settings)
        try directory.alone { () throws(FoundingError) in try directory.replace([rules]) }
        note(
            "  install -o mosquitto -m 0600 \(directory.folder)/\(rules.path) \(MosquittoConfiguration.defaultFolder)/")
        note("  systemctl reload \(MosquittoFolder.service(directory.folder))")
        note(localized("Then, here:"))
        note("  gatectl household renew")
    }
}
