import GateModel
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
}
