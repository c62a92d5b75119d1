import GateModel
import GateScreens
import Testing

@Suite("The notification that time ends (Z-03)")
struct TimeNoticeStateMachineTests {
    private typealias Times = TimesOfBen

    @Test("five minutes, one minute and the end are told, each once, and the end is urgent")
    func once() {
        var machine = Times.told([1200])
        #expect(machine.notice == nil && machine.remembered.isEmpty)
        machine.timesChanged(to: [Times.used(300)], at: Times.start)
        #expect(machine.notice == nil)
        machine.gatesCame([Times.gate()], look: machine.look, at: Times.start)
        #expect(machine.notice?.title == "5 minutes left: Games" && machine.notice?.text.isEmpty == true)
        #expect(machine.notice?.isUrgent == false && Times.labels(machine).isEmpty)
        let look = machine.look
        machine.timesChanged(to: [Times.used(240)], at: Times.start)
        #expect(machine.notice?.title == "5 minutes left: Games")
        machine.ended()
        machine.timesChanged(to: [Times.used(180)], at: Times.start)
        #expect(machine.notice == nil && machine.look == look)
        machine.timesChanged(to: [Times.used(60)], at: Times.start)
        machine.gatesCame([Times.gate()], look: machine.look, at: Times.start)
        #expect(machine.notice?.title == "1 minute left: Games" && machine.notice?.isUrgent == false)
        #expect(machine.notice?.text == "Save now and finish up.")
        machine.timesChanged(to: [Times.used(0)], at: Times.start)
        machine.gatesCame([Times.gate(opens: "tomorrow")], look: machine.look, at: Times.start)
        #expect(machine.notice?.title == "Time is over for today: Games")
        #expect(machine.notice?.text == "Again tomorrow at 9:00." && machine.notice?.isUrgent == true)
        // The game has ended by now, and what it said stays.
        machine.timesChanged(to: [Times.used(0, isRunning: false)], at: Times.start)
        #expect(machine.notice?.title == "Time is over for today: Games")
        machine.ended()
        machine.timesChanged(to: [Times.used(0)], at: Times.start)
        machine.gatesCame([Times.gate(opens: "tomorrow")], look: machine.look, at: Times.start)
        #expect(machine.notice == nil)
    }

    @Test(
        "a game that begins in the last minutes hears how many are left",
        arguments: [(299, "5 minutes"), (240, "4 minutes"), (61, "2 minutes"), (60, "1 minute"), (1, "1 minute")])
    func begins(seconds: Int, left: String) {
        #expect(Times.told([seconds]).notice?.title == "\(left) left: Games")
    }

    @Test("the end says when there is time again, and whether that is today")
    func again() {
        let today = Times.told([0], [Times.gate(opens: "today")])
        #expect(today.notice?.title == "Time is over for now: Games" && today.notice?.text == "Again today at 9:00.")
        let monday = Times.told([0], [Times.gate(opens: "monday")])
        #expect(monday.notice?.title == "Time is over for today: Games")
        #expect(monday.notice?.text == "Again Monday at 9:00.")
        let never = Times.told([0])
        #expect(never.notice?.title == "Time is over for today: Games" && never.notice?.text.isEmpty == true)
    }

    @Test("what is not in use, not limited, of another day or of another person is not told")
    func others() {
        for time in [
            Times.used(60, isRunning: false), Times.used(nil), Times.used(nil, .gatedAction("game.play")),
            Times.used(60, isToday: false), Times.used(60, uid: 1003),
        ] {
            var machine = Times.machine()
            machine.timesChanged(to: [time], at: Times.start)
            machine.gatesCame([Times.gate()], look: machine.look, at: Times.start)
            #expect(machine.notice == nil && machine.remembered.isEmpty, "\(time)")
        }
        // A parent's desktop hears of everybody's time, and tells nobody else's.
        var parent = TimeNoticeStateMachine(for: 1000, languages: [])
        parent.timesChanged(to: [Times.used(60)], at: Times.start)
        #expect(parent.look == 0 && parent.notice == nil)
    }

    @Test("after this program was started anew nothing is told again, and what comes next is")
    func restart() {
        let first = Times.told([300])
        #expect(first.remembered == ["allowance games 5"])
        var second = Times.told([280], remembered: first.remembered)
        #expect(second.notice == nil && second.remembered == first.remembered)
        second.timesChanged(to: [Times.used(60)], at: Times.start)
        second.gatesCame([Times.gate()], look: second.look, at: Times.start)
        #expect(second.notice?.title == "1 minute left: Games" && second.remembered == ["allowance games 1"])
        // What is not told yet is not remembered.
        var early = Times.machine()
        early.timesChanged(to: [Times.used(300)], at: Times.start)
        #expect(early.remembered.isEmpty)
    }

    @Test("a file with other lines is as good as none")
    func otherLines() {
        let lines: Set = ["", "allowance games", "allowance games 7", "allowance games x", "a b 5", "allowance a b 5"]
        #expect(Times.told([300], remembered: lines).notice?.title == "5 minutes left: Games")
    }

