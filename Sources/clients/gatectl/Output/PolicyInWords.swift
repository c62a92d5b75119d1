import GateClient
import GateModel
import GateProtocol
import GateTexts

extension Session {
    /// The policy in force, in lines for people. In English these are the daemon's own lines. In other languages they
    /// are made from the summary that the daemon sends for programs, and end with the number of warnings.
    func lines(of policy: EffectivePolicy) async -> [String] {
        guard Localization.isTranslating, let summary = policy.summary else { return policy.lines }
        do throws(GateError) {
            let count = policy.lines.count { $0.hasPrefix("warning:") }
            return try await lines(of: summary) + (count > 0 ? [Self.warnings(count)] : [])
        } catch {
            // The verb has succeeded already, so the policy is shown in any case.
            return policy.lines
        }
    }

    private static func warnings(_ count: Int) -> String {
        localized(
            "The policy has {count} warning, in English: `LC_ALL=C gatectl policy show`",
            plural: "The policy has {count} warnings, in English: `LC_ALL=C gatectl policy show`", count: count)
    }

    private func lines(of summary: PolicySummary) async throws(GateError) -> [String] {
        let written =
            summary.files.isEmpty
            ? localized("There are no files with rules. The built-in rules apply.")
            : ListText.things(summary.files)
        var lines = [
            ListText.pair(localized("Where this is written"), written),
            summary.line(localized("Parent mode"), PolicyWords.text(of: summary.modeChallenges), ["mode.challenge"]),
            summary.line(localized("How long"), PolicyWords.lease(summary), ["mode.lease", "mode.maximum-lease"]),
            summary.line(
                localized("Time for an answer"), DurationWords.text(summary.answerTime), ["mode.answer-time"]),
            summary.line(localized("Wrong answers"), PolicyWords.lockout(summary.lockout), ["lockout."]),
            summary.line(localized("Signing in"), PolicyWords.signIn(summary.signIn), ["sign-in."]),
        ]
        lines += try await gateLines()
        let entitlements = try await gate.call(Methods.Entitlements.get, GetEntitlementsRequest()).state.entitlements
        if !entitlements.isEmpty {
            lines.append(ListText.pair(localized("Purchases"), ListText.things(entitlements.map(\.id))))
        }
        let forms = try await gate.forms.list()
        if !forms.isEmpty { lines.append(ListText.pair(localized("Forms"), ListText.things(forms.map(\.name)))) }
        lines += summary.roles.filter { $0.userCount + $0.groupCount > 0 }
            .map { summary.line(PolicyWords.role($0.role), PolicyWords.names(of: $0), ["roles.\($0.role.key)."]) }
        if let browser = summary.browser { lines.append(summary.line(localized("Browser"), browser, ["browser"])) }
        if !summary.mistakes.isEmpty {
            lines.append(
                localized(
                    "Files with mistakes are left out, and their gates are denied; in English: `LC_ALL=C gatectl policy show`"
                ))
        }
        return lines + [
            localized("Which stores are believed, and the rest, in English: `LC_ALL=C gatectl policy show`")
        ]
    }

    private func gateLines() async throws(GateError) -> [String] {
        let gatedActions = try await gate.authorization.gatedActions()
        guard !gatedActions.isEmpty else {
            return [localized("The policy names no gated actions, so all are denied.")]
        }
        var lines: [String] = []
        for gatedAction in gatedActions {
            let title = gatedAction.titles.ofPerson
            let name = title.isEmpty ? gatedAction.name : ListText.noted(title, gatedAction.name)
            let kept = gatedAction.keep.map {
                localized("not asked again for {time}", ["time": DurationWords.text($0)])
            }
            let requirement = GateWords.requirement(try await gate.authorization.rule(of: gatedAction))
            let remarks = [requirement, kept].compactMap(\.self)
            lines.append(
                ListText.pair(name, ListText.remarks(remarks)) + (gatedAction.origin.map(\.bracketed) ?? ""))
        }
        return lines
    }
}

extension PolicySummary {
    /// A line of the policy, and where it was written.
    ///
    /// - Parameter settings: the settings that the line is about. A text that ends with a dot stands for all settings
    ///   that begin with it.
    fileprivate func line(_ name: String, _ value: String, _ settings: [String]) -> String {
        let places = origins.filter { origin in
            settings.contains { $0.hasSuffix(".") ? origin.setting.hasPrefix($0) : origin.setting == $0 }
        }
        // One place for each file is enough.
        var files: [String: PolicyOrigin] = [:]
        for place in places where files[place.origin.file] == nil { files[place.origin.file] = place.origin }
        let text = files.values.sorted { $0.description < $1.description }.map(\.bracketed).joined()
        return ListText.pair(name, value) + (text.isEmpty ? " [\(localized("built in"))]" : text)
    }
}

extension PolicyOrigin {
    /// The place where a line of the policy was written, in brackets, to be added to that line.
    fileprivate var bracketed: String { " [\(GateWords.origin(self, visible: VisibleText.line))]" }
}

extension RoleHolders.Role {
    fileprivate var key: String {
        switch self {
        case .administrator: "administrator"
        case .presenter: "presenter"
        case .grownUpPresenter: "grown-up-presenter"
        case .provider: "provider"
        case .broker: "broker"
        case .household: "household"
        case .timekeeper: "timekeeper"
        case .unrecognized: ""
        }
    }
}
