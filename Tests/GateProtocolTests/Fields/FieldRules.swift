/// A field that does not come back when its message is decoded and encoded, and is not meant to.
struct FieldException {
    /// An enum beside the field, and its values with which the field does come back.
    struct Condition {
        let field: String
        let values: Set<String>
    }

    /// Like "Need.name"; for a message within a certain field "AuditPeer.guardian.public_key".
    let field: String
    /// `nil`: it never comes back.
    let keptWith: Condition?
    let reason: String

    init(_ field: String, _ reason: String) {
        (self.field, self.reason) = (field, reason)
        keptWith = nil
    }

    init(_ field: String, keptWith condition: String, _ values: Set<String>, _ reason: String) {
        (self.field, self.reason) = (field, reason)
        keptWith = Condition(field: condition, values: values)
    }

    static let all: [FieldException] = needs + conditions + lockouts + orders + others

    private static let needs = [
        FieldException(
            "Need.challenge", keptWith: "kind", ["KIND_CHALLENGE"], "Only a challenge has a kind of challenge."),
        FieldException(
            "Need.name", keptWith: "kind", ["KIND_ENTITLEMENT", "KIND_FORM"], "Only entitlements and forms have names."),
        FieldException(
            "Need.title", keptWith: "kind", ["KIND_ENTITLEMENT", "KIND_FORM"],
            "Only entitlements and forms have titles."),
        FieldException(
            "Need.titles", keptWith: "kind", ["KIND_ENTITLEMENT", "KIND_FORM"],
            "Only entitlements and forms have titles."),
    ]
    private static let conditions = [
        FieldException(
            "Condition.name", keptWith: "kind", ["KIND_ENTITLEMENT", "KIND_FORM", "KIND_SCHEDULE", "KIND_ALLOWANCE"],
            "Only entitlements, forms, schedules and allowances have names."),
        FieldException(
            "Condition.challenges", keptWith: "kind", ["KIND_CHALLENGE"], "Only a challenge has questions by age."),
        FieldException("Condition.spans", keptWith: "kind", ["KIND_SCHEDULE"], "Only a schedule has spans."),
        FieldException("Condition.allowed", keptWith: "kind", ["KIND_ALLOWANCE"], "Only an allowance has time."),
    ]
    private static let lockouts = [
        FieldException(
            "LockoutGate.name", keptWith: "kind", ["KIND_GATED_ACTION", "KIND_SIGN_IN"],
            "There is only one gate of each other kind."),
        FieldException(
            "Lockout.uid", keptWith: "owner", ["OWNER_KIND_USER"], "The other owners are many users, billed together."),
    ]
    private static let orders = [
        FieldException(
            "SendCommandRequest.duration_milliseconds", keptWith: "verb", ["VERB_EXTEND", "VERB_OVERRIDE"],
            "A lock has no duration."),
        FieldException(
            "SendCommandRequest.mode", keptWith: "verb", ["VERB_OVERRIDE"], "Only an override chooses the mode."),
        FieldException(
            "SendCommandRequest.reason", keptWith: "verb", ["VERB_OVERRIDE"], "Only an override has a reason."),
        FieldException(
            "ObeyHomeAssistantRequest.duration_milliseconds", keptWith: "verb", ["VERB_EXTEND"],
            "The other verbs have no duration."),
        FieldException(
            "ObeyHomeAssistantRequest.request", keptWith: "verb", ["VERB_APPROVE", "VERB_DENY"],
            "The other verbs answer no question."),
        FieldException(
            "ObeyHomeAssistantRequest.choice", keptWith: "verb", ["VERB_APPROVE"],
            "The other verbs allow nothing. What a no can have here is no choice."),
    ]
    private static let others = [
        FieldException(
            "AuditPeer.guardian.public_key", "The journal names the guardian without the key."),
        FieldException(
            "AuditPeer.guardian.is_revoked", "An entry says who did something then, not what the guardian may do now."),
        FieldException("WhatsNew.primary.colour", "Only the secondary button has a colour of its own."),
        FieldException("WhatsNew.primary.url", "Only the secondary button opens a page."),
    ]
}

/// Fields of a request that exclude each other: the daemon refuses a request with several of them.
struct FieldExclusion {
    let fields: Set<String>
    let reason: String

    static let all = [
        FieldExclusion(
            fields: ["presents_itself", "presenting"],
            reason:
                "A newer request says the same with 'presenting', and more; together they may contradict each other."),
        FieldExclusion(
            fields: ["SetAnswerRequest.answers", "SetAnswerRequest.typed"],
            reason: "The answers are FHIR JSON, or texts as a person types them."),
        FieldExclusion(
            fields: [
                "SuggestAnswerRequest.answers", "SuggestAnswerRequest.typed",
                "SuggestAnswerRequest.pending_milliseconds",
            ], reason: "The answers are FHIR JSON, or texts as a person types them, or they come later."),
        FieldExclusion(
            fields: ["FillFormRequest.response", "FillFormRequest.answers"],
            reason: "A response replaces all answers of the draft; answers are added to them."),
    ]
}
