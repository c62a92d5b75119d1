import GateModel
import GateScreens
import Testing

@Suite("Notifications about questions, after the presenter was started anew (W-03, W-06)")
struct ToldBeforeTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)
    private static let later = start.advanced(by: .seconds(2))
    private static let mia: UInt32 = 1002

    private static func ask(
        _ id: UInt64, _ state: Ask.State = .waiting, choice: AskChoice? = nil, isMoreTime: Bool = false
    ) -> Ask {
        Ask(
            id: id, uid: mia, person: "Mia", gatedAction: "link.open",
            titles: isMoreTime ? "More time: Open a web page" : "Open a web page", details: "",
            state: state, ends: WallTime(unixMilliseconds: 1_773_144_000_000), choice: choice, isMoreTime: isMoreTime)
    }

    /// A presenter that remembers this, is told of these asks, and had the pause in which they are gathered.
    private static func told(
        _ asks: [Ask], _ subject: AskNoticeStateMachine.Subject = .waiting, remembered: Set<String> = []
    ) -> AskNoticeStateMachine {
        var machine = AskNoticeStateMachine(
            subject, for: subject == .waiting ? 1000 : mia, languages: [], remembered: remembered)
        machine.asksChanged(to: asks, at: start)
        machine.timePassed(at: later)
        return machine
    }

    @Test("what was told is not told again, and what came meanwhile is")
    func once() {
        let first = Self.told([Self.ask(12)])
        #expect(first.notice != nil && first.remembered == ["12 waiting"])
        let second = Self.told([Self.ask(12)], remembered: first.remembered)
        #expect(second.notice == nil && second.remembered == first.remembered)
        let third = Self.told([Self.ask(12), Self.ask(13)], remembered: first.remembered)
        #expect(third.notice?.title == "Mia asks: Open a web page")
        #expect(third.remembered == ["12 waiting", "13 waiting"])
    }

    @Test("an answer is news, although the question was told, and is told once, too")
    func answers() {
        let waiting = Self.told([Self.ask(12)])
        let yes = Self.told([Self.ask(12, .allowed)], .answered, remembered: waiting.remembered)
        #expect(yes.notice?.title == "A grown-up said yes" && yes.remembered == ["12 allowed"])
        #expect(Self.told([Self.ask(12, .allowed)], .answered, remembered: yes.remembered).notice == nil)
    }

    @Test("what was not told yet is not remembered, and what is over is forgotten")
    func forgotten() {
        var machine = AskNoticeStateMachine(.waiting, for: 1000, languages: [], remembered: ["11 waiting"])
        // Before the daemon has said anything, nothing is forgotten.
        #expect(machine.remembered == ["11 waiting"])
        machine.asksChanged(to: [Self.ask(12)], at: Self.start)
        #expect(machine.remembered.isEmpty)
        machine.timePassed(at: Self.later)
        #expect(machine.remembered == ["12 waiting"])
        machine.asksChanged(to: [], at: Self.later)
        #expect(machine.remembered.isEmpty)
    }

    @Test("only the first list is compared with what is remembered: a question that comes back later is told")
    func laterOnes() {
        var machine = Self.told([], remembered: ["12 waiting"])
        machine.asksChanged(to: [Self.ask(12)], at: Self.later)
        machine.timePassed(at: Self.later.advanced(by: .seconds(2)))
        #expect(machine.notice != nil)
    }

    @Test("a question of another device is told once, although it has another number after the daemon was started anew")
    func otherDevice() {
        func ask(_ id: UInt64, _ details: String = "supertux2", on device: String = "tablet") -> Ask {
            var ask = Self.ask(id)
            (ask.device, ask.details) = (device, details)
            return ask
        }
        var machine = Self.told([ask(12)])
        #expect(machine.notice?.title == "Mia (tablet) asks: Open a web page")
        // A file does not get the words.
        #expect(machine.remembered.count == 1 && machine.remembered.allSatisfy { !$0.contains("supertux2") })
        machine.asksChanged(to: [ask(31)], at: Self.later)
        machine.timePassed(at: Self.later.advanced(by: .seconds(2)))
        #expect(machine.notice?.title == "Mia (tablet) asks: Open a web page")
        machine.ended()
        machine.asksChanged(to: [ask(44)], at: Self.later)
        machine.timePassed(at: Self.later.advanced(by: .seconds(2)))
        #expect(machine.notice == nil)
        #expect(Self.told([ask(50)], remembered: machine.remembered).notice == nil)
        // Another question that gets the number of one that was told is another question.
        #expect(Self.told([ask(44, "pybik")], remembered: machine.remembered).notice != nil)
        #expect(Self.told([ask(44, on: "laptop")], remembered: machine.remembered).notice != nil)
        #expect(Self.told([ask(12)], remembered: ["12 waiting"]).notice != nil)
    }

    @Test("a file with other lines is as good as none")
    func otherLines() {
        #expect(Self.told([Self.ask(12)], remembered: ["", "12", "12 refused", "x waiting"]).notice != nil)
    }

    @Test("a question for more time says so, and its yes says until when, by the device's clock (Z-04)")
    func moreTime() {
        let asked = Self.told([Self.ask(12, isMoreTime: true)])
        #expect(asked.notice?.title == "Mia asks: More time: Open a web page")
        var answered = Self.told([Self.ask(12, .allowed, choice: .time(.seconds(900)), isMoreTime: true)], .answered)
        #expect(answered.notice?.text == "More time: Open a web page\nYou have more time until 12:00.")
        answered.minutesEastOfUTC = 345
        #expect(answered.notice?.text == "More time: Open a web page\nYou have more time until 17:45.")
    }
}
