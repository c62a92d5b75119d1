import Crypto
import FoundationEssentials
package import GateModel
import Synchronization

/// The client identifier of a device's connections. A copy of the device's disk has the same one: the two would end each other's connections
/// without end, and each would miss what comes meanwhile. So a device that knows of a copy goes on under a name of its own.
final class ConnectionName: Sendable {
    private let base: String
    private let suffix = Mutex("")

    init(_ base: String) {
        self.base = base
    }

    var clientID: String { base + suffix.withLock { $0 } }

    /// Another device has this name, too. The next connection has another one.
    func isShared() {
        suffix.withLock { if $0.isEmpty { $0 = "-" + String(UInt64.random(in: .min ... .max), radix: 16) } }
    }
}

extension MosquittoConnection {
    /// The settings of a connection.
    package struct Options: Hashable, Sendable {
        package var broker: HouseholdSettings.Broker
        /// Names this device's connection: the broker ends an older one of the same name, at any listener.
        package var clientID: String
        package var filters: [String]
        /// Subscribed to as well while this device listens to others.
        package var stateFilters: [String] = []
        /// Among `filters`: what was bought. Subscribed to again where it is to be heard once more; `nil`: it is not.
        package var receiptFilter: String?
        /// Published by the broker when the connection ends; `nil`: nothing is.
        package var will: Publication?
        /// Whether this device shows a certificate. One that is not in the household yet has none.
        package var showsCertificate = true
        /// Whether the broker has to show a certificate of the household's authority. Otherwise nothing that it says may be believed.
        package var checksBroker = true

        /// Makes options of these values.
        ///
        /// - Parameter broker: with absolute paths.
        package init(broker: HouseholdSettings.Broker, clientID: String, filters: [String], will: Publication?) {
            self.broker = broker
            self.clientID = clientID
            self.filters = filters
            self.will = will
        }

        /// The options of a household's device.
        ///
        /// - Parameter directory: relative paths lead from there.
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
                    takesPolicy: settings.takesPolicy, sharesReceipts: settings.sharesReceipts),
                will: Publication(
                    .availability, HouseholdTopic.availability(settings.device).text(in: settings.household),
                    Availability.offline.payload, isRetained: true))
            stateFilters = HouseholdTopic.stateFilters(in: settings.household)
            if settings.sharesReceipts { receiptFilter = HouseholdTopic.receiptFilter(in: settings.household) }
        }

        /// A word that nobody else knows, so that nobody can end this device's connection by one of the same name. It stays the same while the
        /// device has its key: a new connection takes the place of one that the broker has not missed yet, also after a start. Otherwise the old
        /// one's will would come later, and say that the device is gone.
        private static func secret(of key: String) -> String {
            guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: key)) else {
                // Without its key it will not be let in.
                return String(UInt64.random(in: .min ... .max), radix: 16)
            }
            let hash = SHA256.hash(data: Data("gate client identifier".utf8) + bytes)
            return String(decoding: Base32.encoded(hash.prefix(16)), as: UTF8.self)
        }
    }
}
