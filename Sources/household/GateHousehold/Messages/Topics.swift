package import GateModel

/// The topics of a household: `gate/HOUSEHOLD/…`. Each device writes only below its own id, so that the broker's access
/// list can tell who has written something.
package enum HouseholdTopic: Hashable, Sendable {
    /// The state of a device, as it describes itself. Retained.
    case state(HouseholdID)
    /// Whether a device is connected. Retained, and the will of its connection.
    case availability(HouseholdID)
    /// A guardian's command on its way. The target `nil` stands for all devices.
    case commands(sender: HouseholdID, target: HouseholdID?)
    case results(sender: HouseholdID, target: HouseholdID)
    case homeAssistant(HouseholdID)
    /// The newest question of a device, for Home Assistant. Retained.
    case homeAssistantRequest(HouseholdID)
    /// The time that people have used on a device today, for Home Assistant. Retained.
    case homeAssistantUsed(HouseholdID)
    /// A question of a device that a guardian may answer, by its number. Retained, and cleared when it is closed.
    case request(HouseholdID, UInt64)
    /// A guardian's answer to an ask of the target, by the ask's number there. Retained until the target has reported
    /// the outcome.
    case answer(sender: HouseholdID, target: HouseholdID, UInt64)
    /// The signed list of devices and guardians. Retained.
    case guardians
    /// The signed household policy. Retained.
    case policy
    /// A purchase, by its number on the device that signed it. Retained, and cleared when it is no longer shared.
    case receipt(HouseholdID, UInt64)
    /// A device's report about the time that its people have used. Retained.
    case usage(HouseholdID)
    /// A new certificate of a device. Retained.
    case certificate(HouseholdID)
    /// The list that the broker's administrator copies. Retained, only for the device with the household's key.
    case revokedCertificates

    /// Stands for all devices in the place of a device's id.
    private static let all = "all"
    private static let answers = "answers"

    /// Reads a topic; `nil` if it is of another household or another kind.
    package init?(_ text: String, in household: HouseholdID) {
        let levels = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard levels.count >= 4, levels[0] == "gate", levels[1] == household.description else { return nil }
        if levels[2...] == ["shared", "guardians"] {
            self = .guardians
            return
        }
        if levels[2...] == ["shared", "policy"] {
            self = .policy
            return
        }
        if levels.count == 6, levels[2...3] == ["shared", "receipts"] {
            guard let device = HouseholdID(levels[4]), let number = Self.number(levels[5]) else { return nil }
            self = .receipt(device, number)
            return
        }
        if levels.count == 5, levels[2...3] == ["shared", "usage"] {
            guard let device = HouseholdID(levels[4]) else { return nil }
            self = .usage(device)
            return
        }
        if levels[2...] == ["shared", "certificates", "revoked"] {
            self = .revokedCertificates
            return
        }
        if levels.count == 5, levels[2...3] == ["shared", "certificates"] {
            guard let device = HouseholdID(levels[4]) else { return nil }
            self = .certificate(device)
            return
        }
        guard levels[2] == "devices", let device = HouseholdID(levels[3]) else { return nil }
        let rest = levels[4...]
        switch (rest.count, rest.first, rest.last) {
        case (1, "state", _): self = .state(device)
        case (1, "availability", _): self = .availability(device)
        case (2, "home-assistant", "set"): self = .homeAssistant(device)
        case (2, "home-assistant", "request"): self = .homeAssistantRequest(device)
        case (2, "home-assistant", "used"): self = .homeAssistantUsed(device)
        case (2, "requests", let number?):
            guard let id = Self.number(number) else { return nil }
            self = .request(device, id)
        case (3, "to", "commands") where levels[5] == Self.all: self = .commands(sender: device, target: nil)
        case (3, "to", "commands"):
            guard let target = HouseholdID(levels[5]) else { return nil }
            self = .commands(sender: device, target: target)
        case (3, "to", "results"):
            guard let target = HouseholdID(levels[5]) else { return nil }
            self = .results(sender: device, target: target)
        case (4, "to", let number?) where levels[6] == Self.answers:
            guard let target = HouseholdID(levels[5]), let id = Self.number(number) else { return nil }
            self = .answer(sender: device, target: target, id)
        case (_, _, _): return nil
        }
    }

    /// Reads a number without signs and leading zeros; `nil` for other texts.
    private static func number(_ text: String) -> UInt64? {
        UInt64(text).flatMap { "\($0)" == text ? $0 : nil }
    }

    package func text(in household: HouseholdID) -> String {
        let levels =
            switch self {
            case .state(let device): "devices/\(device)/state"
            case .availability(let device): "devices/\(device)/availability"
            case .homeAssistant(let device): "devices/\(device)/home-assistant/set"
            case .homeAssistantRequest(let device): "devices/\(device)/home-assistant/request"
            case .homeAssistantUsed(let device): "devices/\(device)/home-assistant/used"
            case .request(let device, let number): "devices/\(device)/requests/\(number)"
            case .commands(let sender, let target):
                "devices/\(sender)/to/\(target?.description ?? Self.all)/commands"
            case .results(let sender, let target): "devices/\(sender)/to/\(target)/results"
            case .answer(let sender, let target, let number): "devices/\(sender)/to/\(target)/\(Self.answers)/\(number)"
            case .guardians: "shared/guardians"
            case .policy: "shared/policy"
            case .receipt(let device, let number): "shared/receipts/\(device)/\(number)"
            case .usage(let device): "shared/usage/\(device)"
            case .certificate(let device): "shared/certificates/\(device)"
            case .revokedCertificates: "shared/certificates/revoked"
            }
        return "gate/\(household)/\(levels)"
    }

    /// Each device's subscriptions. A device hears its own availability, so that it says "online" again if the will of
    /// another connection with its key has said that it is gone. A device subscribes only to what it needs, because the
    /// broker may refuse a subscription to a topic that its access list does not know. The list of guardians comes
    /// before answers to asks, since a broker sends what it keeps in the order of the subscriptions. The flags say what
    /// the device accepts: Home Assistant's orders, the policy, others' receipts, and their reports of use.
    package static func filters(
        in household: HouseholdID, for device: HouseholdID, hasHomeAssistant: Bool = false, takesPolicy: Bool = false,
        sharesReceipts: Bool = false, sumsUsage: Bool = false
    ) -> [String] {
        ([
            "shared/guardians", "devices/\(device)/state", "devices/\(device)/availability",
            "devices/\(device)/requests/+",
            "devices/+/to/\(device)/commands",
            "devices/+/to/\(all)/commands",
            "devices/+/to/\(device)/results", "devices/+/to/\(device)/\(answers)/+",
            "devices/\(device)/to/+/\(answers)/+",
        ] + (hasHomeAssistant ? ["devices/\(device)/home-assistant/set"] : [])
            + (takesPolicy ? ["shared/policy"] : [])).map { "gate/\(household)/\($0)" }
            + (sharesReceipts ? [receiptFilter(in: household)] : [])
            + (sumsUsage ? ["gate/\(household)/shared/usage/+"] : [])
    }

    /// The filter of all receipts, of this device and of others.
    package static func receiptFilter(in household: HouseholdID) -> String { "gate/\(household)/shared/receipts/+/+" }
}

extension HouseholdTopic {
    /// The filters for states and questions of devices. Only guardians' devices subscribe to them: if every device did,
    /// N changes would cause N × N messages.
    package static func stateFilters(in household: HouseholdID) -> [String] {
        ["devices/+/state", "devices/+/availability", "devices/+/requests/+"].map { "gate/\(household)/\($0)" }
    }
}

/// Whether a device is connected, as its topic says.
package enum Availability: String, Hashable, Sendable, CaseIterable {
    case online
    /// Gone: the device has said so, or the broker by its will.
    case offline

    /// Reads a payload; `nil` if it is neither.
    package init?(payload: [UInt8]) {
        guard payload.count <= 16 else { return nil }
        self.init(rawValue: String(decoding: payload, as: UTF8.self))
    }

    package var payload: [UInt8] { Array(rawValue.utf8) }
}
