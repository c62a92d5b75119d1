import ArgumentParser
import GateTexts
import Testing

@testable import gatectl

@Suite("Durations as people write them")
struct DurationTextTests {
    @Test(
        "a duration is numbers with units, the largest unit first",
        arguments: [
            ("90s", Duration.seconds(90)), ("5m", .seconds(300)), ("1h30m", .seconds(5400)), ("2h3m4s", .seconds(7384)),
            ("007s", .seconds(7)),
        ])
    func parses(text: String, duration: Duration) throws {
        #expect(try DurationText.parse(text) == duration)
    }

    @Test(
        "any other text is refused as a duration, and the refusal says what is allowed",
        arguments: [
            "", "5", "m", "0s", "-5m", "+5m", "5 m", "5m ", "1.5h", "5M", "30m1h", "5m5m", "5x",
            "99999999999999999999s", "9999999999999h", "5d", "5ms", "٣s",
            "1h30", "5min", "s5",
        ])
    func refuses(text: String) {
        #expect {
            try DurationText.parse(text)
        } throws: { error in
            (error as? ValidationError)?.message.contains("90s, 5m or 1h30m") == true
        }
    }

    @Test(
        "a measured duration has two or three digits and a suitable unit",
        arguments: [
            (UInt64(0), "0 µs"), (1, "1 µs"), (512, "512 µs"), (1024, "1.0 ms"), (2048, "2.0 ms"), (8192, "8.2 ms"),
            (9960, "10 ms"), (16384, "16 ms"), (131_072, "131 ms"), (1_048_576, "1.0 s"), (8_388_608, "8.4 s"),
        ])
    func measured(microseconds: UInt64, text: String) {
        #expect(DurationText.measured(microseconds: microseconds) == text)
    }

    @Test(
        "the time left is shown as a clock, rounded up",
        arguments: [
            (Duration.seconds(59), "0:59"), (.seconds(899), "14:59"), (.seconds(3600), "1:00:00"),
            (.seconds(3661), "1:01:01"), (.milliseconds(1), "0:01"), (.zero, "0:00"), (.seconds(-5), "0:00"),
            (.milliseconds(-1500), "0:00"), (.seconds(90_000), "25:00:00"),
        ])
    func clock(duration: Duration, text: String) {
        #expect(DurationWords.clock(duration) == text)
    }
}
