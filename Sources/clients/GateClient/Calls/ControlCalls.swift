public import GateModel
package import GateProtocol

extension GateClient {
    /// Calls about the daemon itself.
    public struct ControlCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.ControlCalls {
    /// Asks whether the daemon answers.
    @discardableResult
    public func ping() async throws(GateError) -> PingReply {
        PingReply(revision: try await client.call(Methods.Control.ping, PingRequest()).revision)
    }

    /// The daemon's version and its capabilities.
    public func version() async throws(GateError) -> DaemonVersion {
        let response = try await client.call(Methods.Control.version, GetVersionRequest())
        return DaemonVersion(
            version: response.version, wireProtocol: response.protocol, sqlite: response.sqlite,
            capabilities: response.capabilities)
    }

    /// Numbers about the daemon's condition. For administrators.
    public func statistics() async throws(GateError) -> DaemonStatistics {
        try await client.call(Methods.Control.statistics, GetStatisticsRequest())
    }

    /// The policy and the roles that are in force now.
    public func policy() async throws(GateError) -> EffectivePolicy {
        let response = try await client.call(Methods.Control.policy, GetPolicyRequest())
        return EffectivePolicy(lines: response.inForce, summary: response.policy)
    }

    /// Makes the daemon read its configuration again. For administrators.
    ///
    /// - Returns: the policy that is in force now.
    /// - Throws: `FAILED_PRECONDITION` if the configuration has mistakes; the previous one remains in force then.
    @discardableResult
    public func reload() async throws(GateError) -> EffectivePolicy {
        let response = try await client.call(Methods.Control.reload, ReloadRequest())
        return EffectivePolicy(lines: response.inForce, summary: response.policy)
    }

    /// Changes what stands before a gated action, durably. The choice counts more than the shipped defaults, and less
    /// than the household's policy and the files in `/etc/gate`. For administrators; grown-ups are asked for the
    /// passcode first, in the session of their own user.
    ///
    /// ```swift
    /// try await gate.control.setGate("link.open", requires: "{challenge: {ages: {0-8: shapes, 9+: passcode}}}")
    /// ```
    ///
    /// - Parameters:
    ///   - requires: in the notation of policy files. A kind of challenge alone, or `parent`, is enough.
    ///   - keep: for how long a user is not asked again after an answer; `nil`: the user is asked every time.
    ///   - title: what people read; `nil`: the title that it has now, or its name.
    ///   - onlyChecking: whether only the result is wanted, and nothing is changed.
    /// - Returns: what stood before the gated action, and what stands before it now.
    /// - Throws: `FAILED_PRECONDITION` (`badPolicy`) if the choice does not fit the policy, or a later layer says what
    ///   the action requires.
    @discardableResult
    public func setGate(
        _ gatedAction: String, requires: String, keep: Duration? = nil, title: String? = nil, onlyChecking: Bool = false
    ) async throws(GateError) -> ChangedGate {
        try await setGate(
            gatedAction, requires: requires, keep: keep, title: title, moreTime: nil, onlyChecking: onlyChecking)
    }

    /// - Parameter moreTime: how much more time can be asked for; `nil`: as now, if the requirement limits time.
    package func setGate(
        _ gatedAction: String, requires: String, keep: Duration?, title: String?, moreTime: [AskChoice]?,
        onlyChecking: Bool
    ) async throws(GateError) -> ChangedGate {
        // An empty text would take the choice back.
        let request = SetGateRequest(
            gatedAction: gatedAction, requires: requires.isEmpty ? "{}" : requires, keep: keep, title: title,
            moreTime: moreTime, checkOnly: onlyChecking)
        return try await change(request)
    }

    private func change(_ request: SetGateRequest) async throws(GateError) -> ChangedGate {
        ChangedGate(try await client.change(Methods.Control.setGate, request, asking: client.askedGrant))
    }

    /// Takes back what was chosen with `setGate`, so that the shipped defaults count again. The same users may call it.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`) if nothing was chosen.
    @discardableResult
    public func unsetGate(_ gatedAction: String, onlyChecking: Bool = false) async throws(GateError) -> ChangedGate {
        try await change(SetGateRequest(gatedAction: gatedAction, requires: nil, checkOnly: onlyChecking))
    }

