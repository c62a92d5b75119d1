import ArgumentParser
import Foundation
import GateModel
import GateScreens
import Testing

@testable import gatectl

private let later = start.advanced(by: .seconds(1))

private func presentation(
    _ id: UInt64, _ content: Presentation.Content, isDismissible: Bool = true, isAppsOwn: Bool = false
) -> Presentation {
    Presentation(
        PresentationSummary(
            id: id, purpose: content.kind == .form ? .fillForm : .whatsNew, kind: content.kind,
            deadline: BootTime(nanoseconds: 900_000_000_000), style: .sheet, isDismissible: isDismissible,
            stage: .claimed,
            asked: PresentationContext(
                uid: 0, pid: 42, program: "draw", title: "A car", isAppsOwn: isAppsOwn)),
        cookie: PresentationCookie(bytes: [UInt8](repeating: 7, count: 24)), content: content)
}

private let invitation = Presentation.Content.form(
    FormInvitation(name: "car", title: "A car", holder: .account("anna"), isForGrownUps: true))

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

private func lines(_ screen: PresenterScreen, columns: Int = 80, rows: Int = 24) -> [String] {
    PresenterPicture(screen: screen, locale: TextLocale(isUTF8: true), colours: .none, now: start)
        .layout(columns: columns, rows: rows).lines
}

@Suite("A form on a terminal that presents")
struct PresenterFormTests {
    private let prompt = FormPrompt(lines: ["[1/6] Name (required)"], notes: ["That was wrong."], request: "answer")

    @Test("an item is shown with its error, and the typed answer goes to the form")
    func asks() {
        var screen = screen(showing: presentation(1, invitation))
        #expect(keys("x\n", in: &screen) == [], "nothing is asked yet")
        screen.formAsked(1, prompt)
        #expect(keys("Ännä", in: &screen) == [])
        let shown = lines(screen)
        #expect(shown.contains(" [1/6] Name (required)") && shown.contains(" That was wrong."))
        #expect(shown.contains(" answer: Ännä▏"))
        #expect(keys("\n", in: &screen) == [.formLine(GateSecret("Ännä".utf8))])
        #expect(lines(screen).contains(" One moment.") && keys("more\n", in: &screen) == [])
        screen.formAsked(1, prompt)
        #expect(keys("\u{02}", in: &screen) == [.formLine(GateSecret("<".utf8))])
    }

    @Test("each row of a text that an app wrote is marked, so that it can't look like Gate's own (F-85)")
    func appsOwn() {
        let forged = "A grown-up answers: type the passcode"
        let words = FormPrompt(
            lines: ["[1/2] \(forged)", "", forged + String(repeating: " and again", count: 20)], notes: [forged],
            request: "answer")
        for columns in [40, 80] {
            var form = screen(showing: presentation(1, invitation, isAppsOwn: true))
            #expect(lines(form, columns: columns).contains { $0.contains("| A car") })
            form.formAsked(1, words)
            let shown = lines(form, columns: columns, rows: 60)
            #expect(shown.contains { $0.contains("| \(forged)") })
            for line in shown where ["A grown-up answers", "and again"].contains(where: line.contains) {
                #expect(line.drop { " │".contains($0) }.hasPrefix("| "), "\(line)")
            }
        }
        // The form's title does not become a sentence of Gate's when the form is over.
        var over = screen(showing: presentation(3, invitation, isAppsOwn: true))
        over.presentationClosed(3)
        over.formCompleted(3)
        #expect(over.note?.text == "A form from an app is completed.")
        let news = screen(showing: presentation(2, .whatsNew(notice), isAppsOwn: true))
        #expect(lines(news).contains { $0.contains("| * Layers") })
    }

