package import GateModel

extension HouseholdPolicy {
    /// Reads a policy that this Ed25519 key (32 bytes) has signed.
    /// - Throws: `size`, `malformed`, `algorithm` or `signature`.
    package init(signed: [UInt8], by key: [UInt8]) throws(GuardianError) {
        let text = try SignedText(signed, as: .policy)
        try text.verify(with: key)
        try self.init(payload: text.payload)
    }

    /// Reads a payload; `SignedText.verify` says whether to believe it.
    /// - Throws: `malformed`.
    package init(payload: [UInt8]) throws(GuardianError) {
        let json = try Payload.decode(PolicyPayload.self, from: payload, as: "The policy")
        guard json.version == 1, let household = HouseholdID(json.household),
            (1...Self.maximumNumber).contains(json.number), json.files.count <= Self.maximumFiles,
            json.files.allSatisfy({ (1...Self.maximumPathByteCount).contains($0.path.utf8.count) }),
            Set(json.files.map(\.path)).count == json.files.count
        else { throw .malformed("The policy") }
        self.init(
            household: household, number: json.number, issued: WallTime(unixMilliseconds: json.issued),
            files: json.files.map { File(path: $0.path, text: $0.text) })
    }

    package var payload: [UInt8] {
        SortedJSON.bytes(
            of: PolicyPayload(
                version: 1, household: household.description, number: number, issued: issued.unixMilliseconds,
                files: files.map { PolicyPayload.File(path: $0.path, text: $0.text) }))
    }
}

private struct PolicyPayload: Codable {
    struct File: Codable {
        var path: String
        var text: String
    }

    var version: Int
    var household: String
    var number: UInt64
    var issued: Int64
    var files: [File]
}
