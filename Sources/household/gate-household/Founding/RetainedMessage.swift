import GateHousehold
import GateModel
import GateTexts

/// Reads a message that the broker keeps.
enum RetainedMessage {
    /// How long the broker may take to send it.
    private static let time = Duration.seconds(5)

    /// `nil` if the broker sends none in time, which usually means that it keeps none.
    static func read(
        _ topic: String, host: String, port: UInt16, _ identity: JoinLink.Identity, over link: JoinLink
    ) async throws(FoundingError) -> [UInt8]? {
        let channel = try await link.open(host, port, identity, [topic])
        defer { channel.close() }
        return try await channel.message(on: topic, within: time, sleep: FoundingSession.sleep)
    }
}

extension FoundingSession {
    /// Publishes the list and new certificates, and clears what devices that are gone have left behind.
    func publish(
        _ keeping: HouseholdKeeping, _ certificates: [HouseholdKeeping.Issued]
    ) async throws(FoundingError) {
        let settings = keeping.settings
        let list = HouseholdTopic.guardians.text(in: settings.household)
        do throws(FoundingError) {
            let channel = try await link.open(
                settings.broker.host, settings.broker.port,
                .device(folder: directory.folder), [list])
            defer { channel.close() }
            try await channel.publish(list, keeping.signedList, isRetained: true)
            for issued in certificates {
                try await channel.publish(
                    HouseholdTopic.certificate(issued.device).text(in: settings.household), issued.pem, isRetained: true
                )
            }
            // For this device itself, in case its files are lost, or replaced by those of a backup.
            try await channel.publish(
                HouseholdTopic.revokedCertificates.text(in: settings.household),
                try directory.read(HouseholdFileName.revoked), isRetained: true)
        } catch {
            note(
                localized(
                    "The other devices were not told, because the broker can't be reached. Once it can, run: gatectl household renew"
                ))
            throw error
        }
        do throws(FoundingError) {
            try await clearLeftBehind(settings)
        } catch {
            // The change itself is done, and `renew` tries this again each week.
            note(FoundingText.sentence(error))
        }
    }
}
