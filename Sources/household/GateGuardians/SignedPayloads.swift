import FoundationEssentials
package import GateModel

// The JSON of everything that is signed. docs/household-protocol.md describes it as JSON Schema.

extension HouseholdList {
    /// Reads a list that this Ed25519 key (32 bytes) has signed.
    /// - Throws: `size`, `malformed`, `algorithm` or `signature`.
    package init(signed: [UInt8], by key: [UInt8]) throws(GuardianError) {
        let text = try SignedText(signed, as: .list)
        try text.verify(with: key)
        try self.init(payload: text.payload)
    }

    /// Reads a payload; `SignedText.verify` says whether to believe it.
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
                    let sealing = Base64.bytes(Array((json.sealing ?? "").utf8), .url),
                    sealing.isEmpty || sealing.count == 32,
                    Payload.isName(json.name), json.guardian.map(Payload.isName) ?? true
                else { throw .malformed("A member of the list") }
                return HouseholdMember(
                    id: id, name: json.name, publicKey: key, sealingKey: sealing, guardian: json.guardian,
                    isRevoked: json.revoked)
            })
        guard Set(members.map(\.id)).count == members.count, Set(members.map(\.publicKey)).count == members.count,
            issued < expires, expires <= issued.advanced(by: Self.longestLife)
        else { throw .malformed("The list") }
    }

    package var payload: [UInt8] {
        SortedJSON.bytes(
            of: ListPayload(
                version: 1, household: household.description, number: number, issued: issued.unixMilliseconds,
                expires: expires.unixMilliseconds,
                members: members.map {
                    ListPayload.Member(
                        id: $0.id.description, name: $0.name, key: $0.publicKey.base64URL,
                        sealing: $0.sealingKey.isEmpty ? nil : $0.sealingKey.base64URL, guardian: $0.guardian,
                        revoked: $0.isRevoked)
                }))
    }
}

extension GuardianCommand {
    /// Reads a payload; `SignedText.verify` says whether to believe it.
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
        case .answer(let answer):
            json.verb = answer.isApproved ? "approve" : "deny"
            json.arguments = CommandPayload.Arguments(answer)
        }
        return SortedJSON.bytes(of: json)
    }
}

extension CommandResult {
    /// Reads a payload; `SignedText.verify` says whether to believe it.
    /// - Throws: `malformed`.
    package init(payload: [UInt8]) throws(GuardianError) {
        let json = try Payload.decode(ResultPayload.self, from: payload, as: "The result")
        guard json.version == 1, let household = HouseholdID(json.household), let device = HouseholdID(json.device),
            let command = HouseholdID(json.command), let mode = Mode(rawValue: json.mode),
            (json.message?.utf8.count ?? 0) <= 1024
        else { throw .malformed("The result") }
        let refusal = json.check.map {
            // A check that only a newer version knows is a refusal, too. Characters that can't be shown are replaced,
            // so that the guardian who waits still learns that nothing was done.
            Refusal(GuardianCheck(rawValue: $0) ?? .refused, (json.message ?? "").replacingHidden)
        }
        self.init(household: household, device: device, command: command, refusal: refusal, mode: mode)
    }

    package var payload: [UInt8] {
        SortedJSON.bytes(
            of: ResultPayload(
                version: 1, household: household.description, device: device.description,
                command: command.description, check: refusal?.check.rawValue, message: refusal?.message,
                mode: mode.rawValue))
    }
}

extension RequestWords {
    /// Reads a payload; `SignedText.verify` says whether to believe it.
    /// - Throws: `malformed`.
    package init(payload: [UInt8]) throws(GuardianError) {
        let json = try Payload.decode(RequestPayload.self, from: payload, as: "The question")
        guard json.version == 1, let household = HouseholdID(json.household), let device = HouseholdID(json.device),
            let purpose = json.purpose == RequestPayload.askPurpose
                ? .authorize : Presentation.Purpose(wordOfRequest: json.purpose)
        else { throw .malformed("The question") }
        self.init(
            household: household, device: device, number: json.request, purpose: purpose,
            asked: PresentationContext(
                uid: 0, pid: 0, program: json.program, gatedAction: json.gatedAction,
                title: LocalizedText(json.title.text, json.title.translations), details: json.details.text,
                translatedDetails: json.details.translations, duration: json.duration.map { .milliseconds($0) }),
            ask: try json.ask?.words)
        guard areOfKnownForm, (ask != nil) == (json.purpose == RequestPayload.askPurpose) else {
            throw .malformed("The question")
        }
    }

    package var payload: [UInt8] {
        SortedJSON.bytes(
            of: RequestPayload(
                version: 1, household: household.description, device: device.description, request: number,
                purpose: ask == nil ? purpose.wordOfRequest : RequestPayload.askPurpose, program: asked.program,
                gatedAction: asked.gatedAction,
                title: RequestPayload.Texts(asked.title, asked.titles.translations),
                details: RequestPayload.Texts(asked.details, asked.translatedDetails),
                duration: asked.duration?.millisecondsRoundedUp, ask: ask.map { RequestPayload.Ask($0) }))
    }
}

extension Presentation.Purpose {
    /// `nil` if guardians are not asked for that.
    fileprivate init?(wordOfRequest word: String) {
        switch word {
        case "enter-parent-mode": self = .enterParentMode
        case "extend-parent-mode": self = .extendParentMode
        case "authorize": self = .authorize
        default: return nil
        }
    }

    fileprivate var wordOfRequest: String {
        switch self {
        case .enterParentMode: "enter-parent-mode"
        case .extendParentMode: "extend-parent-mode"
        case .authorize: "authorize"
        default: preconditionFailure("guardians are asked questions, and nothing else")
        }
    }
}

