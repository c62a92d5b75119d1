public import GateModel
import GateProtocol

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
