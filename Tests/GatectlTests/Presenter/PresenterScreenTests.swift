import GateModel
import GateScreens
import Testing

@testable import gatectl

private let wrong = GateError(.failedPrecondition, .wrongAnswer, "That is wrong.")
private let later = start.advanced(by: .seconds(1))
private let noNumber = GateError(.invalidArgument, .invalidRequest, "That is not a whole number.")

@Suite("The screen of a terminal that presents")
struct PresenterScreenTests {
    private func asking(_ challenge: Challenge, isDismissible: Bool = true) -> PresenterScreen {
        var screen = PresenterScreen()
        screen.registered()
        let shown = screen.shows(presentation(1, challenge, isDismissible: isDismissible))
        #expect(shown == [.report(.shown)])
        return screen
    }

    private func keys(_ text: String, in screen: inout PresenterScreen) -> [PresenterScreen.Action] {
        text.utf8.flatMap { screen.keyReceived($0 == 0x0a ? .enter : .byte($0), at: later) }
    }

    @Test("a key chooses, and further keys are ignored until the daemon has answered")
    func choice() {
        var screen = asking(sum)
        #expect(keys("b", in: &screen) == [.complete(.text("16"))])
        #expect(screen.isChecking)
        #expect(keys("a", in: &screen) == [])
        screen.presentationClosed(1)
        screen.answerTaken(1, kind: .arithmeticChoice)
        #expect(screen.presentation == nil)
        #expect(screen.note == .init(text: "Right.", isGood: true))
    }

