package import GateModel

extension UsageReport {
    /// Reads a payload, and checks no signature: `SignedText.verify` does.
    /// - Throws: `malformed`.
    package init(payload: [UInt8]) throws(GuardianError) {
        let json = try Payload.decode(UsagePayload.self, from: payload, as: "The report")
        guard json.version == 1, let household = HouseholdID(json.household), let device = HouseholdID(json.device),
            json.uses.count <= Self.maximumUses
        else { throw .malformed("The report") }
        self.init(
            household: household, device: device,
            uses: try json.uses.map { json throws(GuardianError) in
                guard json.person.isNameLine(atMost: GatePerson.maximumNameByteCount),
                    json.allowance.isNameLine(atMost: Self.maximumNameByteCount), json.days.count <= Self.maximumDays
                else { throw .malformed("A use in the report") }
                var days: [Int64: Int64] = [:]
                for (date, milliseconds) in json.days {
                    guard let date = CivilDate(date), (1...Self.millisecondsOfDay).contains(milliseconds) else {
                        throw .malformed("A day in the report")
                    }
                    days[date.daysSince1970] = milliseconds
                }
                return Use(person: json.person, allowance: json.allowance, days: days)
            })
    }

    package var payload: [UInt8] {
        SortedJSON.bytes(
            of: UsagePayload(
                version: 1, household: household.description, device: device.description,
                uses: uses.map { use in
                    UsagePayload.Use(
                        person: use.person, allowance: use.allowance,
                        days: Dictionary(
                            uniqueKeysWithValues: use.days.map { ("\(UsageDay.date(of: $0.key))", $0.value) }))
                }))
    }
}

private struct UsagePayload: Codable {
    struct Use: Codable {
        var person: String
        var allowance: String
        /// Milliseconds by date, like "2026-11-29".
        var days: [String: Int64]
    }

    var version: Int
    var household: String
    var device: String
    var uses: [Use]
}
