import GateCore
import GateModel
import GatePolicy
import GateProtocol

/// A requested change of an allowance or a schedule.
struct TimeRuleChanging: PolicyChanging {
    let basis: PolicyBasis
    private let request: SetTimeRuleRequest

    init(_ request: SetTimeRuleRequest, _ basis: PolicyBasis) {
        self.request = request
        self.basis = basis
    }

    var checkOnly: Bool { request.checkOnly }

    func prepared(_ read: PolicyReload.Reading) throws(GateError) -> PreparedChange<SetTimeRuleResponse> {
        let (kind, name) = (request.kind, request.name)
        guard kind != .unrecognized else { throw .invalid("kind", "'kind' is an allowance or a schedule.") }
        guard name.isDottedName else {
            throw .invalid(
                "name", "'name' is lower-case words of letters, digits and hyphens, joined by dots, like after-school.")
        }
        let choice = TimeRule.choiceName(kind, name)
        let notation = try notation(choice)
        let new = try basis.with(choice, notation, read)
        let old = basis.inForce.policy
        // A rule that is missing, or one too many, may break other choices and shipped files.
        let broken = new.policy.broken.filter { file in !old.broken.contains { $0.file == file.file } }
        if notation == nil {
            guard broken.isEmpty else {
                throw .neededChoice(choice, by: old.timeRule(kind, name)?.gatedActions ?? [])
            }
        } else {
            let own = new.policy.broken.first { $0.file == GateChoice.fileName(of: choice) }
            let problems = own?.problems ?? broken.flatMap(\.problems)
            guard problems.isEmpty else { throw .badChoice(problems) }
            let origin = new.policy.timeRule(kind, name)?.origin
            guard let origin, origin.layer == .choices else { throw .overruledChoice(choice, by: origin) }
        }
        // Only the device's own files may set the requirement of `gate.change`. So nobody can choose an allowance or a
        // schedule that this requirement names.
        for policy in [old, new.policy] where policy.isNeeded(kind, name, by: GatedAction.change) {
            throw .overruledChoice(
                GatedAction.change, by: policy.origins["gated-actions.\(GatedAction.change)"])
        }
        let (before, after) = (old.timeRule(kind, name), new.policy.timeRule(kind, name))
        let detail =
            "\(choice): \(new.policy.timeText(kind, name) ?? "none"); before: \(old.timeText(kind, name) ?? "none")"
        return PreparedChange(
            change: GateChange(
                name: choice, notation: notation, configuration: new.policy.configuration, detail: detail,
                grant: request.grant),
            new: new
        ) { SetTimeRuleResponse(before: before, after: after, revision: $0) }
    }

    /// The choice in the notation of policy files; `nil` if it is taken back.
    private func notation(_ choice: String) throws(GateError) -> String? {
        guard let given = request.notation else {
            guard basis.stored.choices[choice] != nil else { throw .noChoice(choice) }
            return nil
        }
        guard given.utf8.count <= GateChange.maximumGivenByteCount else {
            throw .invalid("notation", "'notation' has more than \(GateChange.maximumGivenByteCount) bytes.")
        }
        do throws(PolicyError) {
            return try PolicyReader.timeRule(request.kind, given)
        } catch {
            throw .badChoice(error.problems)
        }
    }
}

extension GateError {
    fileprivate static func neededChoice(_ name: String, by gatedActions: [String]) -> GateError {
        let names = gatedActions.prefix(toldIssues).joined(separator: ", ")
        return GateError(
            .failedPrecondition, .badPolicy,
            "The \(name) can't be taken back while these gates need it: \(names). Change them first.",
            parameters: ["count": "1", "name": name, "needed-by": names])
    }
}
