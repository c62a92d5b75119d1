import GateModel
import GateTexts
import Testing

@testable import gatectl

@Suite("Time that people use, in words (Z-02)")
struct UsageTextTests {
    @Test("what gatectl use says: how much time is left, and that it is over; nothing if something else allows the use")
    func notes() {
        func note(_ seconds: Int?, isOver: Bool = false) -> String? {
            UsageText.note(TimeLeft(left: seconds.map { .seconds($0) }, isOver: isOver))
        }
        #expect(note(300) == "Time left: 5 minutes.")
        #expect(note(0, isOver: true) == "The time is used up. The program is being closed.")
        #expect(note(0) == nil && note(nil) == nil)
    }

    @Test("a list says how much was used on other devices of the household, and names them as plain text")
    func elsewhere() {
        var time = UsedTime(
            person: "mia", uid: 1002, subject: .allowance("games"),
            day: CivilDate(WallTime(unixMilliseconds: 0)), used: .seconds(3300), left: .seconds(300), isToday: true,
            isRunning: false)
        #expect(UsageText.line(time) == "mia  games  55m  5m left")
        time.elsewhere = [
            UsedElsewhere(device: "Mia's tablet", used: .seconds(1230)),
            UsedElsewhere(device: "TV", used: .seconds(30)),
        ]
        #expect(
            UsageText.line(time)
                == "mia  games  55m (of it on Mia's tablet: 20m, of it on TV: 30s)  5m left")
        time.elsewhere = [UsedElsewhere(device: "a\u{1B}[2Jb", used: .seconds(60))]
        #expect(!UsageText.line(time).contains("\u{1B}"))
    }

    @Test("the list has whole minutes, as the page has, and seconds below one (Z-06)")
    func list() {
        func columns(_ used: Duration, left: Duration?, isRunning: Bool = false, isToday: Bool = true) -> [String] {
            let time = UsedTime(
                person: "Mia", uid: 1002, subject: .allowance("games"),
                day: CivilDate(WallTime(unixMilliseconds: 1_764_374_400_000)), used: used, left: left, isToday: isToday,
                isRunning: isRunning)
            return UsageText.columns(time, hasDays: !isToday)
        }
        #expect(
            columns(.seconds(2459), left: .seconds(1199), isRunning: true)
                == ["Mia", "games", "40m", "19m left, being used now"])
        #expect(columns(.seconds(3600), left: .zero) == ["Mia", "games", "1h", "used up"])
        #expect(columns(.zero, left: .seconds(3600)) == ["Mia", "games", "–", "1h left"])
        #expect(columns(.seconds(3555), left: .seconds(45)) == ["Mia", "games", "59m", "45s left"])
        // Rounded down: nobody has used more than is said, or plans with time that is not there.
        #expect(columns(.milliseconds(2012), left: .milliseconds(57_988)) == ["Mia", "games", "2s", "57s left"])
        let date = WritingHabits.ofPerson.date(atStartOf: "2025-11-29")
        #expect(columns(.seconds(59), left: nil, isToday: false) == ["Mia", "games", date, "59s", ""])
    }
}
