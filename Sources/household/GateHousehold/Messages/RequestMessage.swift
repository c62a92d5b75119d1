import FoundationEssentials
import GateGuardians
package import GateModel

/// The JSON of a question that a guardian may answer from another device. `docs/household.schema.json` describes it.
/// Everyone can read that there is a question, its kind and its age; the words are sealed.
package struct RequestMessage: Hashable, Sendable {
    /// The device that asks, and the question's id there.
    package var name: RequestName
    /// The kind of question, like "confirm", or an `AskKind`.
    package var kind: String
    /// When it was asked, by that device's clock.
    package var askedAt: WallTime
    /// The words, sealed to each guardian's device.
    package var sealed: [SealedRequest]

    /// Whether it waits, and can be answered while the device that asks is off.
    package var isAsk: Bool { AskKind(rawValue: kind) != nil }

    /// The version of this JSON.
    private static let version = 1
    private static let kindBytes = 64

    package init(name: RequestName, kind: String, askedAt: WallTime, sealed: [SealedRequest]) {
        self.name = name
        self.kind = kind
        self.askedAt = askedAt
        self.sealed = sealed
    }

    /// Reads a message; `nil` if it has another form or version. Unknown keys are ignored.
    package init?(json: [UInt8]) {
        guard json.count <= HouseholdLimits.requestBytes, !CombiningMarks.areTooMany(inJSON: json),
            let content = try? JSONDecoder().decode(Content.self, from: Data(json)), content.version == Self.version,
            let device = HouseholdID(content.device), content.kind.isNameLine(atMost: Self.kindBytes)
        else { return nil }
        var sealed: [SealedRequest] = []
        for (reader, text) in content.sealed {
            guard let reader = HouseholdID(reader), let bytes = Base64.bytes(text.utf8, .url) else { return nil }
            sealed.append(SealedRequest(device: reader, sealed: bytes))
        }
        self.init(
            name: RequestName(device, content.request), kind: content.kind,
            askedAt: WallTime(unixMilliseconds: content.asked),
            sealed: sealed.sorted { $0.device.description < $1.device.description })
    }

    package var json: [UInt8] {
        SortedJSON.bytes(
            of: Content(
                version: Self.version, device: name.device.description, request: name.number, kind: kind,
                asked: askedAt.unixMilliseconds,
                sealed: Dictionary(sealed.map { ($0.device.description, $0.sealed.base64URL) }) { first, _ in first }))
    }

    private struct Content: Codable {
        var version: Int
        var device: String
        var request: UInt64
        var kind: String
        var asked: Int64
        var sealed: [String: String]
    }
}
