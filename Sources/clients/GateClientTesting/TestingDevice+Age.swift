public import GateClient

extension TestingDevice {
    /// Sets the answer that an app gets when it asks for an age range (`AgeCalls.range()`). As if a grown-up of the
    /// family had done it, the user becomes a person of this age, the device gets gates that fit, and the app may
    /// always know the range.
    ///
    /// As on a real device, the range can become the next one when the clock is turned past 1 January or 1 July. The gates are
    /// those of the whole device, so another user's range may change with them.
    ///
    /// - Parameters:
    ///   - range: its bounds are from 1 to 25, at least two years apart; a grown-up's has a lower one alone, of 18 at
    ///     most. `nil`: nothing is told.
    ///   - app: the app's name for itself, as in `client(_:programName:)`; `nil`: the name that a client has by default.
    ///   - seat: the user of the app.
    /// - Throws: `INVALID_ARGUMENT` if no device can tell this range; the errors of `AgeCalls.choose(_:for:of:)`.
    public func setAgeRange(
        _ range: AgeRange?, toldTo app: String? = nil, of seat: Seat = .app
    ) async throws(GateError) {
        let app = app ?? GateClientOptions().programName
        let today = CivilDate(now)
        try await asAdministrator { client throws(GateError) in
            let known = try await client.people.list().first { $0.user?.uid == seat.uid }?.name
            guard let range, range.low != nil || range.high != nil else {
                if let known { try await client.age.choose(.never, for: app, of: known) }
                return
            }
            let name = known ?? seat.name
            let user = GatePerson.UnixUser(name: "user\(seat.uid)", uid: seat.uid)
            try await client.people.set(GatePerson(name: name, kind: range.kind(on: today), user: user))
            // The device's gates stay if they have this range.
            let isThere = try await client.age.settings().ranges.contains { $0 == range.low && $1 == range.high }
            let gates = [range.low, range.high.map { $0 + 1 }].compactMap(\.self)
            try await client.age.set(isOn: true, gates: isThere ? [] : gates)
            try await client.age.choose(.always, for: app, of: name)
        }
    }
}

extension AgeRange {
    /// Somebody who is in this range on this day, and for some time after it.
    fileprivate func kind(on day: CivilDate) -> GatePerson.Kind {
        guard source != .grownUp else { return .grownUp }
        // A birthday in the half of a year that ended before the present one began.
        let age = low ?? max(0, (high ?? 0) - 1)
        let isFirstHalf = day.month <= 6
        return .child(
            born: CivilDate(year: day.year - age - (isFirstHalf ? 1 : 0), month: isFirstHalf ? 10 : 4, day: 1))
    }
}
