import FoundationEssentials
package import GateModel

// What is signed, as JSON. docs/household.md has the same as JSON Schema.

extension HouseholdList {
    /// Reads a list that this key has signed.
    /// - Parameter key: Ed25519, 32 bytes.
    /// - Throws: `size`, `malformed`, `algorithm`, `signature`.
    package init(signed: [UInt8], by key: [UInt8]) throws(GuardianError) {
        let text = try SignedText(signed, as: .list)
        try text.verify(with: key)
        try self.init(payload: text.payload)
    }

    /// Reads a list; whether it is to be believed says `SignedText.verify`.
    /// - Throws: `malformed`.
    package init(payload: [UInt8]) throws(GuardianError) {
        let json = try Payload.decode(ListPayload.self, from: payload, as: "The list")
        guard json.version == 1, let household = HouseholdID(json.household), json.number > 0,
            json.number <= 1 << 45, json.members.count <= Self.maximumMembers
        else { throw .malformed("The list") }
        self.init(
            household: household, number: json.number, issued: WallTime(unixMilliseconds: json.issued),
            expires: WallTime(unixMilliseconds: json.expires),
            members: try json.members.map { json throws(GuardianError) in
                guard let id = HouseholdID(json.id), let key = Base64.bytes(Array(json.key.utf8), .url),
                    key.count == 32,
                    Payload.isName(json.name), json.guardian.map(Payload.isName) ?? true
                else { throw .malformed("A member of the list") }
                return HouseholdMember(
                    id: id, name: json.name, publicKey: key, guardian: json.guardian, isRevoked: json.revoked)
            })
        guard Set(members.map(\.id)).count == members.count, Set(members.map(\.publicKey)).count == members.count,
            issued < expires, expires <= issued.advanced(by: Self.longestLife)
        else { throw .malformed("The list") }
    }

    /// The list as it is signed.
    package var payload: [UInt8] {
        SortedJSON.bytes(
            of: ListPayload(
                version: 1, household: household.description, number: number, issued: issued.unixMilliseconds,
                expires: expires.unixMilliseconds,
                members: members.map {
                    ListPayload.Member(
                        id: $0.id.description, name: $0.name, key: $0.publicKey.base64URL, guardian: $0.guardian,
                        revoked: $0.isRevoked)
                }))
    }
}

extension GuardianCommand {
    /// Reads a command; whether it is to be believed says `SignedText.verify`.
    /// - Throws: `malformed`.
    package init(payload: [UInt8]) throws(GuardianError) {
        let json = try Payload.decode(CommandPayload.self, from: payload, as: "The command")
        guard json.version == 1, let id = HouseholdID(json.id), let household = HouseholdID(json.household),
            let guardian = HouseholdID(json.guardian), json.device == "*" || HouseholdID(json.device) != nil,
            let challenge = Base64.bytes(Array(json.challenge.utf8), .url), challenge.isEmpty || challenge.count == 32,
            let order = json.order
        else { throw .malformed("The command") }
        self.init(
            id: id, household: household, device: HouseholdID(json.device), guardian: guardian, order: order,
            challenge: challenge, expires: WallTime(unixMilliseconds: json.expires))
    }

    /// The command as it is signed.
    package var payload: [UInt8] {
        var json = CommandPayload(
            version: 1, id: id.description, household: household.description, device: device?.description ?? "*",
            guardian: guardian.description, verb: "lock", arguments: CommandPayload.Arguments(),
            challenge: challenge.base64URL, expires: expires.unixMilliseconds)
        switch order {
        case .lock: break
        case .extend(let duration):
            json.verb = "extend"
            json.arguments.duration = duration?.millisecondsRoundedUp
        case .override(let override):
            json.verb = "override"
            json.arguments = CommandPayload.Arguments(
                mode: override.mode.rawValue, duration: override.duration?.millisecondsRoundedUp,
                reason: override.reason)
        }
        return SortedJSON.bytes(of: json)
    }
}

extension CommandResult {
    /// Reads a result; whether it is to be believed says `SignedText.verify`.
    /// - Throws: `malformed`.
    package init(payload: [UInt8]) throws(GuardianError) {
        let json = try Payload.decode(ResultPayload.self, from: payload, as: "The result")
        guard json.version == 1, let household = HouseholdID(json.household), let device = HouseholdID(json.device),
            let command = HouseholdID(json.command), let mode = Mode(rawValue: json.mode),
            (json.message?.utf8.count ?? 0) <= 1024
        else { throw .malformed("The result") }
        let refusal = json.check.map {
            // One of a newer version is a refusal all the same.
            Refusal(GuardianCheck(rawValue: $0) ?? .refused, json.message ?? "")
        }
        self.init(household: household, device: device, command: command, refusal: refusal, mode: mode)
    }

    /// The result as it is signed.
    package var payload: [UInt8] {
        SortedJSON.bytes(
            of: ResultPayload(
                version: 1, household: household.description, device: device.description,
                command: command.description, check: refusal?.check.rawValue, message: refusal?.message,
                mode: mode.rawValue))
    }
}

// MARK: - JSON

private struct ListPayload: Codable {
    struct Member: Codable {
        var id: String
        var name: String
        var key: String
        var guardian: String?
        var revoked: Bool
    }

    var version: Int
    var household: String
    var number: UInt64
    var issued: Int64
    var expires: Int64
    var members: [Member]
}

private struct CommandPayload: Codable {
    struct Arguments: Codable {
        var mode: String?
        /// In milliseconds.
        var duration: Int64?
        var reason: String?
    }

    var version: Int
    var id: String
    var household: String
    /// `*`: all of them.
    var device: String
    var guardian: String
    var verb: String
    var arguments: Arguments
    /// Empty: none.
    var challenge: String
    var expires: Int64

    /// `nil`: there is no such order.
    var order: GuardianOrder? {
        if let duration = arguments.duration, duration <= 0 { return nil }
        let duration = arguments.duration.map { Duration.milliseconds($0) }
        switch (verb, arguments.mode.flatMap(Mode.init), arguments.reason) {
        case ("lock", nil, nil) where duration == nil: return .lock
        case ("extend", nil, nil): return .extend(duration)
        case ("override", .child, let reason?) where duration == nil: return .override(.child, nil, reason: reason)
        case ("override", .parent, let reason?): return .override(.parent, duration, reason: reason)
        default: return nil
        }
    }
}

private struct ResultPayload: Codable {
    var version: Int
    var household: String
    var device: String
    var command: String
    /// Absent: it is done.
    var check: String?
    var message: String?
    var mode: String
}

enum Payload {
    static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], as name: String
    ) throws(GuardianError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw .malformed(name)
        }
    }

    /// Names come from other devices' administrators, and are shown in one line.
    static func isName(_ name: String) -> Bool {
        (1...HouseholdSettings.maximumNameByteCount).contains(name.utf8.count) && name.isSingleLine
    }
}

extension GuardianError {
    static func malformed(_ name: String) -> GuardianError {
        GuardianError(.malformed, "\(name) does not have the form that docs/household.md describes.")
    }
}

extension WallTime {
    /// Saturates.
    package func advanced(by duration: Duration) -> WallTime {
        let (sum, isTooFar) = unixMilliseconds.addingReportingOverflow(duration.millisecondsRoundedUp)
        return isTooFar ? self : WallTime(unixMilliseconds: sum)
    }
}
