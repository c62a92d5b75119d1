package import GateModel

/// A change of the policy: a grown-up's choice of what stands before a gated action, or of an allowance or a schedule,
/// that is kept or taken back.
package struct GateChange: Hashable, Sendable {
    /// The choice's name: that of the gated action, or `TimeRule.choiceName`.
    package var name: String
    /// The new choice in the notation of policy files; `nil`: the choice is taken back.
    package var notation: String?
    /// The configuration with the change, from all layers of the policy.
    package var configuration: Configuration
    /// The change in words, for the journal, and for the grown-up who is asked before it is made.
    package var detail: String
    /// A grown-up's grant for `gate.change`; `nil` for administrators.
    package var grant: Grant.Proof?

    package init(
        name: String, notation: String?, configuration: Configuration, detail: String, grant: Grant.Proof? = nil
    ) {
        self.name = name
        self.notation = notation
        self.configuration = configuration
        self.detail = detail
        self.grant = grant
    }

    /// The most choices that are kept.
    package static let maximumChoices = 200
    /// The most bytes of the detail in the journal. Grown-ups are shown no more, either: an ordinary screen has room
    /// for it, and nobody says yes to words that are left out or have to be scrolled to.
    static let detailByteCount = 600
    /// The most bytes of a requirement, an allowance or a schedule as a request has it.
    package static let maximumGivenByteCount = 4096
    /// The most bytes of a choice in the notation of policy files.
    package static let maximumNotationByteCount = 32 << 10
}

extension GateState {
    /// Keeps the choice and puts the configuration into force, both or neither.
    mutating func changeGate(
        _ change: GateChange, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        // Peers that may not change gates are refused first, so that no other error tells them about the choices.
        guard context.peer.isAdministrator || kind(ofUser: context.peer.uid) == .grownUp else {
            throw .onlyGrownUpsChange
        }
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard context.peer.isAdministrator || change.detail.utf8.count <= GateChange.detailByteCount else {
            throw .changeTooLong
        }
        let isKnown = records.gateChoices[change.name] != nil
        if let notation = change.notation {
            guard change.name != GatedAction.change else { throw .notChosen }
            guard isKnown || records.gateChoices.count < GateChange.maximumChoices else { throw .tooManyChoices }
            guard notation.utf8.count <= GateChange.maximumNotationByteCount else { throw .choiceTooLong }
            try checkChange("change \(change.detail)", change.grant, context)
            record(.gateChoiceSet(gatedAction: change.name, notation: notation), &draft)
        } else {
            guard isKnown else { throw .noChoice(change.name) }
            try checkChange("change \(change.detail)", change.grant, context)
            record(.gateChoiceRemoved(gatedAction: change.name), &draft)
        }
        configure(
            change.configuration, change.detail.cut(toByteCount: GateChange.detailByteCount), as: .gateChanged,
            context, &draft)
        return .done
    }
}

extension GateError {
    /// Nobody has chosen anything for this gated action, or this allowance or schedule.
    package static func noChoice(_ name: String) -> GateError {
        let chosen = TimeRule.chosen(as: name) == nil ? "what stands before '\(name)'" : "the \(name)"
        return GateError(
            .notFound, .unknown, "Nobody has chosen \(chosen), so there is no choice to take back.",
            parameters: ["what": "gate-choice", "name": name])
    }

    /// Nobody can choose what stands before `gate.change`: it protects the choices, so no choice may weaken it.
    package static let notChosen = invalid(
        "gated_action", "What stands before '\(GatedAction.change)' is said in /etc/gate alone.")

    fileprivate static let changeTooLong = GateError(
        .resourceExhausted, .limit,
        "This change takes more than \(GateChange.detailByteCount) bytes to describe, too much to read before saying yes. "
            + "Require less, or let an administrator make it: `sudo gatectl gates`.",
        parameters: ["what": "gate-change-words", "maximum": "\(GateChange.detailByteCount)"])

    fileprivate static let tooManyChoices = GateError(
        .resourceExhausted, .limit,
        "There are \(GateChange.maximumChoices) choices, and no more are kept. Take one back: `gatectl gates unset`.",
        parameters: ["what": "gate-choices", "maximum": "\(GateChange.maximumChoices)"])

    fileprivate static let choiceTooLong = GateError(
        .resourceExhausted, .limit,
        "The choice takes more than \(GateChange.maximumNotationByteCount) bytes. Shorten what it requires.",
        parameters: ["what": "gate-choice-bytes", "maximum": "\(GateChange.maximumNotationByteCount)"])
}
