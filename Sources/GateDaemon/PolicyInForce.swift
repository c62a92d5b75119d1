import GateCore
import GateModel
public import GatePolicy
import Logging

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
    /// Each with its file, line and column. Not empty.
    public var problems: [String]

    public init(problems: [String]) {
        self.problems = problems
    }

    /// As the answer to the one who asked for a reload.
    /// - Parameter limit: how many problems are told.
    func error(limit: Int) -> GateError {
        var lines = problems.prefix(limit)
        if problems.count > limit { lines.append("and \(problems.count - limit) more") }
        return GateError(
            .failedPrecondition, .badPolicy,
            "The policy has mistakes; the one before stays in force.\n" + lines.joined(separator: "\n"),
            parameters: ["count": "\(problems.count)"])
    }
}

extension BadPolicy: CustomStringConvertible {
    public var description: String { problems.joined(separator: "\n") }
}
