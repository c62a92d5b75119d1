package import GateModel

/// A check that a signed text failed. It holds nothing secret, so it can be logged and shown.
package struct GuardianError: Error, Hashable, Sendable, CustomStringConvertible {
    package var check: GuardianCheck
    package var message: String

    package init(_ check: GuardianCheck, _ message: String) {
        self.check = check
        self.message = message
    }

    package var description: String { "\(check.rawValue): \(message)" }
}