    @Test("a key in the first second of a question is ignored")
    func settling() {
        var screen = asking(sum)
        let early = start.advanced(by: ReadingTime.length - .nanoseconds(1))
        #expect(screen.keyReceived(.byte(UInt8(ascii: "b")), at: early) == [])
        #expect(screen.keyReceived(.escape, at: early) == [])
        #expect(
            screen.keyReceived(.byte(UInt8(ascii: "b")), at: start.advanced(by: ReadingTime.length))
                == [.complete(.text("16"))])
    }

    @Test("the second begins when the question is drawn, however long that takes")
    func slowTerminal() {
        var screen = PresenterScreen()
        screen.presentationCame(presentation(1, sum), sharesClock: true, at: start)
        #expect(screen.keyReceived(.byte(UInt8(ascii: "b")), at: start.advanced(by: .seconds(5))) == [])
        screen.drawn(isWhole: true, at: start.advanced(by: .seconds(5)))
        screen.drawn(isWhole: true, at: start.advanced(by: .seconds(6)))
        #expect(
            screen.keyReceived(.byte(UInt8(ascii: "b")), at: start.advanced(by: .seconds(6)))
                == [.complete(.text("16"))])
    }

    @Test("a yes typed for a question that was taken back never answers the next one")
    func nextQuestion() {
        var screen = PresenterScreen()
        screen.shows(presentation(1, .confirm))
        screen.presentationClosed(1)
        screen.shows(presentation(2, .confirm), isUnlocked: false)
        for time in [376, 999, 1001, 60_000] {
            let moment = start.advanced(by: .milliseconds(time))
            #expect(screen.keyReceived(.byte(UInt8(ascii: "y")), at: moment) == [])
        }
        #expect(screen.isLocked && screen.note?.text == "That was not accepted.")
        #expect(screen.keyReceived(.enter, at: later) == [] && !screen.isLocked)
        #expect(screen.keyReceived(.byte(UInt8(ascii: "y")), at: later) == [.complete(.text("yes"))])
    }

    @Test("the rest of a secret typed for an earlier question is ignored", arguments: [Challenge.passcode, .totp])
    func nextSecret(challenge: Challenge) {
        var screen = PresenterScreen()
        screen.shows(presentation(1, challenge))
        #expect(keys("24", in: &screen) == [])
        screen.presentationClosed(1)
        screen.shows(presentation(2, challenge), isUnlocked: false)
        #expect(keys("68\n", in: &screen) == [])
        #expect(!screen.isLocked && keys("2468\n", in: &screen) == [.complete(.secret(GateSecret("2468".utf8)))])
    }

    @Test("text typed for a question that was taken back answers neither a form nor a sum")
    func nextForm() {
        let entry = Challenge.arithmeticEntry(ArithmeticProblem(left: 1, operator: .plus, right: 1))
        for next in [formToFillIn(2), presentation(2, entry)] {
            var screen = asking(.passcode)
            #expect(keys("73", in: &screen) == [])
            screen.presentationClosed(1)
            #expect(keys("5", in: &screen) == [])
            screen.shows(next, isUnlocked: false)
            screen.formAsked(2, FormPrompt(lines: ["Name"], request: "text"))
            #expect(screen.isLocked && keys("1\n", in: &screen) == [])
            #expect(!screen.isLocked && keys("2\n", in: &screen).count == 1)
        }
    }

    @Test("after a question that the person answered, the next one needs no Return")
    func nextAfterAnswer() {
        var screen = asking(sum)
        #expect(keys("b", in: &screen) == [.complete(.text("16"))])
        screen.presentationClosed(1)
        screen.shows(presentation(2, sum), isUnlocked: false)
        #expect(!screen.isLocked)
    }

    @Test("Escape needs no confirmation")
    func lockedDismissal() {
        var screen = PresenterScreen()
        screen.shows(presentation(1, .confirm), isUnlocked: false)
        #expect(screen.keyReceived(.escape, at: later) == [.dismiss])
    }

    @Test("a typed value is shown, and can be corrected if it was no answer")
    func entry() {
        var screen = asking(.arithmeticEntry(ArithmeticProblem(left: 1, operator: .plus, right: 1)))
        #expect(keys("2x", in: &screen) == [])
        #expect(screen.typed == "2x")
        #expect(keys("\n", in: &screen) == [.complete(.text("2x"))])
        screen.answerRefused(1, noNumber)
        #expect(!screen.isChecking && screen.presentation?.id == 1)
        #expect(screen.note == .init(text: "That is not a whole number.", isGood: false))
        #expect(keys("\n", in: &screen) == [])
        #expect(screen.note == .init(text: "That was empty."))
        #expect(keys("2\n", in: &screen) == [.complete(.text("2"))])
        screen.answerRefused(1, wrong)
        #expect(screen.presentation == nil && screen.note?.text == "That is wrong.")
    }

    @Test("a typed secret is not shown, and is sent as a secret")
    func secret() {
        var screen = asking(.passcode)
        #expect(keys("24q68", in: &screen) == [])
        #expect(screen.typed == "")
        #expect(keys("\n", in: &screen) == [.complete(.secret(GateSecret("24q68".utf8)))])
    }

    @Test("text typed for one question is gone for the next")
    func leftovers() {
        var screen = asking(.passcode)
        _ = keys("2468", in: &screen)
        screen.presentationClosed(1)
        screen.shows(presentation(2, .arithmeticEntry(ArithmeticProblem(left: 1, operator: .plus, right: 1))))
        #expect(screen.typed == "")
        #expect(keys("2\n", in: &screen) == [.complete(.text("2"))])
    }

    @Test("a hold begins with one press of the space bar and ends with the next")
    func hold() {
        var screen = asking(.hold(.seconds(3)))
        #expect(keys(" ", in: &screen) == [.report(.pressed)])
        #expect(screen.pressedAt == later)
        #expect(keys(" ", in: &screen) == [.complete(.released)])
    }

    @Test("Escape dismisses, once, and only what may be dismissed")
    func dismissal() {
        var screen = asking(sum)
        #expect(screen.keyReceived(.escape, at: later) == [.dismiss])
        #expect(screen.keyReceived(.escape, at: later) == [])
        screen.dismissed(1)
        #expect(screen.presentation == nil && screen.note == .init(text: "Dismissed."))
        var cover = asking(sum, isDismissible: false)
        #expect(cover.keyReceived(.escape, at: later) == [])
        #expect(cover.note != nil && cover.presentation != nil)
    }

    @Test(
        "no key but Ctrl-C leaves the presenter, so that keys typed for an earlier question never reach a shell"
    )
    func leaving() {
        var screen = PresenterScreen()
        #expect(keys("x", in: &screen) == [])
        #expect(keys("q", in: &screen) == [] && screen.keyReceived(.end, at: later) == [])
        #expect(screen.interrupted() == [.leave])
        var busy = asking(.birthdate(.gregorian))
        #expect(keys("q", in: &busy) == [])
        #expect(busy.interrupted() == [.leave])
    }

    @Test("a question that is taken back disappears, and the end of an earlier one leaves the new one on screen")
    func closing() {
        var screen = asking(sum)
        screen.presentationClosed(9)
        #expect(screen.presentation?.id == 1)
        screen.presentationClosed(1)
        #expect(screen.presentation == nil && screen.note != nil)
        screen.shows(presentation(2, sum))
        #expect(screen.note == nil)
        screen.answerRefused(1, wrong)
        screen.answerTaken(1, kind: .confirm)
        screen.dismissed(1)
        #expect(screen.presentation?.id == 2 && screen.note == nil)
    }

    @Test("a refused beginning of a hold can be begun again")
    func refusedPress() {
        var screen = asking(.hold(.seconds(3)))
        _ = keys(" ", in: &screen)
        screen.answerRefused(1, noNumber)
        #expect(screen.pressedAt == nil && screen.presentation?.id == 1)
        #expect(keys(" ", in: &screen) == [.report(.pressed)])
    }
}

