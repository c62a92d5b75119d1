import GateModel
import GateScreens
import HostileTexts
import Testing

@Suite("The notification that a schedule closes (Z-03)")
struct ScheduleNoticeTests {
    private typealias Times = TimesOfBen

    private static let surf = Times.gate(
        "web.surf", title: LocalizedText("Surf", [.init(language: "de", text: "Surfen")]),
        .all([.during(Schedule("after-school")), .parentMode]))

    private static func surfing(until end: WallTime?) -> TimeNoticeStateMachine {
        var machine = Times.machine()
        machine.schedulesChanged(to: [ScheduleState(name: "after-school", isOpen: true, until: end)], at: Times.start)
        machine.timesChanged(to: [Times.used(nil, .gatedAction("web.surf"))], at: Times.start)
        // What needs the schedule is known after the first look. If it closes soon, there is a second one.
        for _ in 1...2 { machine.gatesCame([surf, Times.gate()], look: machine.look, at: Times.start) }
        return machine
    }

    @Test("a schedule that closes while something that needs it is in use is told at the same moments")
    func schedule() {
        var machine = Self.surfing(until: Times.minutes(20))
        #expect(machine.notice == nil && machine.nextChange(after: Times.start) == Times.minutes(15))
        machine.timePassed(at: Times.minutes(15))
        machine.gatesCame([Self.surf], look: machine.look, at: Times.minutes(15))
        #expect(machine.notice?.title == "5 minutes left: Surf")
        #expect(machine.remembered == ["schedule after-school 5"])
        #expect(machine.nextChange(after: Times.minutes(15)) == Times.minutes(19))
        machine.timePassed(at: Times.minutes(19))
        machine.gatesCame([Self.surf], look: machine.look, at: Times.minutes(19))
        #expect(machine.notice?.title == "1 minute left: Surf")
        #expect(machine.nextChange(after: Times.minutes(19)) == Times.minutes(20))
        // The daemon says that it has closed, and the program ends before the gates were looked up.
        let closed = ScheduleState(name: "after-school", isOpen: false, until: Times.minutes(1440))
        machine.schedulesChanged(to: [closed], at: Times.minutes(20))
        machine.timesChanged(to: [Times.used(nil, .gatedAction("web.surf"), isRunning: false)], at: Times.minutes(20))
        let end = Times.gate("web.surf", title: "Surf", .during(Schedule("after-school")), opens: "tomorrow")
        machine.gatesCame([end], look: machine.look, at: Times.minutes(20))
        #expect(machine.notice?.title == "Time is over for today: Surf")
        #expect(machine.notice?.text == "Again tomorrow at 9:00." && machine.notice?.isUrgent == true)
        #expect(machine.nextChange(after: Times.minutes(20)) == nil)
        // The next day it opens again.
        let open = ScheduleState(name: "after-school", isOpen: true, until: Times.minutes(1680))
        machine.schedulesChanged(to: [open], at: Times.minutes(1440))
        #expect(machine.notice == nil && machine.remembered.isEmpty)
    }

    @Test("a schedule that nothing in use needs is not told, nor one that does not close")
    func otherSchedule() {
        var machine = Self.surfing(until: nil)
        #expect(machine.nextChange(after: Times.start) == nil)
        machine.schedulesChanged(
            to: [ScheduleState(name: "evening", isOpen: true, until: Times.minutes(3))], at: Times.start)
        machine.gatesCame([Self.surf], look: machine.look, at: Times.start)
        #expect(machine.notice == nil && machine.remembered.isEmpty)
        machine.schedulesChanged(
            to: [ScheduleState(name: "evening", isOpen: false, until: Times.minutes(9))], at: Times.start)
        #expect(machine.notice == nil)
        // It needs it, but nobody surfs.
        var idle = Self.surfing(until: Times.minutes(3))
        #expect(idle.notice?.title == "3 minutes left: Surf")
        idle = Times.machine()
        idle.schedulesChanged(
            to: [ScheduleState(name: "after-school", isOpen: true, until: Times.minutes(3))], at: Times.start)
        idle.timesChanged(to: [Times.used(nil, .gatedAction("web.surf"), isRunning: false)], at: Times.start)
        idle.gatesCame([Self.surf], look: idle.look, at: Times.start)
        #expect(idle.notice == nil && idle.nextChange(after: Times.start) == nil)
    }

    @Test("two ends at the same time are one notification, the nearer one first, in the person's language")
    func together() {
        var machine = TimeNoticeStateMachine(for: Times.ben, languages: ["de"])
        machine.schedulesChanged(
            to: [ScheduleState(name: "after-school", isOpen: true, until: Times.minutes(3))], at: Times.start)
        machine.timesChanged(
            to: [Times.used(300), Times.used(nil, .gatedAction("web.surf"))], at: Times.start)
        machine.gatesCame([Self.surf, Times.gate()], look: machine.look, at: Times.start)
        // What needs the schedule is known only now, and is looked up once more.
        machine.gatesCame([Self.surf, Times.gate()], look: machine.look, at: Times.start)
        #expect(machine.notice?.title == "3 minutes left: Surfen" && machine.notice?.text == "5 minutes left: Games")
    }

    @Test("a title of the policy changes only its own line", arguments: HostileTexts.all)
    func hostile(words: String) throws {
        var machine = Times.machine()
        machine.schedulesChanged(
            to: [ScheduleState(name: "after-school", isOpen: true, until: Times.minutes(3))], at: Times.start)
        machine.timesChanged(to: [Times.used(nil, .gatedAction("web.surf"))], at: Times.start)
        let gate = Times.gate("web.surf", title: LocalizedText(words), .during(Schedule("after-school")))
        for _ in 1...2 { machine.gatesCame([gate], look: machine.look, at: Times.start) }
        let notice = try #require(machine.notice)
        #expect(notice.title.hasPrefix("3 minutes left: ") && !notice.title.contains("\n") && notice.text.isEmpty)
        #expect(notice.title.unicodeScalars.allSatisfy { !["\r", "\u{1b}", "\u{7}", "\u{202e}"].contains($0) })
    }
}