    /// Changes an allowance or a schedule, durably, in the same way as `setGate` and for the same people. Gated actions
    /// that are chosen can need it: `{allowance: games}`. All that there are: ``PolicySummary/timeRules``.
    ///
    /// ```swift
    /// try await gate.control.setTimeRule(.allowance, "games", notation: "{mon-fri: 1h, sat-sun: 2h}")
    /// ```
    ///
    /// - Parameters:
    ///   - notation: in the notation of policy files, like `{mon-fri: 15:00-19:00}` for a schedule.
    ///   - onlyChecking: whether only the result is wanted, and nothing is changed.
    /// - Throws: `FAILED_PRECONDITION` (`badPolicy`) if it has mistakes, or a later layer has one of this name.
    @discardableResult
    public func setTimeRule(
        _ kind: TimeRule.Kind, _ name: String, notation: String, onlyChecking: Bool = false
    ) async throws(GateError) -> ChangedTimeRule {
        // An empty text would take the choice back.
        try await change(
            SetTimeRuleRequest(
                kind: kind, name: name, notation: notation.isEmpty ? "{}" : notation, checkOnly: onlyChecking))
    }

    /// Takes back what was chosen with `setTimeRule`.
    ///
    /// - Throws: `FAILED_PRECONDITION` (`badPolicy`) while gated actions need it: the parameter `needed-by` names them;
    ///   `NOT_FOUND` (`unknown`) if nothing was chosen.
    @discardableResult
    public func unsetTimeRule(
        _ kind: TimeRule.Kind, _ name: String, onlyChecking: Bool = false
    ) async throws(GateError) -> ChangedTimeRule {
        try await change(SetTimeRuleRequest(kind: kind, name: name, notation: nil, checkOnly: onlyChecking))
    }

    private func change(_ request: SetTimeRuleRequest) async throws(GateError) -> ChangedTimeRule {
        ChangedTimeRule(try await client.change(Methods.Control.setTimeRule, request, asking: client.askedGrant))
    }

    /// Opens Gate again after a damaged store was set aside. For administrators.
    ///
    /// - Throws: `FAILED_PRECONDITION` (`notDamaged`).
    @discardableResult
    public func recover() async throws(GateError) -> StoreRecovery {
        let response = try await client.call(Methods.Control.recover, RecoverRequest())
        return StoreRecovery(damagedStorePath: response.quarantinedFile, revision: response.revision)
    }

    /// The journal, which records who did what: oldest entries first, each element with the entries of whole revisions.
    /// For administrators.
    ///
    /// With `following`, the sequence waits for new entries. Once it has returned some, it reconnects by itself if the
    /// daemon was away; no entry is missing or repeated.
    ///
    /// - Parameters:
    ///   - revision: only entries after this revision; `nil`: from the oldest one that is kept.
    ///   - last: only this many of the past entries, the newest; `nil`: all.
    ///   - following: whether to wait for new entries.
    public func auditBatches(
        after revision: Revision? = nil, last: Int? = nil, following: Bool = false
    ) -> AuditSequence {
        AuditSequence(client: client, request: AuditRequest(after: revision, follow: following, last: last))
    }
}

extension ChangedGate {
    package init(_ response: SetGateResponse) {
        self.init(
            before: response.before.map { GateRule($0) }, after: response.after.map { GateRule($0) },
            revision: response.revision)
    }
}

extension ChangedTimeRule {
    package init(_ response: SetTimeRuleResponse) {
        self.init(before: response.before, after: response.after, revision: response.revision)
    }
}

extension GateRule {
    fileprivate init(_ gate: ListedGate) {
        self.init(
            gatedAction: gate.gatedAction, strength: gate.strength, requirement: Requirement(gate.conditions))
    }
}

/// The daemon's reply to a ping.
public struct PingReply: Hashable, Sendable {
    /// The newest revision that is on the daemon's disk.
    public var revision: Revision

    package init(revision: Revision) {
        self.revision = revision
    }
}

/// A damaged store that was replaced by a new one.
public struct StoreRecovery: Hashable, Sendable {
    /// The path that the damaged store was moved to.
    public var damagedStorePath: String
    /// The first revision of the new store.
    public var revision: Revision

    package init(damagedStorePath: String, revision: Revision) {
        self.damagedStorePath = damagedStorePath
        self.revision = revision
    }
}
