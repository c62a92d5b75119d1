import GateModel
import Testing

@testable import GateTexts

@Suite("Time that is left, in words (Z-03)")
struct TimeLeftWordsTests {
    @Test("the name of an allowance is read as words")
    func name() {
        let names = ["games", "school-films", "a.b", "x", ""]
        #expect(
            names.map { TimeLeftWords.name(ofAllowance: $0) } == ["Games", "School films", "A b", "X", ""])
    }

    @Test("minutes are rounded up, and at least one is left")
    func warning() {
        let milliseconds = [300_000, 299_001, 240_000, 60_001, 60_000, 1, 0, -5]
        #expect(
            milliseconds.map { TimeLeftWords.warning(.milliseconds($0), "Games") } == [
                "5 minutes left: Games", "5 minutes left: Games", "4 minutes left: Games", "2 minutes left: Games",
                "1 minute left: Games", "1 minute left: Games", "1 minute left: Games", "1 minute left: Games",
            ])
    }

    @Test("the end says when there is more, if the refusal does")
    func again() {
        #expect(TimeLeftWords.again(["day": "tomorrow", "time": "9:00"]) == "Again tomorrow at 9:00.")
        #expect(TimeLeftWords.again(["day": "friday", "time": "15:00"]) == "Again Friday at 15:00.")
        #expect(TimeLeftWords.again(["day": "today"]) == nil && TimeLeftWords.again([:]) == nil)
        #expect(TimeLeftWords.over("Games", isForToday: true) == "Time is over for today: Games")
        #expect(TimeLeftWords.over("Games", isForToday: false) == "Time is over for now: Games")
    }

    @Test("what is left today is said in whole minutes, and its last minute in seconds")
    func today() {
        let seconds = [3660, 3599, 61, 59, 1, 0, -1]
        #expect(
            seconds.map { TimeLeftWords.today(.seconds($0)) } == [
                "1 hour 1 minute left today", "59 minutes left today", "1 minute left today",
                "59 seconds left today", "1 second left today", "used up for today", "used up for today",
            ])
    }
}
