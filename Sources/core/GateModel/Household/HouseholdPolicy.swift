/// The policy that a household publishes for all its devices, signed with the household's key. A device that accepts it
/// (`HouseholdSettings.takesPolicy`) reads it together with its own files. It can give nobody a role, and name no
/// program to run.
package struct HouseholdPolicy: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        /// The path relative to the configuration directory, like `policy.d/bedtime.yaml`.
        package var path: String
        package var text: String

        package init(path: String, text: String) {
            self.path = path
            self.text = text
        }
    }

    package static let maximumFiles = 500
    package static let maximumPathByteCount = 128
    package static let maximumNumber: UInt64 = 1 << 45

    package var household: HouseholdID
    /// Each new policy has a higher number.
    package var number: UInt64
    package var issued: WallTime
    /// No path occurs twice.
    package var files: [File]

    package init(household: HouseholdID, number: UInt64, issued: WallTime, files: [File]) {
        self.household = household
        self.number = number
        self.issued = issued
        self.files = files
    }

    /// For people, like "household policy 7".
    package var name: String { "household policy \(number)" }

    /// For messages, like "household policy 7: policy.d/bedtime.yaml".
    package func name(of file: File) -> String { "\(name): \(file.path)" }
}

package struct HouseholdPolicyRefusal: Hashable, Sendable {
    package var number: UInt64
    /// An English text.
    package var message: String

    package static let maximumMessageByteCount = 4096

    package init(number: UInt64, message: String) {
        self.number = number
        self.message = message
    }
}