    @Test("a daemon that is started again makes nothing come twice")
    func daemonRestart() {
        var machine = Times.told([300])
        machine.ended()
        machine.timesChanged(to: [Times.used(295, isRunning: false)], at: Times.start)
        machine.timesChanged(to: [Times.used(290)], at: Times.start)
        machine.gatesCame([Times.gate()], look: machine.look, at: Times.start)
        #expect(machine.notice == nil)
    }

    @Test("with more time, or on a new day, the warnings come again")
    func comeAgain() {
        var machine = Times.told([300, 60, 0])
        machine.ended()
        machine.timesChanged(to: [Times.used(3600)], at: Times.start)
        #expect(machine.remembered.isEmpty)
        machine.timesChanged(to: [Times.used(300)], at: Times.start)
        machine.gatesCame([Times.gate()], look: machine.look, at: Times.start)
        #expect(machine.notice?.title == "5 minutes left: Games")
        // From the end back to three minutes.
        let short = Times.told([0, 180])
        #expect(short.notice?.title == "3 minutes left: Games")
    }

    @Test("what another way opens at the end, such as parent mode, is not over")
    func anotherWay() {
        let granted = Times.told([0], [Times.gate(isGranted: true)])
        #expect(granted.notice == nil && granted.remembered == ["allowance games 0"])
        let one = Times.told([0], [Times.gate(isGranted: true), Times.gate("game.race", opens: "tomorrow")])
        #expect(one.notice?.title == "Time is over for today: Games")
    }

    // MARK: Looking the gated actions up

    @Test("what was looked up before a warning was reached does not tell it, and a failure does")
    func looks() {
        var machine = Times.machine()
        machine.timesChanged(to: [Times.used(1200)], at: Times.start)
        let first = machine.look
        #expect(first == 1)
        machine.timesChanged(to: [Times.used(300)], at: Times.start)
        #expect(machine.look == 2)
        machine.gatesCame([Times.gate()], look: first, at: Times.start)
        #expect(machine.notice == nil)
        machine.gatesCame(nil, look: machine.look, at: Times.start)
        #expect(machine.notice?.title == "5 minutes left: Games")
        // Without anything new, nothing is looked up.
        machine.timesChanged(to: [Times.used(290)], at: Times.start)
        machine.asksChanged(to: [], at: Times.start)
        machine.schedulesChanged(to: [], at: Times.start)
        machine.timePassed(at: Times.minutes(1))
        #expect(machine.look == 2)
    }

    // MARK: Every event in every state

    private enum Event: CaseIterable {
        case moreTime, sameTime, nextWarning, unused, looked, lookFailed, closed, pressed, asksChanged
    }

    private struct Outcome: Equatable {
        /// The title that is shown.
        let title: String?
        /// How many lines are remembered.
        let remembered: Int

        init(_ title: String?, _ remembered: Int) { (self.title, self.remembered) = (title, remembered) }
    }

    private static func apply(_ event: Event, _ machine: inout TimeNoticeStateMachine) {
        switch event {
        case .moreTime: machine.timesChanged(to: [Times.used(3600)], at: Times.start)
        case .sameTime: machine.timesChanged(to: [Times.used(290)], at: Times.start)
        case .nextWarning: machine.timesChanged(to: [Times.used(60)], at: Times.start)
        case .unused: machine.timesChanged(to: [Times.used(290, isRunning: false)], at: Times.start)
        case .looked: machine.gatesCame([Times.gate()], look: machine.look, at: Times.start)
        case .lookFailed: machine.gatesCame(nil, look: machine.look, at: Times.start)
        case .closed: machine.ended()
        case .pressed: _ = machine.pressed(1)
        case .asksChanged: machine.asksChanged(to: [], at: Times.start)
        }
    }

    @Test("each event in each state of a warning shows what it should, and remembers what was told")
    func table() {
        var reached = Times.told([3600])
        reached.timesChanged(to: [Times.used(300)], at: Times.start)
        let told = Times.told([3600, 300])
        var seen = told
        seen.ended()
        let five = "5 minutes left: Games"
        func after(_ event: Event, _ machine: TimeNoticeStateMachine) -> Outcome {
            var machine = machine
            Self.apply(event, &machine)
            return Outcome(machine.notice?.title, machine.remembered.count)
        }
        for event in Event.allCases {
            #expect(after(event, Times.told([3600])) == Outcome(nil, 0), "far: \(event)")
            let whenReached =
                switch event {
                case .looked, .lookFailed: Outcome(five, 1)
                case .moreTime, .sameTime, .nextWarning, .unused, .closed, .pressed, .asksChanged: Outcome(nil, 0)
                }
            #expect(after(event, reached) == whenReached, "reached: \(event)")
            let whenTold =
                switch event {
                case .moreTime, .nextWarning: Outcome(nil, 0)
                case .closed, .pressed: Outcome(nil, 1)
                case .sameTime, .unused, .looked, .lookFailed, .asksChanged: Outcome(five, 1)
                }
            #expect(after(event, told) == whenTold, "told: \(event)")
            let whenSeen =
                switch event {
                case .moreTime, .nextWarning: Outcome(nil, 0)
                case .sameTime, .unused, .looked, .lookFailed, .closed, .pressed, .asksChanged: Outcome(nil, 1)
                }
            #expect(after(event, seen) == whenSeen, "seen: \(event)")
        }
    }
}
