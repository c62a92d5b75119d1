import GateModel
import Testing

@Suite("Durations as text")
struct DurationTextTests {
    @Test(
        "a duration that is written is read back as the same one",
        arguments: [("30s", 30), ("1m30s", 90), ("15m", 900), ("1h", 3600), ("1h1s", 3601), ("24h", 86_400), ("0s", 0)])
    func roundTrip(text: String, seconds: Int64) {
        #expect(Duration.seconds(seconds).shortText == text)
        #expect(Duration(shortText: text) == .seconds(seconds))
    }

    @Test("seconds are rounded up, and less than nothing is nothing")
    func rounding() {
        #expect(Duration.milliseconds(1).shortText == "1s")
        #expect(Duration.milliseconds(59_001).shortText == "1m")
        #expect(Duration.seconds(-5).shortText == "0s")
        #expect(Duration.seconds(Int64.max).shortText == "2562047h47m17s")
    }

    @Test("a duration may have more than 59 minutes")
    func largeCounts() {
        #expect(Duration(shortText: "90m") == .seconds(5400))
    }

    @Test(
        "other texts are not read as durations",
        arguments: [
            "", "5", "m", "-5m", "+5m", "5 m", "1.5h", "5m5m", "5s1m", "5d", "1h ", "٥m", "9999999999999h",
            "99999999999999999999s",
        ])
    func refused(text: String) {
        #expect(Duration(shortText: text) == nil)
    }
}
