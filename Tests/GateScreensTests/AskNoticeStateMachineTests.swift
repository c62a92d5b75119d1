import GateModel
import GateScreens
import HostileTexts
import Testing

@Suite("The notification about questions that wait or were answered (W-03, W-06)")
struct AskNoticeStateMachineTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)
    private static let anna: UInt32 = 1000
    private static let mia: UInt32 = 1002

    private static func seconds(_ count: Double) -> BootTime { start.advanced(by: .seconds(count)) }

    private static func ask(
        _ id: UInt64, _ state: Ask.State = .waiting, uid: UInt32 = mia, person: String = "Mia",
        details: String = "https://example.org/", choice: AskChoice? = nil
    ) -> Ask {
        Ask(
            id: id, uid: uid, person: person, gatedAction: "link.open", titles: "Open a web page", details: details,
            state: state,
            ends: [.always, .thisSite].contains(choice) ? nil : WallTime(unixMilliseconds: 1_773_144_000_000),
            choice: choice)
    }

    /// A machine of a grown-up's desktop that tells of these asks.
    private static func told(_ asks: Ask...) -> AskNoticeStateMachine {
        var machine = AskNoticeStateMachine(.waiting, for: anna, languages: [])
        machine.asksChanged(to: asks, at: start)
        machine.timePassed(at: seconds(2))
        return machine
    }

    /// A machine of a child's desktop, which has been told of its asks before.
    private static func ofChild(_ asks: Ask...) -> AskNoticeStateMachine {
        var machine = AskNoticeStateMachine(.answered, for: mia, languages: [])
        machine.asksChanged(to: asks, at: start)
        machine.timePassed(at: seconds(2))
        return machine
    }

    private static func labels(_ machine: AskNoticeStateMachine) -> [String] {
        machine.notice?.buttons.map(\.label) ?? []
    }

    @Test("a new question is told after a pause: who asks, for what, with No and Open")
    func one() {
        var machine = AskNoticeStateMachine(.waiting, for: Self.anna, languages: [])
        #expect(machine.notice == nil && machine.nextChange == nil)
        machine.asksChanged(to: [Self.ask(12)], at: Self.start)
        machine.timePassed(at: Self.seconds(1.9))
        #expect(machine.notice == nil && machine.nextChange == Self.seconds(2))
        machine.timePassed(at: Self.seconds(2))
        #expect(machine.notice?.title == "Mia asks: Open a web page" && machine.notice?.text == "https://example.org/")
        #expect(Self.labels(machine) == ["No", "Open"] && machine.nextChange == nil)
    }

    @Test("an answer that another device has not taken is told once, before new questions, and needs no answer (W-03)")
    func notTaken() {
        for state in [Ask.State.waiting, .closed] {
            var machine = Self.told(Self.ask(12))
            machine.ended()
            var refused = Self.ask(12, state)
            refused.refusal = "It was answered."
            machine.asksChanged(to: [refused, Self.ask(13)], at: Self.seconds(10))
            machine.timePassed(at: Self.seconds(12))
            #expect(machine.notice?.title == "Mia asks: Open a web page", "\(state)")
            #expect(machine.notice?.text == "Your answer did not count: It was answered.", "\(state)")
            #expect(Self.labels(machine) == ["Open"], "\(state)")
            machine.ended()
            machine.asksChanged(to: [refused, Self.ask(13)], at: Self.seconds(20))
            machine.timePassed(at: Self.seconds(30))
            #expect(machine.notice == nil, "\(state)")
        }
    }

    @Test("a child is told \"not until tomorrow\" in these words (W-07)")
    func untilTomorrow() {
        var machine = Self.ofChild(Self.ask(12))
        var refused = Self.ask(12, .refused)
        refused.isUntilTomorrow = true
        machine.asksChanged(to: [refused], at: Self.seconds(10))
        machine.timePassed(at: Self.seconds(12))
        #expect(machine.notice?.title == "A grown-up said: not until tomorrow")
        #expect(machine.notice?.text == "Open a web page\nhttps://example.org/")
    }

    @Test("a guarded app is called by its title alone, without the name that programs have for it (X-02)")
    func app() {
        var ask = Self.ask(12, details: "org.gnome.chess")
        (ask.gatedAction, ask.titles) = ("app.org.gnome.chess", "Chess")
        let machine = Self.told(ask)
        #expect(machine.notice?.title == "Mia asks: Chess" && machine.notice?.text == "")
    }

    @Test("several questions are one line, however many a child asks, and it has no No")
    func flood() {
        var machine = Self.told(Self.ask(12), Self.ask(13), Self.ask(14))
        #expect(machine.notice?.title == "3 questions wait" && machine.notice?.text == "Mia")
        #expect(Self.labels(machine) == ["Open"])
        machine.asksChanged(
            to: [Self.ask(12), Self.ask(13), Self.ask(14), Self.ask(15, uid: 1003, person: "Ben")], at: Self.seconds(3))
        #expect(machine.notice?.title == "3 questions wait")
        machine.timePassed(at: Self.seconds(5))
        #expect(machine.notice?.title == "4 questions wait" && machine.notice?.text == "Mia, Ben")
    }

    @Test("each question is told once: after the notification was closed, only a new one is told")
    func once() {
        var machine = Self.told(Self.ask(12))
        machine.ended()
        #expect(machine.notice == nil)
        machine.asksChanged(to: [Self.ask(12)], at: Self.seconds(10))
        machine.timePassed(at: Self.seconds(20))
        #expect(machine.notice == nil)
        machine.asksChanged(to: [Self.ask(12), Self.ask(13, details: "b")], at: Self.seconds(20))
        machine.timePassed(at: Self.seconds(22))
        #expect(machine.notice?.text == "b" && Self.labels(machine) == ["No", "Open"])
    }

    @Test("No refuses the question that was shown, and Open opens the page; afterwards nothing is told")
    func buttons() throws {
        var machine = Self.told(Self.ask(12))
        let shown = try #require(machine.notice).buttons
        let refusal = machine.pressed(shown[0].number)
        #expect(refusal == .refuse(12) && machine.notice == nil)
        var opening = Self.told(Self.ask(12), Self.ask(13))
        let opened = opening.pressed(try #require(opening.notice).buttons[0].number)
        #expect(opened == .open && opening.notice == nil)
    }

    @Test("a No is for the question that it was shown with, also if another one came or it was answered meanwhile")
    func stale() throws {
        var machine = Self.told(Self.ask(12))
        let shown = try #require(machine.notice).buttons
        machine.asksChanged(to: [Self.ask(12), Self.ask(13)], at: Self.seconds(3))
        machine.timePassed(at: Self.seconds(5))
        let refusal = machine.pressed(shown[0].number)
        #expect(refusal == .refuse(12))
        var answered = Self.told(Self.ask(12))
        answered.asksChanged(to: [Self.ask(12, .allowed), Self.ask(13)], at: Self.seconds(3))
        answered.timePassed(at: Self.seconds(5))
        let actions = [shown[0].number, 99, -1].map { answered.pressed($0) }
        #expect(actions == [nil, nil, nil])
    }

    @Test("what was answered or taken back is told no longer")
    func over() {
        for rest in [[], [Self.ask(12, .allowed)], [Self.ask(12, .refused)]] {
            var machine = Self.told(Self.ask(12))
            machine.asksChanged(to: rest, at: Self.seconds(3))
            #expect(machine.notice == nil && machine.nextChange == nil)
            machine.timePassed(at: Self.seconds(9))
            #expect(machine.notice == nil)
        }
    }

    @Test("a question that is on this screen is not told, and after it went without an answer it is told after a pause")
    func onScreen() {
        var machine = AskNoticeStateMachine(.waiting, for: Self.anna, languages: [])
        machine.asksChanged(to: [Self.ask(12)], at: Self.start)
        machine.questionChanged(to: 12, at: Self.seconds(1))
        machine.timePassed(at: Self.seconds(60))
        #expect(machine.notice == nil && machine.nextChange == nil)
        machine.questionChanged(to: nil, at: Self.seconds(60))
        machine.timePassed(at: Self.seconds(60))
        // If it was answered, the daemon says so now.
        #expect(machine.notice == nil && machine.nextChange == Self.seconds(62))
        machine.timePassed(at: Self.seconds(62))
        #expect(machine.notice?.title == "Mia asks: Open a web page")
        // Another question on the screen hides nothing.
        machine.questionChanged(to: 13, at: Self.seconds(63))
        #expect(machine.notice != nil)
    }

    @Test("own questions do not wait for oneself, and others' answers are not told")
    func whose() {
        let own = Self.told(Self.ask(12, uid: Self.anna), Self.ask(13, .allowed), Self.ask(14, .unrecognized))
        #expect(own.notice == nil)
        let child = Self.ofChild(Self.ask(12), Self.ask(13, .allowed, uid: 1003), Self.ask(14, .unrecognized))
        #expect(child.notice == nil && child.nextChange == nil)
    }

    @Test("a child is told that its question was answered, and what to do after a yes (W-06)")
    func answers() {
        var machine = Self.ofChild(Self.ask(12), Self.ask(13))
        machine.asksChanged(to: [Self.ask(12, .allowed), Self.ask(13)], at: Self.seconds(10))
        machine.timePassed(at: Self.seconds(12))
        #expect(machine.notice?.title == "A grown-up said yes" && Self.labels(machine) == ["Open"])
        #expect(machine.notice?.text == "Open a web page\nhttps://example.org/\nDo the same again: it works once.")
        machine.ended()
        machine.asksChanged(to: [Self.ask(12, .refused), Self.ask(13)], at: Self.seconds(20))
        machine.timePassed(at: Self.seconds(22))
        #expect(
            machine.notice?.title == "A grown-up said no"
                && machine.notice?.text == "Open a web page\nhttps://example.org/")
        machine.asksChanged(to: [Self.ask(12, .refused), Self.ask(13, .refused)], at: Self.seconds(30))
        machine.timePassed(at: Self.seconds(32))
        #expect(machine.notice?.title == "2 questions were answered")
        #expect(machine.pressed(12) == nil)
    }

    @Test("at the beginning of a session a yes is told, which can still be used, and a no is not")
    func beginning() {
        #expect(Self.ofChild(Self.ask(12, .allowed)).notice?.title == "A grown-up said yes")
        #expect(Self.ofChild(Self.ask(12, .refused)).notice == nil)
        #expect(Self.told(Self.ask(12)).notice != nil)
    }

    @Test("the list of what is always allowed is not told at each beginning of a session, but when a page comes to it")
    func alwaysAllowed() {
        let pages = (1...300).map { Self.ask($0, .allowed, choice: $0.isMultiple(of: 2) ? .thisSite : .always) }
        var machine = AskNoticeStateMachine(.answered, for: Self.mia, languages: [])
        machine.asksChanged(to: pages + [Self.ask(301)], at: Self.start)
        machine.timePassed(at: Self.seconds(2))
        #expect(machine.notice == nil && machine.nextChange == nil)
        machine.asksChanged(to: pages + [Self.ask(301, .allowed, choice: .always)], at: Self.seconds(10))
        machine.timePassed(at: Self.seconds(12))
        #expect(machine.notice?.title == "A grown-up said yes")
        #expect(machine.notice?.text.hasSuffix("Do the same again: it works now.") == true)
        for choice in [AskChoice.once, .today, .time(.seconds(1800))] {
            #expect(Self.ofChild(Self.ask(12, .allowed, choice: choice)).notice != nil)
        }
    }

    @Test("several answers to the same are one line")
    func sameAnswers() {
        let machine = Self.ofChild(Self.ask(12, .allowed), Self.ask(13, .allowed), Self.ask(14, .allowed))
        #expect(machine.notice?.title == "3 questions were answered" && machine.notice?.text == "Open a web page")
    }

    @Test("what a program asks for changes only its own line", arguments: HostileTexts.all)
    func hostile(words: String) throws {
        let notice = try #require(Self.told(Self.ask(12, details: words)).notice)
        #expect(notice.title == "Mia asks: Open a web page" && notice.buttons.map(\.label) == ["No", "Open"])
        #expect(!notice.text.contains("\n") && notice.text.count <= 161)
        #expect(notice.text.unicodeScalars.allSatisfy { !["\r", "\u{1b}", "\u{7}", "\u{202e}"].contains($0) })
    }
}
