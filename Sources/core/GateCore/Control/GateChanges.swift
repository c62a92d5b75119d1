package import GateModel

/// A change of what stands before a gated action: a grown-up's choice that is kept, or taken back.
package struct GateChange: Hashable, Sendable {
    package var gatedAction: String
    /// In the notation of policy files; `nil`: the choice is taken back.
    package var notation: String?
    /// The configuration with the change, from all layers of the policy.
    package var configuration: Configuration
    /// What the journal says of it, and what a grown-up is shown before it.
    package var detail: String
    /// A grown-up's grant for `gate.change`; `nil` for administrators.
    package var grant: Grant.Proof?

    package init(
        gatedAction: String, notation: String?, configuration: Configuration, detail: String, grant: Grant.Proof? = nil
    ) {
        self.gatedAction = gatedAction
        self.notation = notation
        self.configuration = configuration
        self.detail = detail
        self.grant = grant
    }

    /// The most choices that are kept.
    package static let maximumChoices = 200
    /// The most bytes of its detail in the journal.
    static let journalledByteCount = 600
    /// The most bytes of a choice in the notation of policy files.
    package static let maximumNotationByteCount = 32 << 10
}

extension GateState {
    /// Keeps the choice and puts the configuration into force, both or neither.
    mutating func changeGate(
        _ change: GateChange, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        // Others learn nothing of the choices from what would be wrong.
        guard context.peer.isAdministrator || kind(ofUser: context.peer.uid) == .grownUp else {
            throw .onlyGrownUpsChange
        }
        guard quarantinedFile == nil else { throw .storeDamaged }
        let isKnown = records.gateChoices[change.gatedAction] != nil
        if let notation = change.notation {
            guard isKnown || records.gateChoices.count < GateChange.maximumChoices else { throw .tooManyChoices }
            guard notation.utf8.count <= GateChange.maximumNotationByteCount else { throw .choiceTooLong }
            try checkChange("change \(change.detail)", change.grant, context)
            record(.gateChoiceSet(gatedAction: change.gatedAction, notation: notation), &draft)
        } else {
            guard isKnown else { throw .noChoice(change.gatedAction) }
            try checkChange("change \(change.detail)", change.grant, context)
            record(.gateChoiceRemoved(gatedAction: change.gatedAction), &draft)
        }
        configure(
            change.configuration, change.detail.cut(toByteCount: GateChange.journalledByteCount), as: .gateChanged,
            context,
            &draft)
        return .done
    }
}

extension GateError {
    /// Nobody has chosen anything for this gated action.
    package static func noChoice(_ gatedAction: String) -> GateError {
        GateError(
            .notFound, .unknown,
            "Nobody has chosen what stands before '\(gatedAction)', so there is no choice to take back.",
            parameters: ["what": "gate-choice", "name": gatedAction])
    }

    fileprivate static let tooManyChoices = GateError(
        .resourceExhausted, .limit,
        "There are \(GateChange.maximumChoices) choices, and no more are kept. Take one back: `gatectl gates unset`.",
        parameters: ["what": "gate-choices", "maximum": "\(GateChange.maximumChoices)"])

    fileprivate static let choiceTooLong = GateError(
        .resourceExhausted, .limit,
        "The choice takes more than \(GateChange.maximumNotationByteCount) bytes. Shorten what it requires.",
        parameters: ["what": "gate-choice-bytes", "maximum": "\(GateChange.maximumNotationByteCount)"])
}
