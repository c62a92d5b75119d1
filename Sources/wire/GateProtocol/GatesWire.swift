import CGateProtocol
package import GateModel

// control.proto, authorization.proto: what stands before gated actions, allowances and schedules, and where the policy
// says so

extension Methods.Control {
    package static let setGate = Method<SetGateRequest, SetGateResponse>(service, "SetGate")
    package static let setTimeRule = Method<SetTimeRuleRequest, SetTimeRuleResponse>(service, "SetTimeRule")
}

package struct SetGateRequest: MappedMessage, GrantedRequest {
    package var gatedAction: String
    /// The new requirement in the notation of policy files; `nil`: the choice is taken back.
    package var requires: String?
    package var keep: Duration?
    /// `nil`: the title that the action has now, or its name.
    package var title: String?
    /// How much more time can be asked for; `nil`: as now, if the requirement limits time.
    package var moreTime: [AskChoice]?
    package var checkOnly: Bool
    /// A grown-up's grant for `gate.change`; `nil` for administrators.
    package var grant: Grant.Proof?

    package init(
        gatedAction: String, requires: String?, keep: Duration? = nil, title: String? = nil,
        moreTime: [AskChoice]? = nil, checkOnly: Bool = false, grant: Grant.Proof? = nil
    ) {
        self.gatedAction = gatedAction
        self.requires = requires
        self.keep = keep
        self.title = title
        self.moreTime = moreTime
        self.checkOnly = checkOnly
        self.grant = grant
    }

    /// This word in the place of the amounts means that no more time can be asked for.
    private static let none = "none"

    init(reading message: Gate__V1__SetGateRequest) throws(GateError) {
        let (requires, title) = (String(reading: message.requirement), String(reading: message.title))
        let proof = [UInt8](reading: message.grant_proof)
        self.init(
            gatedAction: String(reading: message.gated_action), requires: requires.isEmpty ? nil : requires,
            keep: OptionalMilliseconds.duration(message.keep_milliseconds), title: title.isEmpty ? nil : title,
            checkOnly: message.check_only != 0, grant: proof.isEmpty ? nil : Grant.Proof(bytes: proof))
        let amounts = [String](reading: message.more_time, count: message.n_more_time)
        guard !amounts.isEmpty else { return }
        moreTime = try (amounts == [Self.none] ? [] : amounts).map { text throws(GateError) in
            guard let amount = AskChoice(text: text) else {
                throw .wrong("more_time", "has something that is neither today nor an amount of time like 30m")
            }
            return amount
        }
    }

    func write(to message: inout Gate__V1__SetGateRequest, in arena: inout MessageArena) {
        message.gated_action = arena.string(gatedAction)
        message.requirement = arena.string(requires ?? "")
        message.keep_milliseconds = OptionalMilliseconds.wire(keep)
        message.title = arena.string(title ?? "")
        message.check_only = checkOnly ? 1 : 0
        message.grant_proof = arena.bytes(grant?.bytes ?? [])
        let amounts = moreTime.map { $0.isEmpty ? [Self.none] : $0.map(\.text) }
        (message.more_time, message.n_more_time) = arena.strings(amounts ?? [])
    }
}

package struct SetGateResponse: MappedMessage {
    /// `nil`: the policy did not name the action, so it was denied.
    package var before: ListedGate?
    package var after: ListedGate?
    /// `nil` if nothing was changed.
    package var revision: Revision?

    package init(before: ListedGate?, after: ListedGate?, revision: Revision?) {
        self.before = before
        self.after = after
        self.revision = revision
    }

    init(reading message: Gate__V1__SetGateResponse) throws(GateError) {
        self.init(
            before: try ListedGate(optional: message.before), after: try ListedGate(optional: message.after),
            revision: message.revision.map { Revision(reading: $0.pointee) })
    }

    func write(to message: inout Gate__V1__SetGateResponse, in arena: inout MessageArena) {
        message.before = arena.message(optional: before)
        message.after = arena.message(optional: after)
        message.revision = arena.message(optional: revision)
    }
}

package struct ListedGate: Hashable, Sendable, MessageMapping {
    package var gatedAction: GatedActionSummary
    /// Empty if there are too many for an answer.
    package var conditions: [ListedCondition]
    package var strength: GateStrength?

    package init(gatedAction: GatedActionSummary, conditions: [ListedCondition], strength: GateStrength?) {
        self.gatedAction = gatedAction
        self.conditions = conditions
        self.strength = strength
    }

    init(reading message: Gate__V1__GateRule) throws(GateError) {
        self.init(
            gatedAction: try GatedActionSummary(reading: message.gated_action, of: "gate.v1.GateRule.gated_action"),
            conditions: try [ListedCondition](reading: message.conditions, count: message.n_conditions),
            strength: try GateStrength(optional: message.strength))
    }

    func write(to message: inout Gate__V1__GateRule, in arena: inout MessageArena) {
        message.gated_action = arena.message(gatedAction)
        (message.conditions, message.n_conditions) = arena.messages(conditions)
        message.strength = arena.message(optional: strength)
    }
}

extension GateStrength: MessageMapping {
    init(reading message: Gate__V1__GateStrength) {
        self.init(
            guessedPerMillion: Int(message.guessed_per_million), programPasses: message.program_passes != 0,
            isWithoutQuestion: message.is_without_question != 0)
    }