    @Test("the labels of an app's own news are marked, and its buttons and keys have Gate's words")
    func appsButtons() {
        let forged = "Type the passcode here"
        var own = notice
        own.entry.primary.titles = LocalizedText(forged)
        own.entry.secondary?.titles = LocalizedText("Gate asks: y or n?")
        for columns in [40, 60, 80] {
            let news = screen(showing: presentation(2, .whatsNew(own), isAppsOwn: true))
            let shown = lines(news, columns: columns, rows: 40)
            for line in shown where [forged, "Gate asks"].contains(where: line.contains) {
                #expect(line.drop { " │".contains($0) }.hasPrefix("| "), "\(line)")
            }
            #expect(shown.contains { $0.contains("| \(forged)") })
            #expect(shown.contains { $0.contains("[ I have read it ]") })
            #expect(shown.contains { $0.contains("[ More about it ]") })
        }
        // An administrator or a package wrote these.
        let notes = lines(screen(showing: presentation(3, .whatsNew(notice))), columns: 80, rows: 40)
        #expect(notes.contains { $0.contains("[ Continue ]") })
    }

    @Test("Escape dismisses a form unless only the state closes it, and a prompt of another form is ignored")
    func dismissal() {
        var form = screen(showing: presentation(1, invitation))
        #expect(form.keyReceived(.escape, at: later) == [.dismiss])
        var cover = screen(showing: presentation(2, invitation, isDismissible: false))
        cover.formAsked(1, prompt)
        #expect(cover.form.prompt == nil && cover.keyReceived(.escape, at: later) == [])
        #expect(cover.note?.text == "This closes only when the form is complete.")
    }

    @Test("a closed form says whether it was completed here")
    func closing() {
        var completed = screen(showing: presentation(1, invitation))
        completed.presentationClosed(1)
        #expect(completed.note?.isGood == nil)
        completed.formCompleted(1)
        #expect(completed.note == .init(text: "A car is completed.", isGood: true) && completed.presentation == nil)
        var early = screen(showing: presentation(2, invitation))
        early.formCompleted(2)
        early.presentationClosed(2)
        #expect(early.note?.text == "A car is completed.")
    }

    @Test(
        "after leaving a form nobody has to confirm reading the next question, even if the state closed it first")
    func left() {
        var screen = screen(showing: presentation(1, invitation))
        screen.presentationClosed(1)
        screen.dismissed(1)
        screen.presentationCame(presentation(2, invitation), sharesClock: true, at: later)
        #expect(!screen.isLocked)
        screen.presentationClosed(2)
        screen.presentationCame(presentation(3, invitation), sharesClock: true, at: later)
        #expect(screen.isLocked)
    }

    @Test("an obstacle to a form is shown, and the form stays")
    func refused() {
        var screen = screen(showing: presentation(1, invitation))
        screen.answerRefused(1, GateError(.unavailable, .unspecified, "Gone."))
        #expect(screen.presentation?.id == 1 && screen.note?.text == "Gone.")
    }

    @Test("no line is wider than the terminal, and the question is visible on a small one")
    func narrow() {
        var screen = screen(showing: presentation(1, invitation))
        screen.formAsked(1, prompt)
        let shown = lines(screen, columns: 20, rows: 10)
        #expect(shown.count <= 10 && shown.allSatisfy { TextWidth.columns(of: $0) <= 20 })
        #expect(shown.contains { $0.contains("[1/6] Name") })
    }
}

@Suite("What is new on a terminal that presents")
struct PresenterWhatsNewTests {
    @Test("Return takes the first button, s the second, Escape dismisses (F-57)")
    func keysOfIt() {
        for (text, action) in [
            ("\n", PresenterScreen.Action.complete(.acknowledged(.primary))),
            ("s", .complete(.acknowledged(.secondary))),
        ] {
            var shown = screen(showing: presentation(1, .whatsNew(notice)))
            #expect(lines(shown).contains(" * Layers"))
            #expect(keys(text, in: &shown) == [action] && shown.isChecking)
            shown.answerTaken(1, kind: nil)
            #expect(shown.presentation == nil && shown.note == nil)
        }
        var dismissed = screen(showing: presentation(1, .whatsNew(notice)))
        #expect(dismissed.keyReceived(.escape, at: later) == [.dismiss])
        var other = screen(showing: presentation(1, .whatsNew(notice)))
        #expect(keys("x\n", in: &other) == [] && other.note?.text == "There is no such button.")
    }
}

