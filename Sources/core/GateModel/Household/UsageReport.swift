/// A device's signed report to the household's other devices about the time that people have used on it. The others add
/// this time to their own, so that an allowance of an hour is one hour on all devices together.
package struct UsageReport: Hashable, Sendable {
    /// The use of one allowance by one person.
    package struct Use: Hashable, Sendable {
        /// The name on the list of people. A person of the same name on another device is taken for the same one.
        package var person: String
        /// The name of the allowance in the policy. An allowance of the same name on another device is the same one.
        package var allowance: String
        /// Milliseconds by the number of the day (`UsageDay.number`), as the reporting device counts its days.
        package var days: [Int64: Int64]

        package init(person: String, allowance: String, days: [Int64: Int64]) {
            (self.person, self.allowance, self.days) = (person, allowance, days)
        }
    }

    package var household: HouseholdID
    /// The device on which the time was used.
    package var device: HouseholdID
    /// By person, then by allowance.
    package var uses: [Use]

    /// The most uses in a report, and the most days of each: those of a week.
    package static let maximumUses = 64
    package static let maximumDays = 7
    /// The days up to the end of the year 9999, whose dates have four digits. Only a very wrong clock counts on other
    /// days, and these are not reported.
    package static let knownDays: ClosedRange<Int64> = 0...2_932_896
    /// The most time that a device reports for a day, even for one on which summer time ends.
    package static let millisecondsOfDay: Int64 = 24 * 3_600_000
    /// The longest name of an allowance in a report, in bytes.
    package static let maximumNameByteCount = 128

    package init(household: HouseholdID, device: HouseholdID, uses: [Use]) {
        (self.household, self.device, self.uses) = (household, device, uses)
    }
}

/// The report of this device on its way to the others.
package struct OutgoingUsage: Hashable, Sendable {
    /// Counts the changes.
    package var change: UInt64
    /// A JWS in compact form; empty if this device reports nothing.
    package var signed: [UInt8]

    package init(change: UInt64, signed: [UInt8]) {
        (self.change, self.signed) = (change, signed)
    }
}
