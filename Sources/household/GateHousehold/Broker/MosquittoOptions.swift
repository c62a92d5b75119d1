import Crypto
import FoundationEssentials
package import GateModel
import Synchronization

/// The client identifier of a device's connections. The broker ends an older connection with the same identifier, so a
/// device and a copy of its disk would end each other's connections for ever, and each would miss messages meanwhile. A
/// device that knows of a copy therefore adds a random suffix.
final class ConnectionName: Sendable {
    private let base: String
    private let suffix = Mutex("")

    init(_ base: String) {
        self.base = base
    }

    var clientID: String { base + suffix.withLock { $0 } }

    /// Another device uses this name, too, so later connections get a random suffix.
    func isShared() {
        suffix.withLock { if $0.isEmpty { $0 = "-" + String(UInt64.random(in: .min ... .max), radix: 16) } }
    }
}

extension MosquittoConnection {
    package struct Options: Hashable, Sendable {
        package struct Login: Hashable, Sendable {
            var user: String
            var password: String
        }

        package var broker: HouseholdSettings.Broker
        /// The client identifier. The broker ends an older connection with the same one, at any listener.
        package var clientID: String
        package var filters: [String]
        /// Subscribed to in addition while this device listens to others.
        package var stateFilters: [String] = []
        /// The one of `filters` that `hearReceipts` subscribes to again; `nil` if receipts are not shared.
        package var receiptFilter: String?
        /// The descriptions of this device's sensors for Home Assistant. The broker may refuse this subscription, since
        /// older access lists lack it. Then sensors that an earlier run has left stay.
        package var sensorFilter: String?
        /// Published by the broker when the connection ends; `nil` for nothing.
        package var will: Publication?
        /// Whether this device shows a certificate. A device that is not in the household yet has none.
        package var showsCertificate = true
        /// A name and a password, if the broker wants them.
        package var login: Login?
        /// Whether the broker has to show a certificate of the household's authority. If it need not, the caller must
        /// not trust anything that the broker sends.
        package var checksBroker = true

        /// - Parameter broker: with absolute paths.
        package init(broker: HouseholdSettings.Broker, clientID: String, filters: [String], will: Publication?) {
            self.broker = broker
            self.clientID = clientID
            self.filters = filters
            self.will = will
        }

        /// For a member's usual connection. Relative paths in the settings begin at `directory`.
        package init(_ settings: HouseholdSettings, directory: String) {
            var broker = settings.broker
            for path in [\HouseholdSettings.Broker.authority, \.certificate, \.key]
            where !broker[keyPath: path].hasPrefix("/") {
                broker[keyPath: path] = "\(directory)/\(broker[keyPath: path])"
            }
            self.init(
                broker: broker, clientID: "gate-\(settings.device)-\(Self.secret(of: broker.key))",
                filters: HouseholdTopic.filters(
                    in: settings.household, for: settings.device, hasHomeAssistant: settings.homeAssistant != nil,
                    takesPolicy: settings.takesPolicy, sharesReceipts: settings.sharesReceipts,
                    sumsUsage: settings.sumsUsage),
                will: Publication(
                    .availability, HouseholdTopic.availability(settings.device).text(in: settings.household),
                    Availability.offline.payload, isRetained: true))
            stateFilters = HouseholdTopic.stateFilters(in: settings.household)
            if settings.homeAssistant != nil { sensorFilter = HomeAssistantEntity.sensorFilter(of: settings.device) }
            if settings.sharesReceipts { receiptFilter = HouseholdTopic.receiptFilter(in: settings.household) }
        }

        /// A word derived from the device's key. Anyone who knew the client identifier could end this device's
        /// connection by using it. As it does not change, a new connection, also after a restart, replaces an old one
        /// that the broker still holds, whose will would otherwise come later and say that the device is gone.
        private static func secret(of key: String) -> String {
            guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: key)) else {
                // Without its key the broker will not let this device in anyway.
                return String(UInt64.random(in: .min ... .max), radix: 16)
            }
            let hash = SHA256.hash(data: Data("gate client identifier".utf8) + bytes)
            return String(decoding: Base32.encoded(hash.prefix(16)), as: UTF8.self)
        }
    }
}
