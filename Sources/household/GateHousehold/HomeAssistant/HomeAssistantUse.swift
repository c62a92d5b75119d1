import GateGuardians
package import GateModel

/// How much time people have used of each allowance today, in whole minutes, as published for Home Assistant. Gated
/// actions that need no allowance, and people who are no longer on the list, are left out.
package struct HomeAssistantUse: Hashable, Sendable {
    /// How long the broker keeps the message. It changes with each day, so that a device that no longer tells anything
    /// is forgotten.
    package static let life = Duration.seconds(36 * 3600)

    private let content: Content
    /// The names of the people by their own users: the first ones, if there are too many to have a sensor each.
    let names: [UInt32: String]

    /// - Parameter times: the time used today.
    package init(_ times: [UsedTime]) {
        var (day, people) = (CivilDate(WallTime(unixMilliseconds: 0)), [String: [String: Int64]]())
        var names: [UInt32: String] = [:]
        for time in times {
            guard case .allowance(let name) = time.subject, !time.person.isEmpty else { continue }
            day = max(day, time.day)
            people[time.person, default: [:]][name] = time.used.components.seconds / 60
            if names.count < HouseholdLimits.peopleOfHomeAssistant { names[time.uid] = time.person }
        }
        self.names = names
        content = Content(
            day: day.description, minutes: people.values.flatMap(\.values).reduce(0, +), people: people)
    }

    /// `{"day":"2026-11-29","minutes":40,"people":{"Mia":{"games":40}}}`
    package var json: [UInt8] { SortedJSON.bytes(of: content) }

    private struct Content: Hashable, Encodable {
        /// The newest day that is counted.
        var day: String
        /// Of all people together.
        var minutes: Int64
        /// By the person's name and the name of the allowance.
        var people: [String: [String: Int64]]
    }
}