@Suite("A program that presents forms and release notes")
struct ProgramFormTests {
    private func said(_ line: String, to content: Presentation.Content) -> ProgramAnswer? {
        ProgramAnswer(GateSecret(line.utf8), to: content)
    }

    @Test("a program answers a form with a response or with its dismissal")
    func form() {
        let response = "{\n \"resourceType\": \"QuestionnaireResponse\",\n \"status\": \"completed\"}"
        #expect(said(response, to: invitation) == .form(Array(response.utf8), isCompleted: true))
        let draft = #"{"resourceType":"QuestionnaireResponse","status":"in-progress","text":{"div":""}}"#
        #expect(said(draft, to: invitation) == .form(Array(draft.utf8), isCompleted: false))
        #expect(said(#"{"dismissed":true}"#, to: invitation) == .dismiss)
        for line in ["", "yes", "{}", #"{"resourceType":"Patient"}"#, #"{"text":"x"}"#] {
            #expect(said(line, to: invitation) == nil)
        }
    }

    @Test("a program gets the form and the answers so far")
    func fields() throws {
        var fields = PresentationFields(
            presentation: presentation(3, invitation), locale: TextLocale(isUTF8: true), note: "", left: nil)
        fields.form = PresentationFields.FormMaterial(
            name: "car", questionnaire: Array(#"{"resourceType":"Questionnaire"}"#.utf8),
            response: Array(#"{"status":"in-progress"}"#.utf8))
        let json = try fields.json()
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: [String: Any]])
        #expect(object["form"]?["name"] as? String == "car")
        #expect((object["form"]?["questionnaire"] as? [String: Any])?["resourceType"] as? String == "Questionnaire")
        #expect((object["form"]?["response"] as? [String: Any])?["status"] as? String == "in-progress")
        #expect(object["text"]?["kind"] as? String == "form" && object["presentation"]?["cookie"] == nil)
        #expect(!json.contains("BwcHBw") && !json.contains("\n"))
    }

    @Test("a program answers release notes with a button, by its title or as JSON")
    func whatsNew() {
        let content = Presentation.Content.whatsNew(notice)
        let primary = ProgramAnswer.input(.answer(.acknowledged(.primary)))
        let secondary = ProgramAnswer.input(.answer(.acknowledged(.secondary)))
        for line in ["Continue", #"{"acknowledged":true}"#, #"{"text":"a"}"#] {
            #expect(said(line, to: content) == primary)
        }
        for line in ["Learn more", "s", #"{"secondary":true}"#, #"{"acknowledged":true,"secondary":true}"#] {
            #expect(said(line, to: content) == secondary)
        }
        #expect(said(#"{"dismissed":true}"#, to: content) == .dismiss)
        for line in ["", "x", "{}", #"{"acknowledged":true,"dismissed":true}"#] {
            #expect(said(line, to: content) == nil)
        }
        let fields = PresentationFields(
            presentation: presentation(3, content), locale: TextLocale(isUTF8: true), note: "", left: nil)
        #expect(fields.environment.contains("GATE_CHOICES=Continue\nLearn more"))
        #expect(fields.environment.contains("GATE_KIND=whats-new"))
    }

    @Test("a program gets presentations other than questions only if it asks for their kinds")
    func kinds() throws {
        #expect(ExecPresenter.kinds.allSatisfy { $0.challenge != nil } && ExecPresenter.kinds.count == 8)
        #expect(TerminalPresenter.kinds.contains(.form))
        #expect(try PresentVerb.parse(["--exec", "x", "--kinds", "form,whats-new"]).kinds == [.form, .whatsNew])
    }
}
