import GateModel
import GateTexts
import Testing

/// Texts without a catalogue: what a program shows until it has begun, and always where people read English.
@Suite("Texts and their values")
struct LocalizedTests {
    @Test("values stand where the text names them, and what is in a value is no name")
    func values() {
        #expect(localized("{a} and {b}, {a}", ["a": "{b}", "b": "2"]) == "{b} and 2, {b}")
        #expect(localized("{unknown} {", ["a": "1"]) == "{unknown} {")
        #expect(localized("} {a}", ["a": "1"]) == "} 1")
    }

    @Test("a context is for translators, and never shown (K-07)")
    func context() {
        #expect(localized("door", context: "of a house") == "door")
    }

    @Test("one has a text of its own", arguments: [(0, "0 doors"), (1, "1 door"), (2, "2 doors")])
    func plural(count: Int, text: String) {
        #expect(localized("{count} door", plural: "{count} doors", count: count) == text)
    }

    @Test(
        "a time in a sentence",
        arguments: [
            (Duration.seconds(0), "0 seconds"), (.milliseconds(1), "1 second"), (.seconds(90), "1 minute 30 seconds"),
            (.seconds(3600), "1 hour"), (.seconds(-5), "0 seconds"),
        ])
    func durations(duration: Duration, text: String) {
        #expect(DurationWords.text(duration) == text)
    }

    @Test("in English a refusal is the sentence that came with it")
    func refusal() {
        let error = GateError(.failedPrecondition, .lockedOut, "Locked for 30s.", retryAfter: .seconds(30))
        #expect(RefusalText.sentence(error) == "Locked for 30s.")
    }
}
