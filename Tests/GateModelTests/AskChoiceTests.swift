import GateModel
import Testing

@Suite("What a yes to a question can allow, in words, and when a day ends (W-04)")
struct AskChoiceTests: ZoneSamples {
    @Test("each choice has a word that is read back")
    func words() {
        let choices = AskChoice.named + [.time(.seconds(60)), .time(.seconds(5400))]
        #expect(choices.map(\.text) == ["once", "today", "always", "this-site", "1m", "1h30m"])
        for choice in choices { #expect(AskChoice(text: choice.text) == choice) }
        #expect(AskChoice(text: "90m") == .time(.seconds(5400)))
        for text in ["", "Once", "ever", "this site", "0m", "-1m", "30", "1d", "unrecognized"] {
            #expect(AskChoice(text: text) == nil, "\(text)")
        }
    }

    @Test("a day ends at midnight by the device's clock, also where summer time makes it longer or shorter")
    func days() {
        // Cairo's clock skips the hour after midnight, and Havana's has it twice.
        let cairo = Self.zone(120, ("2026-04-23T22:00", 180))
        let havana = Self.zone(-240, ("2026-11-01T05:00", -300))
        // In St. John's the clock was once set back from 0:01 to 23:01. The day that had begun counts.
        let stJohns = Self.zone(-150, ("2010-11-07T02:31", -210))
        for (zone, moment, end) in [
            (Self.zone(0), "2026-12-31T23:59", "2027-01-01T00:00"),
            (Self.zone(0), "2027-01-01T00:00", "2027-01-02T00:00"),
            (Self.zone(330), "2026-06-01T18:29", "2026-06-01T18:30"),
            (Self.zone(-570), "2026-06-01T09:29", "2026-06-01T09:30"),
            (Self.berlin, "2026-03-28T22:59", "2026-03-28T23:00"),
            (Self.berlin, "2026-03-28T23:00", "2026-03-29T22:00"),
            (Self.berlin, "2026-10-24T22:00", "2026-10-25T23:00"),
            (Self.berlin, "2026-10-25T22:59", "2026-10-25T23:00"),
            (cairo, "2026-04-23T21:59", "2026-04-23T22:00"), (cairo, "2026-04-23T22:00", "2026-04-24T21:00"),
            (havana, "2026-11-01T03:59", "2026-11-01T04:00"), (havana, "2026-11-01T04:30", "2026-11-02T05:00"),
            (havana, "2026-11-01T05:30", "2026-11-02T05:00"),
            (stJohns, "2010-11-07T02:29", "2010-11-07T02:30"), (stJohns, "2010-11-07T02:40", "2010-11-08T03:30"),
        ] {
            #expect(zone.endOfDay(at: Self.utc(moment)) == Self.utc(end), "\(moment)")
        }
    }
}
