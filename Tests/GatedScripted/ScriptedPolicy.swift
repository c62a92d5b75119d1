import Foundation
import GateModel
import GatePolicy
import Glibc

/// The source of a script's policy: the first of these that is given.
struct ScriptedPolicy: Sendable {
    /// A configuration directory, as for gated.
    let directory: String?
    /// The text of a policy.
    let file: String?
    /// The challenge before parent mode; everything else is built in.
    let challenge: Challenge.Kind

    /// - Parameter choices: what grown-ups have chosen to stand before gated actions.
    func read(_ choices: [String: String]) throws(PolicyError) -> Policy {
        if let directory {
            return try PolicyReader.read(
                directory: directory, shipped: nil, trustedOwners: [0, geteuid()], choices: choices)
        }
        guard let file else {
            return Policy(configuration: Configuration(modeChallenge: challenge))
        }
        let text: String
        do {
            text = try String(contentsOfFile: file, encoding: .utf8)
        } catch {
            throw PolicyError(problems: [
                PolicyProblem(file: file, message: "It can't be read: \(error).", kind: .security)
            ])
        }
        return try PolicyReader.read([PolicySource(name: file, text: text)], household: nil, choices: choices)
    }
}

extension Configuration {
    /// The built-in policy with another challenge for the mode.
    fileprivate init(modeChallenge: Challenge.Kind) {
        self = .builtIn
        self.modeChallenge = ChallengeRule(modeChallenge)
    }
}
