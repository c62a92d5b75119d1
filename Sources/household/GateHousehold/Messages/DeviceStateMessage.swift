import FoundationEssentials
import GateGuardians
package import GateModel

/// The JSON of a device's state. `docs/household.schema.json` describes it.
package struct DeviceStateMessage: Hashable, Sendable {
    package var device: HouseholdID
    package var name: String
    package var mode: Mode
    /// When parent mode ends; `nil` if the device is not in parent mode, or without an end.
    package var parentUntil: WallTime?
    /// When the message was made, by the device's own clock.
    package var updated: WallTime
    /// The challenge that a command for the device has to echo, 32 bytes; empty if the device takes none now.
    package var challenge: [UInt8]
    /// The version of Gate.
    package var gate: String
    /// The number of the household policy that is in force; `nil` if none is.
    package var policy: UInt64?
    /// Names the run of the program that publishes the state, which recognizes its own states by it: a twin has another
    /// one. `nil` if the publishing version of Gate is too old to have such names.
    package var instance: String?
    /// Whether another device has the same key.
    package var hasTwin = false

    /// The version of this JSON.
    private static let version = 1
    private static let challengeByteCount = 32

    package init(
        device: HouseholdID, name: String, mode: Mode, parentUntil: WallTime?, updated: WallTime, challenge: [UInt8],
        gate: String, policy: UInt64? = nil, instance: String? = nil, hasTwin: Bool = false
    ) {
        self.device = device
        self.name = name
        self.mode = mode
        self.parentUntil = parentUntil
        self.updated = updated
        self.challenge = challenge
        self.gate = gate
        self.policy = policy
        self.instance = instance
        self.hasTwin = hasTwin
    }

    /// Reads a message; `nil` if it has another form or version. Unknown keys are ignored.
    package init?(json: [UInt8]) {
        guard json.count <= HouseholdLimits.stateBytes,
            let content = try? JSONDecoder().decode(Content.self, from: Data(json)), content.version == Self.version,
            let device = HouseholdID(content.device), let mode = Mode(rawValue: content.mode),
            content.name.isNameLine(atMost: HouseholdSettings.maximumNameByteCount),
            content.gate.isNameLine(atMost: HouseholdLimits.versionBytes),
            content.instance?.isNameLine(atMost: HouseholdLimits.instanceBytes) ?? true
        else { return nil }
        guard content.policy.map({ (1...HouseholdPolicy.maximumNumber).contains($0) }) ?? true else { return nil }
        var challenge: [UInt8] = []
        if let text = content.challenge {
            guard let bytes = Base64.bytes(text.utf8, .url), bytes.count == Self.challengeByteCount else { return nil }
            challenge = bytes
        }
        self.init(
            device: device, name: content.name, mode: mode,
            parentUntil: content.parentUntil.map(WallTime.init(unixMilliseconds:)),
            updated: WallTime(unixMilliseconds: content.updated), challenge: challenge, gate: content.gate,
            policy: content.policy, instance: content.instance, hasTwin: content.twin ?? false)
    }

    package var json: [UInt8] {
        SortedJSON.bytes(
            of: Content(
                version: Self.version, device: device.description, name: name, mode: mode.rawValue,
                parentUntil: parentUntil?.unixMilliseconds, updated: updated.unixMilliseconds,
                challenge: challenge.isEmpty ? nil : challenge.base64URL, gate: gate, policy: policy,
                instance: instance, twin: hasTwin ? true : nil))
    }

    private struct Content: Codable {
        var version: Int
        var device: String
        var name: String
        var mode: String
        var parentUntil: Int64?
        var updated: Int64
        var challenge: String?
        var gate: String
        var policy: UInt64?
        var instance: String?
        var twin: Bool?

        private enum CodingKeys: CodingKey {
            case version, device, name, mode, parentUntil, updated, challenge, gate, policy, instance, twin
        }

        /// Writes absent values as `null`, so that each key is always there, except for the last three.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(version, forKey: .version)
            try container.encode(device, forKey: .device)
            try container.encode(name, forKey: .name)
            try container.encode(mode, forKey: .mode)
            try container.encode(parentUntil, forKey: .parentUntil)
            try container.encode(updated, forKey: .updated)
            try container.encode(challenge, forKey: .challenge)
            try container.encode(gate, forKey: .gate)
            try container.encodeIfPresent(policy, forKey: .policy)
            try container.encodeIfPresent(instance, forKey: .instance)
            try container.encodeIfPresent(twin, forKey: .twin)
        }
    }
}

extension DeviceReport {
    package init(_ message: DeviceStateMessage, isOnline: Bool) {
        self.init(
            id: message.device, name: message.name, mode: message.mode, parentUntil: message.parentUntil,
            isOnline: isOnline, updated: message.updated, challenge: message.challenge, version: message.gate,
            policyNumber: message.policy, hasTwin: message.hasTwin)
    }
}
