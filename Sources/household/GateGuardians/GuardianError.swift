package import GateModel

/// Which check something signed has failed, and how, for people. Nothing secret is in it.
package struct GuardianError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The check that failed.
    package var check: GuardianCheck
    /// A sentence that says what is wrong.
    package var message: String

    /// Makes an error of these values.
    package init(_ check: GuardianCheck, _ message: String) {
        self.check = check
        self.message = message
    }

    package var description: String { "\(check.rawValue): \(message)" }
}
