import GateModel
import GateScreens
import GateTexts
import Testing

@Suite("The notice about a question on another screen (S-15)")
struct ElsewhereNoticeTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)
    private static func seconds(_ count: Double) -> BootTime { start.advanced(by: .seconds(count)) }

    private static func elsewhere(
        _ id: UInt64 = 7, style: Presentation.Style = .sheet, isDismissible: Bool = true,
        on place: PresentationElsewhere.Place = .screenOfItsOwn
    ) -> PresentationElsewhere {
        PresentationElsewhere(
            PresentationSummary(
                id: id, purpose: .authorize, kind: .challenge(.passcode), deadline: seconds(60), style: style,
                isDismissible: isDismissible, stage: .shown,
                asked: PresentationContext(
                    uid: 1000, pid: 4242, program: "game", gatedAction: "buy", title: "Buy something", details: "12.99")
            ),
            on: place)
    }

    private static func told(_ elsewhere: PresentationElsewhere = elsewhere()) -> ScreenStateMachine {
        var machine = ScreenStateMachine(for: ScreenReader(languages: [], year: 2026))
        machine.elsewhereChanged(to: elsewhere, names: AskerNames(user: "ben"))
        _ = machine.drawn(elsewhere.summary.id, at: start)
        return machine
    }

    @Test("the notice says for what, who asks and where it is answered, and takes no answer")
    func words() throws {
        let picture = try #require(Self.told().picture(at: Self.seconds(2)))
        #expect(picture.asked.title == "Buy something" && picture.asked.details == "12.99")
        #expect(picture.asked.who.contains("ben"))
        #expect(picture.body == .elsewhere("Answer this on Gate's own screen, which opens now."))
        #expect(!picture.takesAnswer && picture.opening.isEmpty && picture.timeLeft.isEmpty)
        #expect(picture.spokenText.contains("Answer this on Gate's own screen"))
        var machine = Self.told()
        for input in [
            ScreenInput.opened, .typedSecret(GateSecret("2468".utf8)),
            .signedIn(name: "a", password: GateSecret("b".utf8)), .chosen(1),
        ] {
            #expect(machine.inputReceived(input, at: Self.seconds(5)) == [], "nothing of it leaves")
        }
    }

    @Test("the notice has words for a grown-up's screen, and for a place that only a newer daemon knows")
    func places() throws {
        for (place, words) in [
            (PresentationElsewhere.Place.grownUp, "A grown-up can answer this on their own screen."),
            (.unrecognized, "Answer this on the other screen."),
        ] {
            #expect(Self.told(Self.elsewhere(on: place)).picture(at: Self.start)?.body == .elsewhere(words))
        }
    }

    @Test("the person can put the notice away after a second, for good, and the daemon is told nothing")
    func putAway() {
        var machine = Self.told()
        #expect(machine.inputReceived(.dismissed, at: Self.seconds(0.5)) == [])
        #expect(machine.picture(at: Self.seconds(0.5))?.takesDismissal == false)
        #expect(machine.nextChange(after: Self.seconds(0.5)) == Self.seconds(1))
        #expect(machine.inputReceived(.dismissed, at: Self.seconds(1)) == [])
        #expect(machine.picture(at: Self.seconds(1)) == nil)
        machine.elsewhereChanged(to: Self.elsewhere(on: .grownUp), names: AskerNames(user: "ben"))
        #expect(machine.picture(at: Self.seconds(2)) == nil, "it is the same question")
        machine.elsewhereChanged(to: Self.elsewhere(8), names: AskerNames(user: "ben"))
        #expect(machine.picture(at: Self.seconds(2))?.id == 8)
        machine.elsewhereChanged(to: nil, names: AskerNames())
        #expect(machine.picture(at: Self.seconds(2)) == nil)
    }

    @Test("for a cover that only the state closes, the notice covers the monitor too and can't be put away")
    func cover() throws {
        var machine = Self.told(Self.elsewhere(style: .fullScreenCover, isDismissible: false))
        _ = machine.inputReceived(.dismissed, at: Self.seconds(5))
        let picture = try #require(machine.picture(at: Self.seconds(5)))
        #expect(picture.coversMonitor && !picture.isDismissible && !picture.takesDismissal && !picture.note.isEmpty)
    }

    @Test("a question on this screen is shown in place of the notice")
    func asked() {
        var machine = Self.told()
        let summary = PresentationSummary(
            id: 9, purpose: .authorize, kind: .challenge(.confirm), deadline: Self.seconds(60), style: .sheet,
            isDismissible: true, stage: .claimed, asked: PresentationContext(uid: 1, pid: 2, program: ""))
        machine.presentationCame(
            Presentation(
                summary, cookie: PresentationCookie(bytes: Array(repeating: 0, count: PresentationCookie.byteCount)),
                challenge: .confirm), names: AskerNames(), sharesClock: true)
        #expect(machine.picture(at: Self.start)?.id == 9)
        machine.presentationClosed(9)
        #expect(machine.picture(at: Self.start)?.id == 7)
    }
}
