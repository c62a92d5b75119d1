import GateCore
import GateModel
import GatePolicy
import GateProtocol

/// A requested change of what stands before a gated action. Computes the policy with this change, and says what stands
/// before the action now and what would stand there. Files that were written since the last reload don't count.
struct GateChanging: Sendable {
    private let request: SetGateRequest
    /// What the store had of the policy when the change was asked for.
    let stored: StoredPolicy
    /// This device's files as the last reload before that had read them.
    let files: DevicePolicyFiles?
    /// The policy that was in force when the change was asked for.
    private let inForce: PolicyInForce
    /// The most conditions that an answer lists.
    private let maximumConditions: Int

    /// A change that can be made.
    struct Prepared: Sendable {
        let change: GateChange
        let new: PolicyInForce
        let before: ListedGate?
        let after: ListedGate?

        /// - Parameter revision: `nil` if nothing was changed.
        func response(at revision: Revision?) -> SetGateResponse {
            SetGateResponse(before: before, after: after, revision: revision)
        }
    }

    init(
        _ request: SetGateRequest, stored: StoredPolicy, files: DevicePolicyFiles?, inForce: PolicyInForce,
        maximumConditions: Int
    ) {
        self.request = request
        self.stored = stored
        self.files = files
        self.inForce = inForce
        self.maximumConditions = maximumConditions
    }

    /// - Parameter read: reads the whole policy; it may block.
    func prepared(_ read: PolicyReload.Reading) throws(GateError) -> Prepared {
        let name = request.gatedAction
        let notation = try notation()
        var with = stored
        with.choices[name] = notation
        let new: PolicyInForce
        do throws(BadPolicy) {
            new = try read(with, files)
        } catch {
            throw error.error
        }
        if notation != nil { try check(new.policy) }
        let (before, after) = (gate(in: inForce.policy), gate(in: new.policy))
        var detail =
            "\(name): \(after?.gatedAction.wholeText ?? "denied"); "
            + "before: \(before?.gatedAction.wholeText ?? "denied")"
        if let title = request.title, title != before?.gatedAction.title {
            detail += "; title: \(title)"
            let languages = before?.gatedAction.titles.translations.map(\.language) ?? []
            if !languages.isEmpty { detail += ", instead of titles in \(languages.joined(separator: ", "))" }
        }
        return Prepared(
            change: GateChange(
                gatedAction: name, notation: notation, configuration: new.policy.configuration, detail: detail,
                grant: request.grant),
            new: new, before: before, after: after)
    }

    /// The most bytes of a requirement in the notation of policy files.
    private static let maximumRequiresByteCount = 4096

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
            guard stored.choices[name] != nil else { throw .noChoice(name) }
            return nil
        }
        guard name != GatedAction.change else { throw .notChosen }
        guard requires.utf8.count <= Self.maximumRequiresByteCount else {
            throw .invalid("requirement", "'requirement' has more than \(Self.maximumRequiresByteCount) bytes.")
        }
        guard request.moreTime?.count ?? 0 <= PolicyLimits.choices else {
            throw .invalid("more_time", "'more_time' has more than \(PolicyLimits.choices) amounts.")
        }
        if let keep = request.keep, keep.components.attoseconds != 0 {
            throw .invalid("keep_milliseconds", "'keep_milliseconds' is a number of whole seconds.")
        }
        let present = inForce.policy.configuration.gatedActions.named(name)
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

    /// What it requires, for the journal and the grown-up who is asked. Never cut: a grant is for exactly these words.
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
    fileprivate static func badChoice(_ problems: [PolicyProblem]) -> GateError {
        let lines = problems.prefix(GateError.toldIssues).map(\.description)
        return GateError(
            .failedPrecondition, .badPolicy,
            "This can't stand before the gated action; nothing was changed.\n" + lines.joined(separator: "\n"),
            all: problems.map {
                ErrorIssue(
                    .file($0.file, line: $0.line, column: $0.column), kind: $0.kind, parameters: $0.parameters,
                    $0.message)
            })
    }

    fileprivate static func overruledChoice(_ name: String, by origin: PolicyOrigin?) -> GateError {
        let place = origin?.description ?? "the policy"
        return GateError(
            .failedPrecondition, .badPolicy,
            "What stands before '\(name)' is written in \(place), which counts more than a choice. Change it there.",
            parameters: ["count": "1", "name": name, "overruled-by": place])
    }
}
