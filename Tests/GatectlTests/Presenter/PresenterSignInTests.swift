import GateModel
import GateScreens
import Testing

@testable import gatectl

private let later = start.advanced(by: .seconds(1))
private let wrong = GateError(.unauthenticated, .wrongPassword, "Wrong name or password.")

private func screen(showing presentation: Presentation) -> PresenterScreen {
    var screen = PresenterScreen()
    screen.registered()
    screen.shows(presentation)
    return screen
}

@discardableResult
private func keys(_ text: String, in screen: inout PresenterScreen) -> [PresenterScreen.Action] {
    var decoder = KeyDecoder()
    return text.utf8.compactMap { decoder.byteReceived($0) }.flatMap { screen.keyReceived($0, at: later) }
}

private func lines(
    _ screen: PresenterScreen, columns: Int = 80, rows: Int = 24, isUTF8: Bool = true, now: BootTime = start
) -> [String] {
    PresenterPicture(screen: screen, locale: TextLocale(isUTF8: isUTF8), colours: .none, now: now)
        .layout(columns: columns, rows: rows).lines
}

@Suite("A sign-in on a terminal that presents")
struct PresenterSignInTests {
    private let logIn = PresenterScreen.Action.logIn(name: "anna", password: GateSecret("secret".utf8))

    @Test("name and password are sent for checking, and keys are ignored meanwhile (F-66)")
    func signsIn() {
        var screen = screen(showing: signIn(1))
        #expect(keys("anna\nsecret\n", in: &screen) == [logIn])
        #expect(screen.isAuthenticating && keys("x\n\u{1b}", in: &screen) == [])
        screen.loggedIn(1)
        #expect(screen.presentation?.id == 1)
        screen.signInChanged(to: anna)
        screen.presentationClosed(1)
        #expect(screen.presentation == nil && screen.note == .init(text: "anna is signed in.", isGood: true))
    }

    @Test("after a wrong password a sentence says so, and the name stays for another try")
    func wrongPassword() {
        var screen = screen(showing: signIn(1))
        keys("anna\noops\n", in: &screen)
        screen.answerRefused(1, wrong)
        #expect(screen.presentation?.id == 1 && !screen.isChecking)
        #expect(screen.note == .init(text: "Wrong name or password.", isGood: false))
        #expect(keys("secret\n", in: &screen) == [logIn] && screen.note == nil)
    }

    @Test("a sign-in stays after any refusal, because only the state closes it (F-64)")
    func refusals() {
        let refusals = [
            GateError(.resourceExhausted, .lockedOut, "Wait."),
            GateError(.failedPrecondition, .authenticating, "Busy."),
            GateError(.deadlineExceeded, .expired, "Late."), GateError(.unavailable, .unspecified, "Gone."),
        ]
        for refusal in refusals {
            var screen = screen(showing: signIn(1))
            keys("anna\nsecret\n", in: &screen)
            screen.answerRefused(1, refusal)
            #expect(screen.presentation?.id == 1 && screen.note?.text == refusal.message)
        }
    }

    @Test("a cover can't be dismissed, a sign-in within a request can, and Ctrl-C leaves both")
    func dismissal() {
        var cover = screen(showing: signIn(1))
        #expect(keys("anna", in: &cover) == [] && cover.keyReceived(.escape, at: later) == [])
        #expect(cover.note?.text == "This closes only when somebody signs in.")
        #expect(cover.presentation != nil && cover.fields.name == "anna")
        #expect(cover.interrupted() == [.leave])
        var step = screen(showing: signIn(2, isCover: false))
        #expect(step.keyReceived(.escape, at: later) == [.dismiss])
        #expect(step.interrupted() == [.leave])
        step.dismissed(2)
        #expect(step.presentation == nil && step.note == .init(text: "Dismissed."))
    }

    @Test("after a refused dismissal the sign-in stays on the screen")
    func refusedDismissal() {
        var step = screen(showing: signIn(2, isCover: false))
        _ = step.keyReceived(.escape, at: later)
        step.answerRefused(2, GateError(.failedPrecondition, .notDismissible, "No."))
        #expect(step.presentation?.id == 2 && !step.isChecking)
    }

    @Test("an empty field is named, and nothing is sent")
    func empty() {
        var screen = screen(showing: signIn(1))
        #expect(keys("\n", in: &screen) == [] && screen.note?.text == "The name is empty.")
        #expect(keys("anna\n\n", in: &screen) == [] && screen.note?.text == "The password is empty.")
    }

    @Test("while others' passwords are checked, each key counts, and what was typed is sent (F-66)")
    func elsewhere() {
        var screen = screen(showing: signIn(1))
        var isAuthenticating = false
        for key in "anna\nsecret" {
            isAuthenticating.toggle()
            screen.signInChanged(
                to: SignInState(session: nil, isAuthenticating: isAuthenticating, needsAuthentication: true))
            #expect(keys(String(key), in: &screen) == [] && lines(screen).contains(" [ Sign in ]"))
        }
        screen.signInChanged(to: SignInState(session: nil, isAuthenticating: true, needsAuthentication: true))
        #expect(keys("\n", in: &screen) == [logIn])
        #expect(lines(screen).contains(" [ Please wait ]"))
    }

    @Test("typed text is gone when the sign-in closes")
    func leftovers() {
        var screen = screen(showing: signIn(1))
        keys("anna\nsecr", in: &screen)
        screen.presentationClosed(1)
        #expect(screen.note?.text == "The sign-in was taken back, or its time was over.")
        screen.shows(signIn(2))
        #expect(screen.fields == SignInFields() && screen.note == nil)
    }

