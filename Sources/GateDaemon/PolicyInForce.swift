import GateCore
import GateModel
public import GatePolicy
import Logging
import NIOCore
import NIOPosix
import TTRPCTransport

/// A policy, with the names in it as the ids of this device, and with what checks the receipts of its providers.
public struct PolicyInForce: Sendable {
    public let policy: Policy
    public let roles: RoleRules
    let verifiers: ReceiptVerifiers

    /// - Throws: where a root certificate of the providers is none.
    public init(policy: Policy, roles: RoleRules) throws(BadPolicy) {
        self.policy = policy
        self.roles = roles
        verifiers = try ReceiptVerifiers(policy.providers)
    }

    /// A line each, for people.
    public var description: [String] {
        policy.description + roles.description
    }

    /// Logs what forms ask for that Gate does not do.
    func logWarnings(to logger: Logger) {
        for warning in policy.warnings { logger.warning("\(warning)") }
    }

    /// For the journal, in a few words.
    var summary: String {
        let count = policy.configuration.gatedActions.count
        let files = policy.files.isEmpty ? "built-in policy" : "\(policy.files.count) policy files"
        return "\(files), \(count) gated actions"
    }
}

/// A policy that was read and can't be put into force.
public struct BadPolicy: Error, Hashable, Sendable {
    /// Not empty.
    public var problems: [PolicyProblem]

    public init(problems: [PolicyProblem]) {
        self.problems = problems
    }

    /// As the answer to the one who asked for a reload.
    var error: GateError {
        var lines = problems.prefix(GateError.toldIssues).map(\.description)
        if problems.count > lines.count { lines.append("and \(problems.count - lines.count) more") }
        return GateError(
            .failedPrecondition, .badPolicy,
            "The policy has mistakes; the one before stays in force.\n" + lines.joined(separator: "\n"),
            all: problems.map {
                ErrorIssue(
                    .file($0.file, line: $0.line, column: $0.column), kind: $0.kind, parameters: $0.parameters,
                    $0.message)
            })
    }
}

extension BadPolicy: CustomStringConvertible {
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension Authority {
    /// Reads the policy again, and puts it into force as a whole, or not at all. Returns what is in force.
    func reload(as peer: Peer, answer: @escaping @Sendable (Result<PolicyInForce, GateError>) -> Void) {
        // Files and the databases of users may be slow.
        readThread.urgently { [readPolicy, owners] in
            owners?.refresh()
            return Result { () throws(BadPolicy) in try readPolicy() }
        } then: { [self] in
            policyRead($0, as: peer, answer: answer)
        }
    }

    private func policyRead(
        _ read: Result<PolicyInForce, BadPolicy>, as peer: Peer,
        answer: @escaping @Sendable (Result<PolicyInForce, GateError>) -> Void
    ) {
        switch read {
        case .failure(let error):
            logger.error("the policy was refused; the one before stays in force: \(error)")
            answer(.failure(error.error))
        case .success(let new):
            submit(.configure(new.policy.configuration, detail: new.summary), as: peer) {
                // Before anybody is told: what a peer may see is part of what has changed.
                self.adopt(new)
            } answer: { [logger] result in
                if case .failure(let error) = result { logger.error("the policy was not put into force: \(error)") }
                answer(result.map { _ in new })
            }
        }
    }

    private func adopt(_ new: PolicyInForce) {
        inForce = new
        owners?.forgetAll()
        new.logWarnings(to: logger)
        var changed: Set<UInt64> = []
        for session in sessions.values {
            let roles = session.identity.roles(by: new.roles)
            guard session.peer.roles != roles else { continue }
            session.peer.roles = roles
            session.connection.maximumRequestBytes = limits.requestBytes(of: roles)
            changed.insert(session.peer.connection)
        }
        // Not back to false: another reload may become durable together with this one.
        if !changed.isEmpty { watches.haveRolesChanged = true }
        endStreams(.noLongerAdministrator) { session, kind in
            kind == .audit && !session.peer.roles.contains(.administrator)
        }
        endStreams(.noLongerPresenter) { session, kind in
            kind == .presenter && !session.peer.roles.contains(.presenter)
        }
        for presenter in presenters.ofConnections(changed) { registerAgain(presenter) }
        logger.info("the policy was read again", metadata: ["policy": "\(new.summary)"])
    }
}
