import GateCore
import GateModel
import GatePolicy
import GateProtocol

/// A requested change of what stands before a gated action.
struct GateChanging: PolicyChanging {
    let basis: PolicyBasis
    private let request: SetGateRequest
    /// The most conditions that an answer lists.
    private let maximumConditions: Int

    init(_ request: SetGateRequest, _ basis: PolicyBasis, maximumConditions: Int) {
        self.request = request
        self.basis = basis
        self.maximumConditions = maximumConditions
    }

    var checkOnly: Bool { request.checkOnly }

    func prepared(_ read: PolicyReload.Reading) throws(GateError) -> PreparedChange<SetGateResponse> {
        let name = request.gatedAction
        let notation = try notation()
        let new = try basis.with(name, notation, read)
        if notation != nil { try check(new.policy) }
        let (before, after) = (gate(in: basis.inForce.policy), gate(in: new.policy))
        var detail =
            "\(name): \(after?.gatedAction.wholeText ?? "denied"); "
            + "before: \(before?.gatedAction.wholeText ?? "denied")"
        if let title = request.title, title != before?.gatedAction.title {
            detail += "; title: \(title)"
            let languages = before?.gatedAction.titles.translations.map(\.language) ?? []
            if !languages.isEmpty { detail += ", instead of titles in \(languages.joined(separator: ", "))" }
        }
        return PreparedChange(
            change: GateChange(
                name: name, notation: notation, configuration: new.policy.configuration, detail: detail,
                grant: request.grant),
            new: new
        ) { SetGateResponse(before: before, after: after, revision: $0) }
    }

    /// The choice in the notation of policy files; `nil` if it is taken back.
    private func notation() throws(GateError) -> String? {
        let name = request.gatedAction
        guard name.isDottedName else {
            throw .invalid(
                "gated_action",
                "'gated_action' is lower-case words of letters, digits and hyphens, joined by dots, like photos.delete."
            )
        }
        guard let requires = request.requires else {
            guard basis.stored.choices[name] != nil else { throw .noChoice(name) }
            return nil
        }
        guard name != GatedAction.change else { throw .notChosen }
        guard requires.utf8.count <= GateChange.maximumGivenByteCount else {
            throw .invalid("requirement", "'requirement' has more than \(GateChange.maximumGivenByteCount) bytes.")
        }
        guard request.moreTime?.count ?? 0 <= PolicyLimits.choices else {
            throw .invalid("more_time", "'more_time' has more than \(PolicyLimits.choices) amounts.")
        }
        if let keep = request.keep, keep.components.attoseconds != 0 {
            throw .invalid("keep_milliseconds", "'keep_milliseconds' is a number of whole seconds.")
        }
        let present = basis.inForce.policy.configuration.gatedActions.named(name)
        let requirement: Requirement
        do throws(PolicyError) {
            requirement = try PolicyReader.requirement(requires)
        } catch {
            throw .badChoice(error.problems)
        }
        // The title weakens nothing, so the present one is kept in all its languages unless the request has another.
        let other = request.title == present?.title ? nil : request.title.map { LocalizedText($0) }
        let title = other ?? present?.titles ?? LocalizedText(name)
        return GatedAction(
            title: title, requirement: requirement, keep: request.keep, style: present?.style ?? .sheet,
            moreTime: request.moreTime ?? (requirement.limitsTime ? present?.moreTime ?? [] : [])
        ).notation
    }

    /// Checks that the choice has no mistakes, and counts.
    private func check(_ policy: Policy) throws(GateError) {
        let name = request.gatedAction
        if let broken = policy.broken.first(where: { $0.file == GateChoice.fileName(of: name) }) {
            throw .badChoice(broken.problems)
        }
        let origin = PolicyOrigin.ofGate(name, in: policy)
        guard let origin, origin.layer == .choices else { throw .overruledChoice(name, by: origin) }
    }

    private func gate(in policy: Policy) -> ListedGate? {
        let name = request.gatedAction
        guard let action = policy.configuration.gatedActions.named(name) else { return nil }
        let conditions = ListedCondition.list(of: action.requirement)
        return ListedGate(
            gatedAction: GatedActionSummary(name: name, action, in: policy),
            conditions: conditions.reduce(0) { $0 + $1.weight } <= maximumConditions ? conditions : [],
            strength: GateStrength(OddsByAge(of: action.requirement, before: name, in: policy.configuration)))
    }
}

extension GatedActionSummary {
    init(name: String, _ action: GatedAction, in policy: Policy) {
        self.init(
            name: name, title: action.titles, requirement: action.requirement.text, keep: action.keep,
            origin: PolicyOrigin.ofGate(name, in: policy), moreTime: action.moreTime)
    }

    /// The rule in words, for the journal and for the grown-up who is asked. It is never cut, because the grant is for
    /// exactly these words.
    fileprivate var wholeText: String {
        requirement + (keep.map { ", not asked again for \($0.shortText)" } ?? "")
            + (moreTime.isEmpty ? "" : ", more time \(moreTime.moreTimeText)")
    }
}

extension GateStrength {
    init(_ odds: OddsByAge) {
        self.init(
            guessedPerMillion: Int((odds.likeliest.probability() * 1_000_000).rounded(.up)),
            programPasses: odds.programPasses, isWithoutQuestion: !odds.isGuessed)
    }
}

extension GateError {
    static func badChoice(_ problems: [PolicyProblem]) -> GateError {
        let lines = problems.prefix(GateError.toldIssues).map(\.description)
        return GateError(
            .failedPrecondition, .badPolicy,
            "This can't stand before the gated action; nothing was changed.\n" + lines.joined(separator: "\n"),
            all: problems.map(ErrorIssue.init))
    }

    static func overruledChoice(_ name: String, by origin: PolicyOrigin?) -> GateError {
        let place = origin?.description ?? "the policy"
        return GateError(
            .failedPrecondition, .badPolicy,
            "'\(name)' is set in \(place), which takes precedence. Change it there.",
            parameters: ["count": "1", "name": name, "overruled-by": place])
    }
}