    func write(to message: inout Gate__V1__GateStrength, in arena: inout MessageArena) {
        message.guessed_per_million = UInt32(clamping: guessedPerMillion)
        message.program_passes = programPasses ? 1 : 0
        message.is_without_question = isWithoutQuestion ? 1 : 0
    }
}

extension PolicyOrigin: MessageMapping {
    init(reading message: Gate__V1__PolicyOrigin) {
        self.init(
            layer: PolicyLayer(wire: message.layer, else: .unrecognized), file: String(reading: message.file),
            line: message.line == 0 ? nil : Int(message.line))
    }

    func write(to message: inout Gate__V1__PolicyOrigin, in arena: inout MessageArena) {
        message.layer = layer.wire
        message.file = arena.string(file)
        message.line = UInt32(clamping: line ?? 0)
    }
}

extension PolicyLayer: EnumMapping {
    var wire: Gate__V1__PolicyLayer {
        switch self {
        case .shipped: GATE__V1__POLICY_LAYER__POLICY_LAYER_SHIPPED
        case .choices: GATE__V1__POLICY_LAYER__POLICY_LAYER_CHOICES
        case .household: GATE__V1__POLICY_LAYER__POLICY_LAYER_HOUSEHOLD
        case .device: GATE__V1__POLICY_LAYER__POLICY_LAYER_DEVICE
        case .unrecognized: GATE__V1__POLICY_LAYER__POLICY_LAYER_UNSPECIFIED
        }
    }
}

extension PolicySettingOrigin: MessageMapping {
    init(reading message: Gate__V1__SettingOrigin) throws(GateError) {
        self.init(
            setting: String(reading: message.setting),
            origin: try PolicyOrigin(reading: message.origin, of: "gate.v1.SettingOrigin.origin"))
    }

    func write(to message: inout Gate__V1__SettingOrigin, in arena: inout MessageArena) {
        message.setting = arena.string(setting)
        message.origin = arena.message(origin)
    }
}

package struct SetTimeRuleRequest: MappedMessage, GrantedRequest {
    package var kind: TimeRule.Kind
    package var name: String
    /// The new rule, in the notation of policy files; `nil` if the choice is taken back.
    package var notation: String?
    package var checkOnly: Bool
    /// A grown-up's grant for `gate.change`; `nil` for administrators.
    package var grant: Grant.Proof?

    package init(
        kind: TimeRule.Kind, name: String, notation: String?, checkOnly: Bool = false, grant: Grant.Proof? = nil
    ) {
        self.kind = kind
        self.name = name
        self.notation = notation
        self.checkOnly = checkOnly
        self.grant = grant
    }

    init(reading message: Gate__V1__SetTimeRuleRequest) throws(GateError) {
        let (notation, proof) = (String(reading: message.notation), [UInt8](reading: message.grant_proof))
        self.init(
            kind: try TimeRule.Kind(wire: message.kind, of: "gate.v1.SetTimeRuleRequest.kind"),
            name: String(reading: message.name),
            notation: notation.isEmpty ? nil : notation, checkOnly: message.check_only != 0,
            grant: proof.isEmpty ? nil : Grant.Proof(bytes: proof))
    }

    func write(to message: inout Gate__V1__SetTimeRuleRequest, in arena: inout MessageArena) {
        message.kind = kind.wire
        message.name = arena.string(name)
        message.notation = arena.string(notation ?? "")
        message.check_only = checkOnly ? 1 : 0
        message.grant_proof = arena.bytes(grant?.bytes ?? [])
    }
}

package struct SetTimeRuleResponse: MappedMessage {
    package var before: TimeRule?
    package var after: TimeRule?
    /// `nil` if nothing was changed.
    package var revision: Revision?

    package init(before: TimeRule?, after: TimeRule?, revision: Revision?) {
        self.before = before
        self.after = after
        self.revision = revision
    }

    init(reading message: Gate__V1__SetTimeRuleResponse) throws(GateError) {
        self.init(
            before: try TimeRule(optional: message.before), after: try TimeRule(optional: message.after),
            revision: message.revision.map { Revision(reading: $0.pointee) })
    }

    func write(to message: inout Gate__V1__SetTimeRuleResponse, in arena: inout MessageArena) {
        message.before = arena.message(optional: before)
        message.after = arena.message(optional: after)
        message.revision = arena.message(optional: revision)
    }
}

// By itself for `gatectl allowances --json`.
extension TimeRule: MappedMessage {
    init(reading message: Gate__V1__TimeRule) throws(GateError) {
        self.init(
            kind: Kind(wire: message.kind, else: .unrecognized), name: String(reading: message.name),
            notation: String(reading: message.notation), origin: try PolicyOrigin(optional: message.origin),
            gatedActions: [String](reading: message.gated_actions, count: message.n_gated_actions))
    }

    func write(to message: inout Gate__V1__TimeRule, in arena: inout MessageArena) {
        message.kind = kind.wire
        message.name = arena.string(name)
        message.notation = arena.string(notation)
        message.origin = arena.message(optional: origin)
        (message.gated_actions, message.n_gated_actions) = arena.strings(gatedActions)
    }
}

extension TimeRule.Kind: EnumMapping {
    var wire: Gate__V1__TimeRuleKind {
        switch self {
        case .allowance: GATE__V1__TIME_RULE_KIND__TIME_RULE_KIND_ALLOWANCE
        case .schedule: GATE__V1__TIME_RULE_KIND__TIME_RULE_KIND_SCHEDULE
        case .unrecognized: GATE__V1__TIME_RULE_KIND__TIME_RULE_KIND_UNSPECIFIED
        }
    }
}
