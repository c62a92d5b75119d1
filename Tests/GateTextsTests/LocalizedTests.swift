import GateModel
import GateTexts
import Testing

/// Texts without a catalogue: what a program shows until it has begun, and always where people read English.
@Suite("Translated texts with values")
struct LocalizedTests {
    @Test("values replace their names in a text, and a name inside a value is not replaced")
    func values() {
        #expect(localized("{a} and {b}, {a}", ["a": "{b}", "b": "2"]) == "{b} and 2, {b}")
        #expect(localized("{unknown} {", ["a": "1"]) == "{unknown} {")
        #expect(localized("} {a}", ["a": "1"]) == "} 1")
    }

    @Test("a context is for translators, and never shown (K-07)")
    func context() {
        #expect(localized("door", context: "of a house") == "door")
    }

    @Test("a count of one has a text of its own", arguments: [(0, "0 doors"), (1, "1 door"), (2, "2 doors")])
    func plural(count: Int, text: String) {
        #expect(localized("{count} door", plural: "{count} doors", count: count) == text)
    }

    @Test(
        "a duration is written in words",
        arguments: [
            (Duration.seconds(0), "0 seconds"), (.milliseconds(1), "1 second"), (.seconds(90), "1 minute 30 seconds"),
            (.seconds(3600), "1 hour"), (.seconds(-5), "0 seconds"),
        ])
    func durations(duration: Duration, text: String) {
        #expect(DurationWords.text(duration) == text)
    }

    @Test("in English a refusal is shown as the daemon's sentence")
    func refusal() {
        let error = GateError(.failedPrecondition, .lockedOut, "Locked for 30s.", retryAfter: .seconds(30))
        #expect(RefusalText.sentence(error) == "Locked for 30s.")
    }
}