// MARK: - JSON

private struct ListPayload: Codable {
    struct Member: Codable {
        var id: String
        var name: String
        var key: String
        /// Absent if nothing can be sealed to this device.
        var sealing: String?
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
        /// The id of the presentation that is answered, or the number of the ask.
        var request: UInt64?
        /// The SHA-256 of what the guardian was shown; absent if an ask is answered.
        var shown: String?
        /// The nonce of the ask that is answered.
        var nonce: String?
        /// How much a yes to an ask allows, or what kind of no it is; absent: once, or a plain no.
        var choice: String?

        func answer(isApproved: Bool) -> RequestAnswer? {
            guard let request, mode == nil, duration == nil, reason == nil else { return nil }
            if let nonce {
                guard shown == nil, let bytes = Base64.bytes(Array(nonce.utf8), .url),
                    bytes.count == HouseholdAsk.nonceByteCount,
                    choice?.isNameLine(atMost: AskEcho.maximumChoiceByteCount) ?? true
                else { return nil }
                return RequestAnswer(
                    number: request, ask: AskEcho(nonce: bytes, choice: choice ?? AskEcho.once),
                    isApproved: isApproved)
            }
            guard let shown = shown.flatMap({ Base64.bytes(Array($0.utf8), .url) }), shown.count == 32, choice == nil
            else { return nil }
            return RequestAnswer(number: request, shown: shown, isApproved: isApproved)
        }

        /// Whether it says something that only answers say.
        var isOfAnswer: Bool { request != nil || shown != nil || nonce != nil || choice != nil }
    }

    var version: Int
    var id: String
    var household: String
    /// `*` for all devices.
    var device: String
    var guardian: String
    var verb: String
    var arguments: Arguments
    /// Empty if the command echoes none.
    var challenge: String
    var expires: Int64

    /// `nil` if verb and arguments make no order.
    var order: GuardianOrder? {
        if let duration = arguments.duration, duration <= 0 { return nil }
        let duration = arguments.duration.map { Duration.milliseconds($0) }
        if verb == "approve" || verb == "deny" {
            return arguments.answer(isApproved: verb == "approve").map { .answer($0) }
        }
        guard !arguments.isOfAnswer else { return nil }
        switch (verb, arguments.mode.flatMap(Mode.init), arguments.reason) {
        case ("lock", nil, nil) where duration == nil: return .lock
        case ("extend", nil, nil): return .extend(duration)
        case ("override", .child, let reason?) where duration == nil: return .override(.child, nil, reason: reason)
        case ("override", .parent, let reason?): return .override(.parent, duration, reason: reason)
        default: return nil
        }
    }
}

extension CommandPayload.Arguments {
    fileprivate init(_ answer: RequestAnswer) {
        self.init(request: answer.number)
        guard let ask = answer.ask else {
            shown = answer.shown.base64URL
            return
        }
        nonce = ask.nonce.base64URL
        choice = ask.choice == AskEcho.once ? nil : ask.choice
    }
}

private struct ResultPayload: Codable {
    var version: Int
    var household: String
    var device: String
    var command: String
    /// Absent if the command was carried out.
    var check: String?
    var message: String?
    var mode: String
}

private struct RequestPayload: Codable {
    struct Texts: Codable {
        var text: String
        /// By language, as a BCP 47 tag.
        var texts: [String: String]

        init(_ text: String, _ translations: [LocalizedText.Translation]) {
            self.text = text
            texts = Dictionary(translations.map { ($0.language, $0.text) }) { first, _ in first }
        }

        var translations: [LocalizedText.Translation] {
            texts.sorted { $0.key < $1.key }.map { LocalizedText.Translation(language: $0.key, text: $0.value) }
        }
    }

    var version: Int
    var household: String
    var device: String
    /// The id of the presentation.
    var request: UInt64
    var purpose: String
    /// The name that the program gives itself.
    var program: String
    /// Empty if the question is about the mode.
    var gatedAction: String
    var title: Texts
    var details: Texts
    /// In milliseconds.
    var duration: Int64?
    /// Present if and only if `purpose` is `askPurpose`.
    var ask: Ask?

    /// The purpose of an ask, which is an authorization. Versions of Gate that do not know asks ignore questions with
    /// this purpose.
    static let askPurpose = "ask"

    struct Ask: Codable {
        var nonce: String
        var person: String
        var allowed: Bool
        /// In milliseconds since 1970.
        var until: Int64
        /// What can be chosen, or was chosen; absent: once.
        var choices: [String]?

        init(_ words: HouseholdAsk) {
            nonce = words.nonce.base64URL
            person = words.person
            allowed = words.isAllowed
            until = words.until.unixMilliseconds
            choices = words.choices == [.once] ? nil : words.choices.map(\.text)
        }

        var words: HouseholdAsk {
            get throws(GuardianError) {
                guard let nonce = Base64.bytes(Array(nonce.utf8), .url) else { throw .malformed("The question") }
                // A newer version may know choices that this one can't offer.
                return HouseholdAsk(
                    nonce: nonce, person: person, isAllowed: allowed, until: WallTime(unixMilliseconds: until),
                    choices: choices?.prefix(HouseholdAsk.maximumChoiceCount).compactMap { AskChoice(text: $0) } ?? [
                        .once
                    ])
            }
        }
    }
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

    /// Names come from the administrators of other devices, and are shown in one line.
    static func isName(_ name: String) -> Bool {
        (1...HouseholdSettings.maximumNameByteCount).contains(name.utf8.count) && name.isSingleLine
    }
}

extension GuardianError {
    static func malformed(_ name: String) -> GuardianError {
        GuardianError(.malformed, "\(name) does not have the form that docs/household-protocol.md describes.")
    }
}
