import GateModel
import GateScreens
import GateTexts
import HostileTexts
import Testing

@Suite("What stands on the screen")
struct ScreenStateMachineTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)

    private static func seconds(_ count: Double) -> BootTime { start.advanced(by: .seconds(count)) }

    private static func presentation(
        id: UInt64 = 7, style: Presentation.Style = .sheet, isDismissible: Bool = true,
        deadline: BootTime = seconds(60),
        purpose: Presentation.Purpose = .authorize, title: LocalizedText = "Open a web page", details: String = "",
        program: String = "firefox",
        challenge: Challenge = .arithmeticChoice(
            ArithmeticProblem(left: 8, operator: .times, right: 9), choices: [82, 72, 80])
    ) -> Presentation {
        let asked = PresentationContext(
            uid: 1000, pid: 4242, program: program, gatedAction: "link.open", title: title, details: details)
        let summary = PresentationSummary(
            id: id, purpose: purpose, kind: .challenge(challenge.kind), deadline: deadline, style: style,
            isDismissible: isDismissible, stage: .claimed, asked: asked)
        return Presentation(
            summary, cookie: PresentationCookie(bytes: Array(repeating: 0, count: PresentationCookie.byteCount)),
            challenge: challenge)
    }

    /// A machine with a question that was drawn at the start.
    private static func asking(_ presentation: Presentation = presentation()) -> ScreenStateMachine {
        var machine = ScreenStateMachine(for: ScreenReader(languages: [], year: 2026))
        machine.presentationCame(presentation, names: AskerNames(user: "anna"), sharesClock: true)
        _ = machine.drawn(presentation.id, at: start)
        return machine
    }

    @Test("without a question there is no window, no timer and no input (S-01)")
    func idle() {
        var machine = ScreenStateMachine(for: ScreenReader(languages: [], year: 2026))
        #expect(machine.picture(at: Self.start) == nil)
        #expect(machine.nextChange(after: Self.start) == nil)
        #expect(!machine.isWaitingToBeDrawn)
        #expect(machine.inputReceived(.dismissed, at: Self.start) == [])
    }

    @Test("a sum is shown in parts, with a button for each choice (S-03)")
    func sum() throws {
        let picture = try #require(Self.asking().picture(at: Self.start))
        guard case .sum(let sum, let choices) = picture.body else {
            Issue.record("It is no sum.")
            return
        }
        #expect([sum.left, sum.sign, sum.right] == ["8", "×", "9"])
        #expect(choices == ["82", "72", "80"])
        #expect(picture.body.spokenQuestion == "8 × 9 = ?")
        #expect(!picture.coversMonitor)
        let cover = try #require(Self.asking(Self.presentation(style: .fullScreenCover)).picture(at: Self.start))
        #expect(cover.coversMonitor)
    }

    @Test("a question is reported as shown once it was drawn, and only once")
    func shown() {
        var machine = ScreenStateMachine(for: ScreenReader(languages: [], year: 2026))
        machine.presentationCame(Self.presentation(), names: AskerNames(), sharesClock: true)
        #expect(machine.isWaitingToBeDrawn)
        #expect(machine.drawn(6, at: Self.start) == [])
        #expect(machine.drawn(7, at: Self.start) == [.report(.shown)])
        #expect(!machine.isWaitingToBeDrawn)
        #expect(machine.drawn(7, at: Self.start) == [])
    }

    @Test("nothing can be pressed before a question was on the screen for a second (S-13)")
    func readingTime() throws {
        var undrawn = ScreenStateMachine(for: ScreenReader(languages: [], year: 2026))
        undrawn.presentationCame(Self.presentation(), names: AskerNames(), sharesClock: true)
        #expect(undrawn.inputReceived(.chosen(0), at: Self.seconds(50)) == [])
        var machine = Self.asking()
        #expect(machine.inputReceived(.chosen(1), at: Self.seconds(0.999)) == [])
        #expect(machine.inputReceived(.dismissed, at: Self.seconds(0.999)) == [])
        let early = try #require(machine.picture(at: Self.seconds(0.999)))
        #expect(!early.takesAnswer && !early.takesDismissal)
        let later = try #require(machine.picture(at: Self.seconds(1)))
        #expect(later.takesAnswer && later.takesDismissal)
        #expect(machine.inputReceived(.chosen(1), at: Self.seconds(1)) == [.complete(.text("72"))])
    }

    @Test("a question that follows another one must be shown for a second of its own (S-13)")
    func nextQuestion() {
        var machine = Self.asking()
        machine.answerTaken(7)
        machine.presentationCame(Self.presentation(id: 8), names: AskerNames(user: "anna"), sharesClock: true)
        #expect(machine.inputReceived(.chosen(0), at: Self.seconds(30)) == [])
        _ = machine.drawn(8, at: Self.seconds(30))
        #expect(machine.inputReceived(.chosen(0), at: Self.seconds(30.5)) == [])
        #expect(machine.inputReceived(.chosen(0), at: Self.seconds(31)) == [.complete(.text("82"))])
    }

    @Test("the first press answers, and a second one is ignored")
    func once() throws {
        var machine = Self.asking()
        #expect(machine.inputReceived(.chosen(3), at: Self.seconds(2)) == [])
        #expect(machine.inputReceived(.chosen(2), at: Self.seconds(2)) == [.complete(.text("80"))])
        #expect(machine.inputReceived(.chosen(1), at: Self.seconds(2)) == [])
        #expect(machine.inputReceived(.dismissed, at: Self.seconds(2)) == [])
        #expect(try #require(machine.picture(at: Self.seconds(2))).takesAnswer == false)
        machine.answerTaken(7)
        #expect(machine.picture(at: Self.seconds(2)) == nil)
    }

    @Test("a window closes with its own question, and not with another one (S-01)")
    func closing() {
        var machine = Self.asking()
        machine.presentationClosed(6)
        #expect(machine.picture(at: Self.start) != nil)
        machine.presentationClosed(7)
        #expect(machine.picture(at: Self.start) == nil)
        machine.answerRefused(7, GateError(.aborted, .closed, "It is closed."), leavesOpen: false)
        #expect(machine.picture(at: Self.start) == nil)
    }

    @Test("an answer that could not be checked can be given again, and a wrong one closes the window (F-07)")
    func refused() throws {
        var machine = Self.asking()
        _ = machine.inputReceived(.chosen(0), at: Self.seconds(2))
        machine.answerRefused(7, GateError(.unavailable, .failed, "It could not\nbe checked."), leavesOpen: true)
        let picture = try #require(machine.picture(at: Self.seconds(2)))
        #expect(picture.takesAnswer && picture.note == "It could not\u{FFFD}be checked.")
        _ = machine.inputReceived(.chosen(0), at: Self.seconds(3))
        machine.answerRefused(7, GateError(.failedPrecondition, .wrongAnswer, "That is wrong."), leavesOpen: false)
        #expect(machine.picture(at: Self.seconds(3)) == nil)
    }

    @Test("a question that only the state closes can't be dismissed, and the window says so")
    func lasting() throws {
        var machine = Self.asking(Self.presentation(style: .fullScreenCover, isDismissible: false))
        let picture = try #require(machine.picture(at: Self.seconds(2)))
        #expect(!picture.isDismissible && !picture.takesDismissal && picture.takesAnswer && picture.timeLeft == "")
        #expect(machine.inputReceived(.dismissed, at: Self.seconds(2)) == [])
        let note = "This closes only when it is answered."
        #expect(try #require(machine.picture(at: Self.seconds(2))).note == note)
        var sheet = Self.asking()
        #expect(sheet.inputReceived(.dismissed, at: Self.seconds(2)) == [.dismiss])
    }

    @Test("the time that is left is counted down by the second, where the clock is shared")
    func countdown() throws {
        let machine = Self.asking()
        #expect(try #require(machine.picture(at: Self.start)).timeLeft == "1:00 left")
        #expect(machine.nextChange(after: Self.start) == Self.seconds(1))
        #expect(machine.nextChange(after: Self.seconds(30.25)) == Self.seconds(31))
        #expect(try #require(machine.picture(at: Self.seconds(50.5))).timeLeft == "0:10 left")
        #expect(machine.nextChange(after: Self.seconds(60)) == nil)
        var foreign = ScreenStateMachine(for: ScreenReader(languages: [], year: 2026))
        foreign.presentationCame(Self.presentation(), names: AskerNames(), sharesClock: false)
        #expect(try #require(foreign.picture(at: Self.start)).timeLeft == "")
        #expect(foreign.nextChange(after: Self.start) == nil)
    }

    @Test("the head of a window has separate places for the action, the asker and the program (S-13)")
    func head() throws {
        let asked = try #require(Self.asking().picture(at: Self.start)).asked
        #expect(
            asked.title == "Open a web page" && asked.who == "Asked by anna."
                && asked.program == "firefox"
        )
        var machine = ScreenStateMachine(for: ScreenReader(languages: [], year: 2026))
        machine.presentationCame(
            Self.presentation(purpose: .enterParentMode, title: ""), names: AskerNames(), sharesClock: true)
        let picture = try #require(machine.picture(at: Self.start))
        #expect(picture.asked.title == "Parent mode" && picture.asked.who == "Asked by user 1000.")
        #expect(picture.heading == "For parent mode, a grown-up answers:")
    }

    @Test(
        "foreign texts are shown as one visible line, and change nothing beside them (S-13)",
        arguments: [
            "<b>bold</b> & _more", "two\nlines", "turned \u{202E}round", "wide      gaps", "\u{1b}[2J",
            "\u{200B}\u{2800}", "مرحبا",
        ])
    func foreignWords(text: String) throws {
        let plain = try #require(Self.asking(Self.presentation(details: "d", program: "p")).picture(at: Self.start))
        let machine = Self.asking(Self.presentation(details: text, program: text))
        let picture = try #require(machine.picture(at: Self.start))
        for shown in [picture.asked.details, picture.asked.program] {
            #expect(shown.isSingleLine && !shown.contains("  "))
        }
        #expect(picture.asked.title == plain.asked.title && picture.asked.who == plain.asked.who)
        #expect(picture.heading == plain.heading && picture.body == plain.body)
    }

    @Test("a screen reader hears the action, who asks and the question (S-14)")
    func spoken() throws {
        let machine = Self.asking(Self.presentation(details: "https://example.org/"))
        let picture = try #require(machine.picture(at: Self.start))
        #expect(picture.spokenName == "Gate: Open a web page")
        #expect(
            picture.spokenText
                == "Open a web page. In the program's words: https://example.org/. Asked by anna. "
                + "The program calls itself: firefox. A grown-up answers: 8 × 9 = ?")
    }

    @Test(
        "details that Gate itself wrote are not announced as the program's words (S-14)",
        arguments: [Presentation.Purpose.extendParentMode, .pay, .fillForm, .whatsNew])
    func spokenDetailsOfGate(purpose: Presentation.Purpose) throws {
        let asked = Self.presentation(purpose: purpose, details: "for 10 minutes")
        let picture = try #require(Self.asking(asked).picture(at: Self.start))
        #expect(picture.spokenText.contains(". for 10 minutes. "))
        #expect(!picture.spokenText.contains("words"))
    }

    @Test(
        "a text that another device signed is never shown as Gate's own (S-14)",
        arguments: [Presentation.Purpose.enterParentMode, .extendParentMode])
    func detailsOfAnotherDevice(purpose: Presentation.Purpose) throws {
        let hostile = "Gate has checked this. Type the passcode."
        let asked = PresentationContext(
            uid: 0, pid: 0, program: "tablet", details: hostile, duration: .seconds(600), device: "Mia's tablet")
        let own = Self.presentation()
        let summary = PresentationSummary(
            id: 7, purpose: purpose, kind: .challenge(.confirm), deadline: Self.seconds(60), style: .sheet,
            isDismissible: true, stage: .claimed, asked: asked)
        let picture = try #require(
            Self.asking(Presentation(summary, cookie: own.cookie, challenge: .confirm)).picture(at: Self.start))
        #expect(!picture.spokenText.contains("checked") && !picture.spokenText.contains("words"))
        #expect(picture.asked.details == (purpose == .extendParentMode ? "for 10 minutes" : ""))
    }

    @Test(
        "an asker's text changes only the details and the program's name, whatever it says (S-13, T-05)",
        arguments: HostileTexts.all)
    func imitation(words: String) throws {
        let plain = try #require(Self.asking().picture(at: Self.seconds(2)))
        let written = Self.asking(Self.presentation(details: words, program: words))
        let picture = try #require(written.picture(at: Self.seconds(2)))
        #expect(picture.asked.title == plain.asked.title && picture.asked.who == plain.asked.who)
        #expect(picture.heading == plain.heading && picture.body == plain.body && picture.note == plain.note)
        #expect(picture.opening == plain.opening && picture.timeLeft == plain.timeLeft)
        for place in [picture.asked.details, picture.asked.program] {
            #expect(place.unicodeScalars.allSatisfy { !["\n", "\r", "\u{1b}", "\u{7}", "\u{202e}"].contains($0) })
        }
    }
}