    @Test("the name of who signed in is shown, also when it is known only after the sign-in closed")
    func lateState() {
        var screen = screen(showing: signIn(1))
        screen.presentationClosed(1)
        screen.signInChanged(to: anna)
        #expect(screen.note == .init(text: "anna is signed in.", isGood: true))
        // A log-in from this screen that was slower than the other one adds nothing.
        screen.answerRefused(1, GateError(.failedPrecondition, .signedIn, "anna is signed in."))
        #expect(screen.note?.isGood == true)
        keys("x", in: &screen)
        screen.signInChanged(to: .closed)
        #expect(screen.note == nil)
    }

    @Test("the sign-in shows the name, a dot for each character of the password and the button on lines of their own")
    func picture() {
        var screen = screen(showing: signIn(1))
        let empty = lines(screen)
        #expect(empty[2...3] == [" Sign in", " Asked by Gate itself, as its policy says."])
        #expect(
            empty[19...] == [
                " Name:     ▏", " Password: ", " [ Sign in ]", "",
                " This closes only when somebody signs in. Ctrl-C leaves it to another screen.",
            ])
        keys("anna\npäss", in: &screen)
        let typed = lines(screen)
        #expect(typed[19...21] == [" Name:     anna", " Password: ••••▏", " [ Sign in ]"])
        #expect(!typed.contains { $0.contains("päss") } && lines(screen, isUTF8: false)[20] == " Password: ****_")
        #expect(!typed.contains { $0.contains("left") })
    }

    @Test("progress is shown on a line that was empty before, so that nothing moves (F-68)")
    func progress() {
        var screen = screen(showing: signIn(1))
        keys("anna\nsecret", in: &screen)
        let before = lines(screen)
        keys("\n", in: &screen)
        let during = lines(screen)
        #expect(screen.redrawInterval == ProgressLine.interval)
        #expect(during[21] == " [ Please wait ]" && before[22] == "" && during[22] == " ⠋")
        let next = BootTime(nanoseconds: ProgressLine.interval.clampedNanoseconds)
        #expect(lines(screen, now: next)[22] == " ⠙")
        #expect(during[..<19] == before[..<19] && during.count == before.count)
    }

    @Test("no line is wider than the screen, and both fields are there however small it is", arguments: [5, 20, 80])
    func fits(columns: Int) {
        var screen = screen(showing: signIn(1))
        keys("a name that is rather long, with 名字\nand a password", in: &screen)
        for rows in [9, 10, 30] {
            let shown = lines(screen, columns: columns, rows: rows)
            #expect(shown.count <= rows && shown.allSatisfy { TextWidth.columns(of: $0) <= columns })
            guard columns == 80 else { continue }
            #expect(shown.contains { $0.hasPrefix(" Name: ") } && shown.contains { $0.hasPrefix(" Password: ") })
        }
    }

    @Test("the name of who is signed in is shown beside the mode")
    func header() {
        var screen = PresenterScreen()
        screen.signInChanged(to: anna)
        #expect(lines(screen)[0] == " Gate  child  anna")
    }
}

@Suite("A paywall on a terminal that presents")
struct PresenterPaywallTests {
    @Test("the paywall shows what is to be paid for, the provider, the products and the asker")
    func picture() {
        let shown = PresenterPicture(
            screen: screen(showing: paywall(1)), locale: TextLocale(isUTF8: true), colours: .none, now: start
        ).layout(columns: 80, rows: 24).inside
        #expect(
            shown[0...6] == [
                " Premium", " Asked by root (the program says it is \"photos\").", "", " Buy this to continue:", "",
                " Premium, by RevenueCat", "   monthly",
            ])
        #expect(shown.contains("   yearly") && shown.contains(" This closes by itself after the purchase."))
        #expect(shown.contains { $0.hasSuffix("15:00 left") })
    }

    @Test("Escape dismisses it, and no other key does anything")
    func dismissal() {
        var screen = screen(showing: paywall(1))
        #expect(keys("ayq \n", in: &screen) == [])
        #expect(screen.keyReceived(.escape, at: start) == [])
        #expect(screen.keyReceived(.escape, at: later) == [.dismiss])
        #expect(screen.keyReceived(.escape, at: later) == [])
        screen.presentationClosed(1)
        screen.dismissed(1)
        #expect(screen.presentation == nil && screen.note == .init(text: "Dismissed."))
    }

    @Test("a paid paywall closes and says so, whichever of the two is reported first")
    func paid() {
        let good = PresenterScreen.Note(text: "Paid for: Premium.", isGood: true)
        var first = screen(showing: paywall(1))
        first.entitlementsChanged(to: premiumState(.subscribed))
        #expect(first.presentation != nil && first.note == nil)
        first.presentationClosed(1)
        #expect(first.presentation == nil && first.note == good)
        var second = screen(showing: paywall(1))
        second.presentationClosed(1)
        #expect(second.note?.text == "The paywall was taken back, or its time was over.")
        second.entitlementsChanged(to: premiumState(.subscribed))
        #expect(second.note == good)
    }

    @Test(
        "a paywall reports a payment only if the entitlement is active afterwards",
        arguments: Entitlement.Status.allCases)
    func status(status: Entitlement.Status) {
        var screen = screen(showing: paywall(1))
        screen.entitlementsChanged(to: premiumState(status))
        screen.presentationClosed(1)
        #expect((screen.note?.isGood == true) == status.isActive)
    }

    @Test("texts of a provider or policy can't move the cursor")
    func harmless() {
        let shown = lines(screen(showing: paywall(1, products: ["a\u{1b}[2Jb"])))
        #expect(shown.contains("   a<U+001B>[2Jb"))
    }
}
