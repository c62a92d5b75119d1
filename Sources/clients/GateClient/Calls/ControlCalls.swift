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

    /// The version of the daemon, and what it can do.
    public func version() async throws(GateError) -> DaemonVersion {
        let response = try await client.call(Methods.Control.version, GetVersionRequest())
        return DaemonVersion(
            version: response.version, wireProtocol: response.protocol, sqlite: response.sqlite,
            capabilities: response.capabilities)
    }

    /// The numbers that say how the daemon is. For administrators.
    public func statistics() async throws(GateError) -> DaemonStatistics {
        try await client.call(Methods.Control.statistics, GetStatisticsRequest())
    }

    /// The policy and the roles as they are now.
    public func policy() async throws(GateError) -> EffectivePolicy {
        let response = try await client.call(Methods.Control.policy, GetPolicyRequest())
        return EffectivePolicy(lines: response.inForce, summary: response.policy)
    }

    /// Has the daemon read its configuration again. For administrators.
    ///
    /// - Returns: the policy that is in force now.
    /// - Throws: `FAILED_PRECONDITION` where the configuration has mistakes; the one before stays in force.
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

    /// The journal of who did what, oldest first, each element the entries of whole revisions. For administrators.
    ///
    /// With `following` it goes on with what is new and, once it has begun, resumes by itself after the daemon was away;
    /// no entry is missing and none comes twice.
    ///
    /// - Parameters:
    ///   - revision: entries after this one; `nil`: from the oldest that is kept.
    ///   - last: only the newest so many of the past entries; `nil`: all.
    ///   - following: whether to stay for new entries.
    public func auditBatches(
        after revision: Revision? = nil, last: Int? = nil, following: Bool = false
    ) -> AuditSequence {
        AuditSequence(client: client, request: AuditRequest(after: revision, follow: following, last: last))
    }
}

/// A sign of life.
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
