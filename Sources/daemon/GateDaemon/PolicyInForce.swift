import GateCore
import GateModel
public import GatePolicy
import Logging

/// A policy that can be put into force: with this device's ids in place of names, and with verifiers of receipts.
public struct PolicyInForce: Sendable {
    public let policy: Policy
    public let roles: RoleRules
    let verifiers: ReceiptVerifiers
    /// This device's files, as they were read for this policy; `nil` if it comes from no files.
    let files: DevicePolicyFiles?

    /// - Throws: `BadPolicy` if a root certificate of the providers can't be read.
    public init(policy: Policy, roles: RoleRules) throws(BadPolicy) {
        try self.init(policy: policy, roles: roles, files: nil)
    }

    init(policy: Policy, roles: RoleRules, files: DevicePolicyFiles?) throws(BadPolicy) {
        self.policy = policy
        self.roles = roles
        self.files = files
        verifiers = try ReceiptVerifiers(policy.providers)
    }

    /// One line for each fact, for people.
    public var description: [String] {
        policy.linesWithOrigins + roles.description.map(policy.withOrigins)
    }

    /// Logs the files and choices that are left out, and what the policy's forms ask for and Gate does not support.
    ///
    /// - Parameter earlier: a policy of the same files whose lines were logged already.
    func logWarnings(to logger: Logger, besides earlier: PolicyInForce? = nil) {
        let known = earlier?.policy
        for file in policy.broken where !(known?.broken.contains(file) ?? false) {
            for line in file.lines { logger.error("\(line)") }
        }
        for warning in policy.warnings where !(known?.warnings.contains(warning) ?? false) {
            logger.warning("\(warning)")
        }
    }

    /// For the journal.
    var summary: String {
        let actions = policy.configuration.gatedActions.count.times("gated action")
        let files = policy.files.isEmpty ? "built-in policy" : policy.files.count.times("policy file")
        let household = policy.configuration.householdPolicy.map { "household policy \($0), " } ?? ""
        return "\(household)\(files), \(actions)"
    }
}

/// Why a policy can't be put into force.
public struct BadPolicy: Error, Hashable, Sendable {
    /// Never empty.
    public var problems: [PolicyProblem]

    public init(problems: [PolicyProblem]) {
        self.problems = problems
    }

    /// The answer to a peer that asked for a reload.
    var error: GateError {
        var lines = problems.prefix(GateError.toldIssues).map(\.description)
        if problems.count > lines.count { lines.append("and \(problems.count - lines.count) more") }
        return GateError(
            .failedPrecondition, .badPolicy,
            "The policy has mistakes; the previous policy stays in force.\n" + lines.joined(separator: "\n"),
            all: problems.map(ErrorIssue.init))
    }
}

extension BadPolicy: CustomStringConvertible {
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension ErrorIssue {
    init(_ problem: PolicyProblem) {
        self.init(
            .file(problem.file, line: problem.line, column: problem.column), kind: problem.kind,
            parameters: problem.parameters, problem.message)
    }
}
