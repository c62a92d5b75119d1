package import GateModel

/// Something that the machine asks the carrier to do.
package enum HouseholdAction: Hashable, Sendable {
    /// Ends with `published` or `publicationRefused`, or with the broker.
    case publish(Publication)
    /// Hears what other devices say of themselves from now on, or no more: with each connection to the broker anew.
    case listen(Bool)
    /// Has the broker hand out once more what was bought on other devices.
    case hearReceipts
    /// Ends with `householdTold` or `callFailed`.
    case askHousehold
    /// Ends with `commandAnswered` or `callFailed`.
    case submitCommand([UInt8])
    /// Ends with `taken` or `callFailed`, as the next six.
    case submitResult([UInt8])
    case submitReceipt([UInt8])
    case submitGuardians([UInt8])
    case submitPolicy([UInt8])
    case report(DeviceNews)
    case obeyHomeAssistant(HomeAssistantOrder)
    case submitRequests(ArrivedRequests)
    /// Ends with `collected` or `callFailed`, when there is something.
    case collect
    /// Ends with `askedTold` or `callFailed`, when others are open than those of this change.
    case collectRequests(after: UInt64)
    /// Ends with `sharedTold` or `callFailed`, when others are shared than those of this change.
    case collectReceipts(after: UInt64)
}

/// A message to publish, with QoS 1.
package struct Publication: Hashable, Sendable {
    /// Names what is published.
    package enum ID: Hashable, Sendable {
        /// Whether this device is connected.
        case availability
        /// The state of this device.
        case state
        /// The household's list, from the device that keeps it.
        case list
        /// A question of this device, by its number.
        case request(UInt64)
        /// A purchase on this device, by its number.
        case receipt(UInt64)
        /// The household's policy for all devices, likewise.
        case policy
        /// The description of an entity for Home Assistant.
        case homeAssistant(HomeAssistantEntity)
        /// The newest question of this device, for Home Assistant.
        case homeAssistantRequest
        /// A command or a result, by its number.
        case letter(UInt64)
    }

    package var id: ID
    package var topic: String
    package var payload: [UInt8]
    /// Whether the broker keeps it for those who come later.
    package var isRetained: Bool
    /// How long it counts; `nil`: until another one replaces it.
    package var expiry: Duration?

    /// Makes a publication of these values.
    package init(
        _ id: ID, _ topic: String, _ payload: [UInt8], isRetained: Bool = false, expiry: Duration? = nil
    ) {
        self.id = id
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.expiry = expiry
    }
}

/// Counts of messages that were dropped, by the reason.
package struct HouseholdDrops: Hashable, Sendable {
    /// On a topic of another household, or not for this device.
    package var foreign = 0
    /// Not as `docs/household.md` has it, or too long.
    package var malformed = 0
    /// Commands and results that the broker had kept: they may be of any age.
    package var retained = 0
    /// More than there is room for.
    package var tooMany = 0
    /// Its time was over before it could go on.
    package var expired = 0
    /// The broker has refused to take it.
    package var refused = 0
    /// gated has refused to take it.
    package var unwanted = 0

    /// For a line of the journal, like "3 malformed, 1 refused by the broker"; empty: nothing was dropped.
    package var text: String {
        let counts = [
            (foreign, "of no topic for this device"), (malformed, "malformed"), (retained, "signed long ago"),
            (tooMany, "too many"), (expired, "expired"), (refused, "refused by the broker"),
            (unwanted, "refused by gated"),
        ]
        return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}
