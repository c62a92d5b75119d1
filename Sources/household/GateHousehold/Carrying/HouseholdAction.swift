package import GateModel

/// Something that the state machine asks the carrier to do.
package enum HouseholdAction: Hashable, Sendable {
    /// Ends with `published`, `publicationUnheard` or `publicationRefused`, or when the broker is lost.
    case publish(Publication)
    /// Subscribe to the states of other devices, or unsubscribe. This holds for one connection to the broker.
    case listen(Bool)
    /// Have the broker send the receipts of other devices again.
    case hearReceipts
    /// Ends with `householdTold` or `callFailed`.
    case askHousehold
    /// Ends with `commandAnswered` or `callFailed`.
    case submitCommand([UInt8])
    /// Ends with `taken` or `callFailed`, like the next seven.
    case submitResult([UInt8])
    case submitReceipt([UInt8])
    case submitUsage([UInt8])
    case submitGuardians([UInt8])
    case submitPolicy([UInt8])
    case report(DeviceNews)
    case obeyHomeAssistant(HomeAssistantOrder)
    case submitRequests(ArrivedRequests)
    /// Ends with `answerTaken` or `callFailed`.
    case submitAnswer([UInt8])
    /// Ends with `answersTold`, once other answers are to be kept than at this change, or with `callFailed`.
    case collectAnswers(after: UInt64)
    /// Ends with `usageTold`, once this device's report about used time differs from that of this change, or with
    /// `callFailed`.
    case collectUsage(after: UInt64)
    /// Ends with `collected`, once there are commands, or with `callFailed`.
    case collect
    /// Ends with `askedTold`, once other questions are open than at this change, or with `callFailed`.
    case collectRequests(after: UInt64)
    /// Ends with `sharedTold`, once other receipts are shared than at this change, or with `callFailed`.
    case collectReceipts(after: UInt64)
}

/// A message to publish, with QoS 1.
package struct Publication: Hashable, Sendable {
    /// Says which publication this is, so that its outcome finds its way back.
    package enum ID: Hashable, Sendable {
        case availability
        case state
        /// The household's list, from the device that keeps it.
        case list
        /// A question of this device, by its number.
        case request(UInt64)
        /// A purchase on this device, by its number.
        case receipt(UInt64)
        /// This device's report about used time.
        case usage
        /// The household's policy, from the device that keeps it.
        case policy
        /// An answer of this device's guardian to an ask of another device.
        case answer(RequestName)
        case homeAssistant(HomeAssistantEntity)
        case homeAssistantRequest
        case homeAssistantUsed
        /// The description of the sensor of one person's use, by the person's own user.
        case homeAssistantPerson(UInt32)
        /// A command or a result, by its number in the outbox.
        case letter(UInt64)
    }

    package var id: ID
    package var topic: String
    package var payload: [UInt8]
    /// Whether the broker keeps it for devices that subscribe later.
    package var isRetained: Bool
    /// How long it is valid; `nil` if it is valid until another replaces it.
    package var expiry: Duration?

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

/// How many messages were dropped, by reason.
package struct HouseholdDrops: Hashable, Sendable {
    /// On a topic of another household, or not meant for this device.
    package var foreign = 0
    /// Too long, or not in the form that `docs/household-protocol.md` describes.
    package var malformed = 0
    /// Commands, results and orders of Home Assistant that the broker had kept: they may be of any age.
    package var retained = 0
    package var tooMany = 0
    /// They expired before they could be passed on.
    package var expired = 0
    package var refused = 0
    package var unwanted = 0

    /// For a line of the journal, like "3 malformed, 1 refused by the broker"; empty if nothing was dropped.
    package var text: String {
        let counts = [
            (foreign, "of no topic for this device"), (malformed, "malformed"), (retained, "signed long ago"),
            (tooMany, "too many"), (expired, "expired"), (refused, "refused by the broker"),
            (unwanted, "refused by gated"),
        ]
        return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}
