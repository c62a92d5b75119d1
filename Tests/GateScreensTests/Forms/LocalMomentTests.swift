import GateModel
import GateScreens
import Testing

@Suite("A date and a time with the time zone of the device")
struct LocalMomentTests {
    /// Central Europe, roughly: summer from April to October.
    private static func withZone(_ text: String) -> String {
        LocalMoment.withZone(text) { day, hour, _ in
            guard hour < 24 else { return nil }
            return (4...10).contains(day.month) ? 120 : 60
        }
    }

    @Test(
        "a typed moment gets the device's time zone of that moment, with or without seconds",
        arguments: [
            ("2026-01-31 18:30", "2026-01-31 18:30+01:00"), ("2026-07-31 18:30", "2026-07-31 18:30+02:00"),
            ("  2026-07-31   18:30 ", "2026-07-31 18:30+02:00"), ("2026-01-31T18:30:59", "2026-01-31T18:30:59+01:00"),
        ])
    func zone(text: String, expected: String) { #expect(Self.withZone(text) == expected) }

    @Test("zones behind UTC and with half hours are written right")
    func behind() {
        #expect(LocalMoment.withZone("2026-01-31 18:30") { _, _, _ in -210 } == "2026-01-31 18:30-03:30")
        #expect(LocalMoment.withZone("2026-01-31 18:30") { _, _, _ in 0 } == "2026-01-31 18:30+00:00")
    }

    @Test(
        "a text with a zone, or without a valid moment, stays as it was typed",
        arguments: [
            "2026-01-31 18:30Z", "2026-01-31 18:30+05:30", "2026-01-31", "18:30", "tomorrow at six", "",
            "2026-02-30 18:30", "2026-01-31 25:00",
        ])
    func others(text: String) { #expect(Self.withZone(text) == text) }
}
