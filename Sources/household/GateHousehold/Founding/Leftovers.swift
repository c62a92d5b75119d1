package import GateModel

/// Finds messages that the broker should not keep: those of devices that are gone, and all commands and results.
/// Devices never publish these to be kept, but the broker's access list can't forbid it: it knows neither the devices
/// nor what may be kept.
package struct Leftovers: Sendable {
    /// A member can make the broker keep more topics than are remembered; the rest is found the next time.
    package static let topicByteCount = 4 << 20

    private let household: HouseholdID
    private var ofDevices: [HouseholdID: [String]] = [:]
    /// The topics of descriptions for Home Assistant, by device. Other households may have theirs at the same broker.
    private var descriptions: [HouseholdID: [String]] = [:]
    private var letters: [String] = []
    private var byteCount = 0

    package init(in household: HouseholdID) {
        self.household = household
    }

    /// The filters of everything that devices can make the broker keep.
    package static func filters(in household: HouseholdID) -> [String] {
        HouseholdTopic.stateFilters(in: household) + [HouseholdTopic.receiptFilter(in: household)]
            + [
                "devices/+/to/+/commands", "devices/+/to/+/results", "devices/+/to/+/answers/+",
                "shared/certificates/+", "shared/usage/+",
            ].map { "gate/\(household)/\($0)" } + ["homeassistant/+/+/+/config"]
    }

    /// The topics of a device, in the order in which they are cleared. The descriptions for Home Assistant come first,
    /// so that it never shows a device without a state.
    ///
    /// - Parameter people: their own users, each of which may have a sensor of its own.
    package static func topics(of device: HouseholdID, in household: HouseholdID, people: [UInt32] = []) -> [String] {
        people.map { HomeAssistantEntity.topic(ofPerson: $0, on: device) }
            + HomeAssistantEntity.allCases.map { $0.topic(of: device) }
            + [
                HouseholdTopic.homeAssistantRequest(device), .homeAssistantUsed(device), .state(device),
                .availability(device), .usage(device),
            ].map { $0.text(in: household) }
    }

    /// Remembers the message's topic if it may have to be cleared. `members` are on the list and not revoked.
    package mutating func arrived(_ message: BrokerMessage, members: Set<HouseholdID>) {
        let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !message.payload.isEmpty, levels.count >= 4, byteCount + message.topic.utf8.count <= Self.topicByteCount
        else { return }
        if levels[0] == "homeassistant" {
            guard let device = HouseholdID(levels[2]), !members.contains(device) else { return }
            descriptions[device, default: []].append(message.topic)
        } else if levels[0] == "gate", levels[1] == household.description {
            if levels.count == 7, levels[2] == "devices", levels[4] == "to" {
                guard message.isRetained else { return }
                letters.append(message.topic)
            } else {
                let place = levels[2] == "devices" ? 3 : 4
                guard place < levels.count, let device = HouseholdID(levels[place]), !members.contains(device) else {
                    return
                }
                ofDevices[device, default: []].append(message.topic)
            }
        } else {
            return
        }
        byteCount += message.topic.utf8.count
    }

    /// The topics to clear. `members` are on the list and not revoked now; a device may have joined since `arrived`.
    package func topics(members: Set<HouseholdID>, revoked: Set<HouseholdID>) -> [String] {
        let gone = revoked.filter { descriptions[$0] != nil }.union(ofDevices.keys).subtracting(members)
        let ofGone = gone.sorted { $0.description < $1.description }.flatMap { device in
            let usual = Self.topics(of: device, in: household)
            let others = (descriptions[device] ?? []) + (ofDevices[device] ?? [])
            return usual + others.filter { !usual.contains($0) }
        }
        return ofGone + letters
    }
}
