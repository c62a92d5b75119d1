/// The policy that a household has for all of its devices, as the household's key has signed it (H-06). Each device reads it together with its
/// own files.
package struct HouseholdPolicy: Hashable, Sendable {
    /// A file of it.
    package struct File: Hashable, Sendable {
        /// From the configuration directory: `policy.d/bedtime.yaml`.
        package var path: String
        /// Its content.
        package var text: String

        /// Makes a file of these values.
        package init(path: String, text: String) {
            self.path = path
            self.text = text
        }
    }

    /// How many files one may have.
    package static let maximumFiles = 500
    /// The longest path, in UTF-8.
    package static let maximumPathByteCount = 128
    /// The highest number.
    package static let maximumNumber: UInt64 = 1 << 45

    /// The household.
    package var household: HouseholdID
    /// Grows with each policy.
    package var number: UInt64
    /// When it was signed.
    package var issued: WallTime
    /// The files. Each path is there once.
    package var files: [File]

    /// Makes a policy of these values.
    package init(household: HouseholdID, number: UInt64, issued: WallTime, files: [File]) {
        self.household = household
        self.number = number
        self.issued = issued
        self.files = files
    }

    /// The name that people read: "household policy 7".
    package var name: String { "household policy \(number)" }

    /// The name of one of its files in messages: "household policy 7: policy.d/bedtime.yaml".
    package func name(of file: File) -> String { "\(name): \(file.path)" }
}

/// Why a policy of the household was not taken.
package struct HouseholdPolicyRefusal: Hashable, Sendable {
    /// Its number.
    package var number: UInt64
    /// An English text for people.
    package var message: String

    /// The longest message, in UTF-8.
    package static let maximumMessageByteCount = 4096

    /// Makes a refusal of these values.
    package init(number: UInt64, message: String) {
        self.number = number
        self.message = message
    }
}