@Suite("The picture of a presenting terminal")
struct PresenterPictureTests {
    private func layout(
        _ screen: PresenterScreen, columns: Int = 80, rows: Int = 24, isUTF8: Bool = true, now: BootTime = start
    ) -> PresenterPicture.Layout {
        PresenterPicture(screen: screen, locale: TextLocale(isUTF8: isUTF8), colours: .none, now: now)
            .layout(columns: columns, rows: rows)
    }

    private func asking(_ challenge: Challenge, details: String = "https://example.org/") -> PresenterScreen {
        var screen = PresenterScreen()
        screen.registered()
        screen.shows(presentation(1, challenge, details: details))
        return screen
    }

    @Test("a question on another screen is named if nothing is asked here (S-15)")
    func elsewhere() {
        var screen = PresenterScreen()
        screen.registered()
        let elsewhere = PresentationElsewhere(presentation(7, .passcode).summary, on: .screenOfItsOwn)
        let picture = PresenterPicture(
            screen: screen, elsewhere: elsewhere, locale: TextLocale(isUTF8: true), colours: .none, now: start)
        #expect(
            picture.layout(columns: 80, rows: 24).lines.contains(
                " Answer this on Gate's own screen, which opens now."))
    }

    @Test("without a question the picture says so and shows the mode")
    func idle() {
        var screen = PresenterScreen()
        #expect(layout(screen).lines.contains(" Connecting to Gate."))
        screen.registered()
        #expect(
            layout(screen).lines == [" Gate  child", "", " Waiting. There is no question now.", "", " Ctrl-C leaves."])
        screen.modeChanged(to: ModeState(mode: .parent, deadline: BootTime(nanoseconds: 899_000_000_000)))
        #expect(layout(screen).lines[0] == " Gate  parent  14:59 left")
        screen.lost()
        #expect(layout(screen).lines.contains(" Gate is not running. This continues when it is back."))
    }

    @Test("a question is drawn large, between the asker above and the input and time below")
    func question() {
        let layout = layout(asking(sum))
        let lines = layout.inside
        #expect(layout.lines.count == 24 && layout.lines[0] == " Gate  child" && lines.count == 21)
        #expect(
            lines[..<4] == [
                " Open a web page", " Asked by root (the program says it is \"firefox\").", " | https://example.org/",
                "",
            ])
        #expect(lines.contains { $0.contains("█     █") })
        #expect(lines.contains("   │  a) 24  │   │  b) 16  │   │  c) 21  │"))
        #expect(lines[17] == " a, b or c: ▏")
        #expect(lines[18] == " [ Not now ]")
        #expect(lines[19] == " [\(String(repeating: "█", count: 40))] 1:00 left")
        #expect(lines[20] == " Esc dismisses. Ctrl-C leaves it to another screen.")
    }

    @Test("the bar shrinks with the time left, to an empty one")
    func bar() {
        let screen = asking(sum)
        let half = layout(screen, isUTF8: false, now: BootTime(nanoseconds: 30_000_000_000)).inside[19]
        #expect(half == " [\(String(repeating: "#", count: 20))\(String(repeating: "-", count: 20))] 0:30 left")
        let over = layout(screen, isUTF8: false, now: BootTime(nanoseconds: 99_000_000_000)).inside[19]
        #expect(over == " [\(String(repeating: "-", count: 40))] 0:00 left")
    }

    @Test("on a small screen the question is plain, with everything that is asked", arguments: [9...18])
    func small(rows: ClosedRange<Int>) {
        for rows in rows {
            let lines = layout(asking(sum), columns: 80, rows: rows).lines
            #expect(lines.count == rows)
            #expect(lines.contains(" 8 × 3 = ?") && lines.contains(" [ a) 24 ]   [ b) 16 ]   [ c) 21 ]"))
            #expect(lines.contains(" | https://example.org/") && lines.contains { $0.hasPrefix(" Asked by root") })
        }
    }

    @Test("no line is wider than the screen, and there are no more than it has", arguments: [1, 5, 13, 40, 200])
    func fits(columns: Int) {
        let screens = [PresenterScreen(), asking(sum), asking(.passcode), asking(.hold(.seconds(3)))]
        for screen in screens {
            for rows in [1, 3, 10, 60] {
                let lines = layout(screen, columns: columns, rows: rows).lines
                #expect(lines.count <= rows && lines.allSatisfy { TextWidth.columns(of: $0) <= columns })
            }
        }
    }

    @Test("long details are shortened in the middle with a note, and can be scrolled")
    func scrolls() {
        var screen = asking(sum, details: (1...800).map { "word\($0)" }.joined(separator: " "))
        let first = layout(screen)
        #expect(first.lines.count == 24 && first.maximumScroll > 20 && first.isWhole)
        #expect(first.lines.contains { $0.contains("lines are left out here") })
        #expect(first.lines.contains { $0.contains("| word1 ") } && first.lines.contains { $0.hasSuffix("word800") })
        #expect(first.lines.contains(" 8 × 3 = ?") && first.inside[17] == " a, b or c: ▏")
        for _ in 0..<99 { _ = screen.keyReceived(.pageDown, at: start) }
        screen.scrolled(atMost: first.maximumScroll)
        let last = layout(screen)
        #expect(last.lines.contains(" 8 × 3 = ?") && last.lines.contains { $0.hasSuffix("word800") })
        #expect(!last.lines.contains { $0.contains("| word1 ") })
        let own = { (layout: PresenterPicture.Layout) in layout.rows.filter { !$0.isForeign }.map(\.text) }
        #expect(own(first).count { !$0.contains("...") } == own(last).count { !$0.contains("...") })
    }

    @Test("a screen too small for all of Gate's own words takes no answer until it is large enough")
    func tooSmall() {
        var screen = PresenterScreen()
        screen.presentationCame(presentation(1, sum), sharesClock: true, at: start)
        let small = layout(screen, columns: 80, rows: 6)
        #expect(!small.isWhole && small.lines.contains { $0.contains("too small") })
        screen.drawn(isWhole: false, at: start)
        #expect(screen.keyReceived(.byte(UInt8(ascii: "a")), at: later.advanced(by: .seconds(60))) == [])
        var dismissed = screen
        #expect(dismissed.keyReceived(.escape, at: start) == [])
        #expect(dismissed.keyReceived(.escape, at: later) == [.dismiss], "that takes no reading")
        screen.drawn(isWhole: layout(screen).isWhole, at: later)
        #expect(screen.keyReceived(.byte(UInt8(ascii: "a")), at: later) == [])
        #expect(
            screen.keyReceived(.byte(UInt8(ascii: "a")), at: later.advanced(by: .seconds(1))) == [
                .complete(.text("24"))
            ])
    }

    @Test("a secret changes nothing on the screen, not even by its length")
    func secret() {
        var screen = asking(.passcode)
        let before = layout(screen)
        for byte in "2468".utf8 { _ = screen.keyReceived(.byte(byte), at: later) }
        #expect(layout(screen) == before)
    }
}
