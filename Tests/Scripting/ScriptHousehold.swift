public import GateModel

/// The household of a script in which another device tells of use. This device joins it at the first such line.
package enum ScriptHousehold {
    package static let household = id("1")
    package static let device = id("a")
    package static let other = id("b")

    private static func id(_ digit: String) -> HouseholdID {
        guard let id = HouseholdID(String(repeating: digit, count: 32)) else {
            preconditionFailure("32 hexadecimal digits are an id")
        }
        return id
    }

    package static func settings(_ publicKey: [UInt8]) -> HouseholdSettings {
        HouseholdSettings(
            household: household, device: device, name: "this", publicKey: publicKey,
            broker: .init(host: "gate.example", authority: "a", certificate: "b", key: "c"), sumsUsage: true)
    }

    /// The same as `household.yaml` says it.
    /// - Parameter publicKey: in base64url.
    package static func yaml(_ publicKey: String) -> String {
        """
        household: "\(household)"
        device: "\(device)"
        name: this
        key: "\(publicKey)"
        broker: {host: gate.example, authority: a, certificate: b, key: c}
        usage: true

        """
    }

    /// This device, and another one with the name and the key.
    package static func list(_ name: String, _ key: [UInt8]) -> HouseholdList {
        HouseholdList(
            household: household, number: 1, issued: WallTime(unixMilliseconds: 0),
            expires: WallTime(unixMilliseconds: 86_400_000),
            members: [
                HouseholdMember(id: device, name: "this", publicKey: [UInt8](repeating: 9, count: 32), guardian: nil),
                HouseholdMember(id: other, name: name, publicKey: key, guardian: nil),
            ])
    }
}

/// How much time somebody has used on another device of the household, as that one tells it.
public struct ScriptUse: Hashable, Sendable {
    public var used: Duration
    public var allowance: String
    public var day: CivilDate
    /// The name of the other device. There is only one.
    public var device: String
    public var person: Person

    package init(used: Duration, allowance: String, day: CivilDate, device: String, person: Person) {
        (self.used, self.allowance, self.day, self.device, self.person) = (used, allowance, day, device, person)
    }

    package var report: UsageReport {
        UsageReport(
            household: ScriptHousehold.household, device: ScriptHousehold.other,
            uses: [
                UsageReport.Use(
                    person: person.name, allowance: allowance,
                    days: [day.daysSince1970: used.components.seconds * 1000])
            ])
    }
}
