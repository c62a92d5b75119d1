import GateModel
import GateScreens
import HostileTexts
import Testing

@Suite("The notification about apps that ask how old a person is (Y-01)")
struct AgeNoticeTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)

    private static func seconds(_ count: Double) -> BootTime { start.advanced(by: .seconds(count)) }

    private static func app(_ app: String = "org.example.chat", of person: String = "Mia") -> AgeApp {
        AgeApp(person: person, app: app, choice: .ask, isWaiting: true)
    }

    private static func told(_ apps: [AgeApp], remembered: Set<String> = []) -> AskNoticeStateMachine {
        var machine = AskNoticeStateMachine(.apps, for: 1000, languages: [], remembered: remembered)
        machine.appsChanged(to: apps, at: start)
        machine.timePassed(at: seconds(2))
        return machine
    }

    @Test("an app that waits is told after a pause, in the name that it gives itself, and its button opens the page")
    func one() throws {
        var machine = AskNoticeStateMachine(.apps, for: 1000, languages: [])
        machine.appsChanged(to: [Self.app()], at: Self.start)
        #expect(machine.notice == nil && machine.nextChange == Self.seconds(2))
        machine.timePassed(at: Self.seconds(2))
        let notice = try #require(machine.notice)
        #expect(notice.title == "An app asks how old Mia is" && notice.text == "“org.example.chat”")
        #expect(notice.buttons.map(\.label) == ["Open"] && machine.nextChange == nil)
        let action = machine.pressed(notice.buttons[0].number)
        #expect(action == .open && machine.notice == nil)
    }

    @Test("several apps are one line, an app is told once, and one that was answered no longer")
    func several() {
        var machine = Self.told([Self.app(of: "Ben"), Self.app("a"), Self.app("b")])
        #expect(machine.notice?.title == "3 apps ask for an age range" && machine.notice?.text == "Ben, Mia")
        machine.ended()
        machine.appsChanged(to: [Self.app("a"), Self.app("b"), Self.app("c")], at: Self.seconds(10))
        machine.timePassed(at: Self.seconds(12))
        #expect(machine.notice?.text == "“c”")
        machine.appsChanged(to: [Self.app("a")], at: Self.seconds(13))
        #expect(machine.notice == nil && machine.nextChange == nil)
    }

    @Test("an app whose answer has ended waits again, and is told again")
    func again() {
        var machine = Self.told([Self.app()])
        machine.appsChanged(to: [], at: Self.seconds(10))
        machine.appsChanged(to: [Self.app()], at: Self.seconds(20))
        machine.timePassed(at: Self.seconds(22))
        #expect(machine.notice != nil)
    }

    @Test("what was told is remembered without the app's name, so a presenter that was started anew tells it once")
    func remembered() {
        let first = Self.told([Self.app()])
        #expect(first.remembered.count == 1 && first.remembered.allSatisfy { !$0.contains("chat") })
        #expect(Self.told([Self.app()], remembered: first.remembered).notice == nil)
        #expect(Self.told([Self.app(of: "Ben")], remembered: first.remembered).notice != nil)
        let unheard = AskNoticeStateMachine(.apps, for: 1000, languages: [], remembered: first.remembered)
        #expect(unheard.remembered == first.remembered)
    }

    @Test("a notification about asks tells no apps, and one about apps no asks")
    func subjects() {
        let ask = Ask(
            id: 12, uid: 1002, person: "Mia", gatedAction: "link.open", titles: "Open a web page", details: "",
            state: .waiting, ends: nil)
        var apps = Self.told([])
        apps.asksChanged(to: [ask], at: Self.seconds(3))
        apps.timePassed(at: Self.seconds(9))
        #expect(apps.notice == nil)
        var asks = AskNoticeStateMachine(.waiting, for: 1000, languages: [])
        asks.appsChanged(to: [Self.app()], at: Self.start)
        asks.timePassed(at: Self.seconds(2))
        #expect(asks.notice == nil)
    }

    @Test("what an app calls itself changes only its own line", arguments: HostileTexts.all)
    func hostile(words: String) throws {
        let notice = try #require(Self.told([Self.app(words)]).notice)
        #expect(notice.title == "An app asks how old Mia is" && notice.buttons.map(\.label) == ["Open"])
        #expect(!notice.text.contains("\n") && notice.text.hasPrefix("“") && notice.text.hasSuffix("”"))
        #expect(notice.text.unicodeScalars.allSatisfy { !["\r", "\u{1b}", "\u{7}", "\u{202e}"].contains($0) })
    }
    @Test(
        "the name of an app does not end its quotation, so all that it says stands as its own word",
        arguments: [
            ("chat” (checked by Gate) “", "chat’ (checked by Gate) ’"), ("a'' b \u{2033} c", "a’ b ’ c"),
            ("„a“ «b» 「c」 \"d\"", "’a’ ’b’ ’c’ ’d’"), ("Ben's chat", "Ben’s chat"), ("``x´´", "’x’"),
        ])
    func quotation(app: String, shown: String) {
        #expect(Self.told([Self.app(app)]).notice?.text == "“\(shown)”")
    }
}
