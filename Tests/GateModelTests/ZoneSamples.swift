import GateModel

/// Moments, and zones with the changes of 2026 as the zone database has them, for tests about days and hours.
protocol ZoneSamples {}

extension ZoneSamples {
    /// A moment in UTC, like "2026-03-29T01:00".
    static func utc(_ text: String) -> WallTime {
        let parts = text.split(separator: "T").map(String.init)
        let clock = parts[1].split(separator: ":").compactMap { Int64($0) }
        guard let day = CivilDate(parts[0]), clock.count == 2 else { preconditionFailure("no moment: \(text)") }
        return WallTime(unixMilliseconds: ((day.daysSince1970 * 24 + clock[0]) * 60 + clock[1]) * 60_000)
    }

    static func zone(_ minutes: Int, _ changes: (String, Int)...) -> ZoneOffsets {
        ZoneOffsets(
            minutesEastOfUTC: minutes,
            changes: changes.map { ZoneOffsets.Change(at: utc($0.0), minutesEastOfUTC: $0.1) })
    }

    static var berlin: ZoneOffsets { zone(60, ("2026-03-29T01:00", 120), ("2026-10-25T01:00", 60)) }
    static var newYork: ZoneOffsets { zone(-300, ("2026-03-08T07:00", -240), ("2026-11-01T06:00", -300)) }
    static var lordHowe: ZoneOffsets { zone(660, ("2026-04-04T15:00", 630), ("2026-10-03T15:30", 660)) }
    static var santiago: ZoneOffsets { zone(-180, ("2026-04-05T03:00", -240), ("2026-09-06T04:00", -180)) }
    static var kolkata: ZoneOffsets { zone(330) }
    static var saoPaulo: ZoneOffsets { zone(-180) }
}
