import GateModel
import GateScreens
import GateTexts
import Testing

@Suite("A question in a window that goes by itself while somebody types")
struct TakenBackTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)

    private static func seconds(_ count: Double) -> BootTime { start.advanced(by: .seconds(count)) }

    private static func come(
        _ content: Presentation.Content, id: UInt64 = 7, at now: BootTime = start, _ machine: inout ScreenStateMachine
    ) {
        let isCover = content.kind == .signIn
        let summary = PresentationSummary(
            id: id, purpose: isCover ? .signIn : .authorize, kind: content.kind,
            deadline: isCover ? .never : seconds(60),
            style: isCover ? .fullScreenCover : .sheet, isDismissible: !isCover, stage: .claimed,
            asked: PresentationContext(
                uid: 1000, pid: 4242, program: "app", gatedAction: "store.open", title: "Open the store"))
        machine.presentationCame(
            Presentation(
                summary, cookie: PresentationCookie(bytes: Array(repeating: 0, count: PresentationCookie.byteCount)),
                content: content),
            names: AskerNames(user: "anna"), sharesClock: true)
        _ = machine.drawn(id, at: now)
    }

    /// The person has read the question, and is typing: the last key was pressed after three seconds.
    private static func typing(
        _ content: Presentation.Content = .challenge(.passcode), hasScreenOfItsOwn: Bool = false
    ) -> ScreenStateMachine {
        var machine = ScreenStateMachine(
            for: ScreenReader(languages: [], year: 2026), hasScreenOfItsOwn: hasScreenOfItsOwn)
        come(content, &machine)
        _ = machine.inputReceived(.opened, at: seconds(1))
        _ = machine.drawn(7, at: seconds(1))
        for key in [2.2, 2.6, 3] { machine.keyPressed(at: seconds(key)) }
        return machine
    }

    @Test(
        "its window stays, says so and takes the keys until nobody types any more",
        arguments: [Presentation.Content.challenge(.passcode), .signIn])
    func stays(content: Presentation.Content) throws {
        var machine = Self.typing(content)
        let open = try #require(machine.picture(at: Self.seconds(3)))
        #expect(open.takesAnswer && !open.isTakenBack)
        machine.presentationClosed(7)
        let left = try #require(machine.picture(at: Self.seconds(3.1)))
        #expect(left.id == open.id && left.body == open.body && left.coversMonitor == open.coversMonitor)
        #expect(left.isTakenBack && !left.takesAnswer && !left.takesDismissal && left.timeLeft.isEmpty)
        #expect(left.note.hasPrefix("The question was withdrawn."))
        #expect(machine.presentationID == nil && !machine.isWaitingToBeDrawn)
        // Each further key prolongs that, and none is an answer.
        #expect(machine.nextChange(after: Self.seconds(3.1)) == Self.seconds(7))
        for key in [3.2, 6.9] {
            machine.keyPressed(at: Self.seconds(key))
            for input in [
                ScreenInput.typedSecret(GateSecret("4839".utf8)), .opened,
                .signedIn(name: "anna", password: GateSecret("4839".utf8)),
            ] {
                #expect(machine.inputReceived(input, at: Self.seconds(key)) == [])
            }
        }
        machine.timePassed(at: Self.seconds(7))
        #expect(machine.picture(at: Self.seconds(10.8)) == left)
        #expect(machine.nextChange(after: Self.seconds(7)) == Self.seconds(10.9))
        machine.timePassed(at: Self.seconds(10.9))
        #expect(machine.picture(at: Self.seconds(10.9)) == nil && machine.nextChange(after: Self.seconds(10.9)) == nil)
        machine.keyPressed(at: Self.seconds(11))
        #expect(machine.picture(at: Self.seconds(11)) == nil)
    }

    @Test("its window closes at once if nobody has pressed a key for four seconds, or none at all")
    func nobodyTypes() {
        var machine = Self.typing()
        machine.presentationClosed(7)
        #expect(machine.picture(at: Self.seconds(7)) == nil)
        machine = ScreenStateMachine(for: ScreenReader(languages: [], year: 2026))
        Self.come(.challenge(.passcode), &machine)
        machine.presentationClosed(7)
        #expect(machine.picture(at: Self.seconds(0)) == nil)
    }

    @Test("its window closes at once after an answer, and after an answer that was wrong")
    func answered() {
        var machine = Self.typing()
        let secret = GateSecret("2468".utf8)
        #expect(machine.inputReceived(.typedSecret(secret), at: Self.seconds(3)) == [.complete(.secret(secret))])
        var wrong = machine
        machine.presentationClosed(7)
        #expect(machine.picture(at: Self.seconds(3)) == nil)
        wrong.answerRefused(7, GateError(.failedPrecondition, .wrongAnswer, "Wrong."), leavesOpen: false)
        wrong.presentationClosed(7)
        #expect(wrong.picture(at: Self.seconds(3)) == nil)
    }

    @Test("Escape closes the window that stays, and a notice about another screen waits behind it")
    func escape() {
        var machine = Self.typing()
        machine.presentationClosed(7)
        let elsewhere = PresentationElsewhere(
            PresentationSummary(
                id: 9, purpose: .authorize, kind: .challenge(.totp), deadline: Self.seconds(60), style: .sheet,
                isDismissible: true, stage: .shown,
                asked: PresentationContext(uid: 1000, pid: 4242, program: "game", gatedAction: "buy", title: "Buy")),
            on: .grownUp)
        machine.elsewhereChanged(to: elsewhere, names: AskerNames(user: "ben"))
        #expect(machine.picture(at: Self.seconds(3.5))?.id == 7 && !machine.isWaitingToBeDrawn)
        #expect(machine.inputReceived(.dismissed, at: Self.seconds(3.5)) == [])
        #expect(machine.picture(at: Self.seconds(3.5))?.id == 9 && machine.isWaitingToBeDrawn)
    }

    @Test(
        "the next question comes at once, in a window of its own, and takes a first act", arguments: [7, 8] as [UInt64])
    func next(id: UInt64) throws {
        var machine = Self.typing(.signIn)
        machine.presentationClosed(7)
        Self.come(.signIn, id: id, at: Self.seconds(3.2), &machine)
        let picture = try #require(machine.picture(at: Self.seconds(4.5)))
        #expect(picture.id == id && !picture.isTakenBack && !picture.opening.isEmpty)
        let input = ScreenInput.signedIn(name: "anna", password: GateSecret("4839".utf8))
        #expect(machine.inputReceived(input, at: Self.seconds(4.5)) == [])
        // Nobody has typed into this one, but the last key for the one before was pressed less than four seconds ago.
        machine.presentationClosed(id)
        #expect(machine.picture(at: Self.seconds(4.6))?.isTakenBack == true)
        #expect(machine.picture(at: Self.seconds(7)) == nil)
    }

    @Test(
        "questions that come and go between two keys never let a key fall through",
        arguments: [Presentation.Content.challenge(.passcode), .challenge(.confirm), .signIn], [1, 10])
    func comesAndGoes(content: Presentation.Content, count: UInt64) {
        var machine = Self.typing()
        machine.presentationClosed(7)
        for (index, key) in [3.2, 5, 8.5, 12].enumerated() {
            for id in 0..<count {
                let id = 8 + UInt64(index) * count + id
                Self.come(content, id: id, at: Self.seconds(key - 0.1), &machine)
                machine.presentationClosed(id)
                let left = machine.picture(at: Self.seconds(key))
                #expect(left?.id == id && left?.isTakenBack == true && left?.takesAnswer == false)
            }
            machine.keyPressed(at: Self.seconds(key))
        }
        #expect(machine.picture(at: Self.seconds(15.9)) != nil && machine.picture(at: Self.seconds(16)) == nil)
    }

    @Test("keys that meet the second question prolong that, also where it is a paywall")
    func keysForTheSecond() {
        let content = Presentation.Content.paywall(
            Paywall(entitlement: "premium", title: "Premium", provider: .manual, products: ["monthly"]))
        var machine = Self.typing()
        machine.presentationClosed(7)
        Self.come(content, id: 8, at: Self.seconds(3.2), &machine)
        machine.keyPressed(at: Self.seconds(3.4))
        machine.presentationClosed(8)
        #expect(machine.picture(at: Self.seconds(7.3))?.id == 8 && machine.picture(at: Self.seconds(7.4)) == nil)
        // A paywall by itself closes at once, for instance because it was paid for.
        machine.timePassed(at: Self.seconds(7.4))
        Self.come(content, id: 9, at: Self.seconds(8), &machine)
        machine.keyPressed(at: Self.seconds(9))
        machine.presentationClosed(9)
        #expect(machine.picture(at: Self.seconds(9)) == nil)
    }

    @Test("an answer to the second question ends it")
    func secondAnswered() {
        var machine = Self.typing()
        machine.presentationClosed(7)
        Self.come(.challenge(.confirm), id: 8, at: Self.seconds(3.2), &machine)
        #expect(machine.inputReceived(.chosen(ScreenInput.no), at: Self.seconds(4.5)).count == 1)
        machine.presentationClosed(8)
        #expect(machine.picture(at: Self.seconds(4.6)) == nil)
    }

    @Test("on Gate's own screen no window stays, since the monitor stays there")
    func ownScreen() {
        var machine = Self.typing(hasScreenOfItsOwn: true)
        machine.presentationClosed(7)
        #expect(machine.picture(at: Self.seconds(3)) == nil && machine.mayStillBeTyping)
    }
}
