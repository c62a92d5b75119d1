public import GateModel
import GateProtocol

extension GateClient {
    /// How old a person is, as far as apps may know. See `GateClient.age`.
    public struct AgeCalls: Sendable {
        let client: GateClient
    }

    /// Calls about the age range of the person who uses the app, and about which apps may know it.
    public var age: AgeCalls { AgeCalls(client: self) }
}

extension GateClient.AgeCalls {
    /// The range of ages that the person of this app's user is in, if a grown-up lets this app know it. Returns at once;
    /// nobody is asked on a screen.
    ///
    /// A grown-up says how old the person is, and nobody has checked it. The answer can change on 1 January and on
    /// 1 July, and when a grown-up changes something, so ask at each start instead of keeping it. The app is known by
    /// `GateClientOptions.programName`: set it to the app's ID.
    ///
    /// ```swift
    /// let range = try await gate.age.range()
    /// let mayChat = (range?.low ?? 0) >= 16
    /// ```
    ///
    /// - Returns: `nil` if the app may not know it. The app can't find out why: no grown-up has answered, one has
    ///   refused, the age is not known, or age ranges are off. Treat it as the youngest age that the app knows.
    public func range() async throws(GateError) -> AgeRange? {
        try await client.call(Methods.Age.query, QueryAgeRangeRequest()).range
    }

    /// Whether apps are told age ranges at all, and where ranges begin. For the same people as `PeopleCalls.list`.
    public func settings() async throws(GateError) -> AgeSettings {
        try await client.call(Methods.Age.getSettings, GetAgeSettingsRequest()).settings
    }

    /// Turns age ranges on or off for all apps. For administrators, and for grown-ups from the session of their own
    /// Unix user, who are asked for the passcode first.
    ///
    /// - Parameters:
    ///   - isOn: if false, no app is told anything. The choices for apps remain.
    ///   - gates: the ages at which a new range begins: one to three between 2 and 25, ascending, at least two years
    ///     apart. If empty, they stay as they are.
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`) for other gates.
    @discardableResult
    public func set(isOn: Bool, gates: [Int] = []) async throws(GateError) -> AgeChange {
        let request = SetAgeSettingsRequest(isOn: isOn, gates: gates)
        return AgeChange(
            revision: try await client.change(Methods.Age.setSettings, request, asking: client.askedGrant).revision)
    }

    /// The apps that have asked, and what was chosen for them, sorted by person and app. For the same people as
    /// `PeopleCalls.list`.
    public func apps() async throws(GateError) -> [AgeApp] {
        try await client.allPages(of: Methods.Age.listApps) { ListAgeAppsRequest(pageToken: $0) }
    }

    /// Chooses whether an app gets the age range of a person. For the same people as `set(isOn:gates:)`.
    ///
    /// - Parameters:
    ///   - app: the app's name for itself, as `apps` lists it. Nobody checks it: any program of the person's user can
    ///     give itself this name.
    ///   - person: the name of the person on the list of people.
    /// - Throws: `NOT_FOUND` (`unknown`) if nobody has this name; `RESOURCE_EXHAUSTED` (`limit`) if the person has too
    ///   many apps.
    @discardableResult
    public func choose(_ choice: AgeChoice, for app: String, of person: String) async throws(GateError) -> AgeChange {
        let request = SetAgeChoiceRequest(person: person, app: app, choice: choice)
        return AgeChange(
            revision: try await client.change(Methods.Age.setChoice, request, asking: client.askedGrant).revision)
    }
}

/// The outcome of a change of the settings or the choices about age ranges.
public struct AgeChange: Hashable, Sendable {
    /// The revision from which on the change holds.
    public var revision: Revision

    package init(revision: Revision) {
        self.revision = revision
    }
}
