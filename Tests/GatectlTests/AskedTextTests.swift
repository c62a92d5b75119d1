import GateModel
import Testing

@testable import gatectl

@Suite("Who asks, and for what")
struct AskedTextTests {
    private func text(
        _ asked: PresentationContext, _ purpose: Presentation.Purpose, _ kind: Presentation.Kind = .challenge(.confirm)
    ) -> AskedText {
        AskedText(
            PresentationSummary(
                id: 1, purpose: purpose, kind: kind, deadline: BootTime(nanoseconds: 1), style: .sheet,
                isDismissible: true, stage: .claimed, asked: asked))
    }

    private let link = PresentationContext(
        uid: 0, pid: 42, program: "firefox", gatedAction: "link.open", title: "Open a web page",
        details: "https://example.org/")

    @Test("user and process come from the kernel, and the name that a program gives itself is marked as its own claim")
    func lines() {
        #expect(
            text(link, .authorize).lines(colours: .none) == [
                "Open a web page", "Asked by root (the program says it is \"firefox\").", "| https://example.org/",
            ])
    }

    @Test("the policy's texts are in the person's language, and the asker's text is shown unchanged (L-03)")
    func languages() {
        let german: [LocalizedText.Translation] = [.init(language: "de", text: "Eine Webseite öffnen")]
        var link = link
        link.titles.translations = german
        link.translatedDetails = german
        func asked(_ asked: PresentationContext, _ purpose: Presentation.Purpose) -> AskedText {
            AskedText(
                PresentationSummary(
                    id: 1, purpose: purpose, kind: .paywall, deadline: BootTime(nanoseconds: 1), style: .sheet,
                    isDismissible: true, stage: .claimed, asked: asked), for: ["de-AT", "en"])
        }
        #expect(asked(link, .authorize).title == "Eine Webseite öffnen")
        #expect(asked(link, .authorize).details == "https://example.org/")
        let pay = PresentationContext(
            uid: 0, pid: 42, program: "firefox", details: "Premium",
            translatedDetails: [.init(language: "de", text: "Prämie")])
        #expect(asked(pay, .pay).title == "Prämie" && asked(pay, .pay).details.isEmpty)
    }

    @Test("a request about the mode says so, and a user without a name is shown by number")
    func mode() {
        let asked = PresentationContext(uid: 4_000_000_001, pid: 7, program: "")
        #expect(
            text(asked, .enterParentMode).lines(colours: .none) == [
                "Parent mode", "Asked by user 4000000001.",
            ])
        #expect(text(asked, .extendParentMode).title == "More time in parent mode")
        #expect(text(asked, .enterParentMode).heading == "For parent mode, a grown-up answers:")
        #expect(text(asked, .extendParentMode).heading == "For more time in parent mode, a grown-up answers:")
        #expect(text(asked, .authorize).heading == "A grown-up answers:")
    }

    @Test("a gated action without a title is shown by its name")
    func untitled() {
        var asked = link
        asked.titles = ""
        #expect(text(asked, .authorize).title == "link.open")
    }

    @Test("a sign-in that the policy wants is asked by Gate itself; other requests name their asker and purpose")
    func signInAndPaywall() {
        let cover = text(PresentationContext(uid: 0, pid: 0, program: "gated"), .signIn, .signIn)
        #expect(cover.lines(colours: .none) == ["Sign in", "Asked by Gate itself, as its policy says."])
        #expect(cover.heading == "Sign in to continue:")
        #expect(text(link, .authorize, .signIn).title == "Open a web page")
        #expect(text(link, .authorize, .signIn).who == "Asked by root (the program says it is \"firefox\").")
        #expect(text(link, .authorize, .paywall).heading == "Buy this to continue:")
        #expect(
            text(PresentationContext(uid: 0, pid: 42, program: ""), .pay, .paywall).title == "A purchase")
        let premium = PresentationContext(uid: 0, pid: 42, program: "", details: "Premium")
        #expect(text(premium, .pay, .paywall).lines(colours: .none) == ["Premium", "Asked by root."])
    }

    @Test("forms and release notes are shown by their titles, and only once")
    func formAndWhatsNew() {
        let pet = PresentationContext(uid: 0, pid: 42, program: "", details: "A pet")
        #expect(text(pet, .fillForm, .form).lines(colours: .none) == ["A pet", "Asked by root."])
        #expect(text(pet, .fillForm, .form).heading == "Please fill in:")
        #expect(text(pet, .whatsNew, .whatsNew).heading == "This is new:")
        // The notes below name the app.
        #expect(text(pet, .whatsNew, .whatsNew).title == "News about an app")
        #expect(text(PresentationContext(uid: 0, pid: 42, program: ""), .fillForm, .form).title == "A form")
        #expect(text(link, .authorize, .form).title == "Open a web page")
    }

    @Test("foreign texts can neither move the cursor nor turn the direction of writing")
    func harmless() {
        var asked = link
        asked.program = "a\u{1b}]0;b\u{7}"
        asked.titles = "\u{202e}Delete"
        asked.details = "a\u{9b}2Jb\u{2028}c\u{200b}d"
        #expect(
            text(asked, .authorize).lines(colours: .none) == [
                "<U+202E>Delete", "Asked by root (the program says it is \"a<U+001B>]0;b<U+0007>\").",
                "| a<U+009B>2Jb<U+2028>c<U+200B>d",
            ])
    }
}
