import GateModel
import GateProtocol
import Testing

@testable import gatectl

let notice = WhatsNewNotice(
    app: "org.example.draw",
    entry: WhatsNew(
        version: AppVersion(1, 2, 0), title: "What's new in Draw",
        features: [
            WhatsNew.Feature(image: "layers", colour: "#3584e4", title: "Layers", subtitle: "Draw on top."),
            WhatsNew.Feature(image: "", colour: "", title: "Pens", subtitle: ""),
        ],
        primary: WhatsNew.PrimaryAction(title: "Continue"),
        secondary: WhatsNew.SecondaryAction(title: "Learn more", url: "https://example.org/new")))

@Suite("Release notes for people")
struct WhatsNewTests {
    private var withoutSecondary: WhatsNewText {
        var notice = notice
        notice.entry.secondary = nil
        return WhatsNewText(notice)
    }

    @Test("title, features and buttons are shown, with the address of the second button (F-56, F-57)")
    func lines() {
        #expect(
            WhatsNewText(notice).lines(colours: .none) == [
                "What's new in Draw", "org.example.draw 1.2.0", "", "* Layers", "  Draw on top.", "* Pens", "",
                "Learn more: https://example.org/new",
            ])
        #expect(WhatsNewText(notice).request == "Return: Continue, s: Learn more")
        #expect(withoutSecondary.request == "Return: Continue" && withoutSecondary.lines(colours: .none).count == 6)
    }

    @Test("Return is the primary button, s the second one, where there is one")
    func answers() {
        let text = WhatsNewText(notice)
        for line in ["", "a", "continue", " primary "] { #expect(text.answer(line) == .acknowledged(.primary)) }
        for line in ["s", "S", "b", "Learn more"] { #expect(text.answer(line) == .acknowledged(.secondary)) }
        #expect(text.answer("x") == nil && withoutSecondary.answer("s") == nil)
        #expect(text.singleKeys == Set("sS".utf8) && withoutSecondary.singleKeys == [])
    }

    @Test("the buttons of an app's own news have Gate's words, and the app's labels are among its lines")
    func appsOwn() {
        let own = WhatsNewText(notice, isAppsOwn: true)
        #expect(own.buttons == ["I have read it", "More about it"])
        #expect(own.request == "Return: I have read it, s: More about it")
        #expect(own.lines(colours: .none).suffix(3) == ["", "Continue", "Learn more: https://example.org/new"])
        for line in ["", "a", "i have read it"] { #expect(own.answer(line) == .acknowledged(.primary)) }
        for line in ["s", "b", "More about it"] { #expect(own.answer(line) == .acknowledged(.secondary)) }
        #expect(own.answer("Continue") == nil && own.answer("Learn more") == nil)
        var notice = notice
        notice.entry.secondary?.url = nil
        #expect(
            WhatsNewText(notice, isAppsOwn: true).lines(colours: .none).suffix(3) == ["", "Continue", "Learn more"])
        notice.entry.secondary = nil
        let one = WhatsNewText(notice, isAppsOwn: true)
        #expect(one.buttons == ["I have read it"] && one.lines(colours: .none).suffix(2) == ["", "Continue"])
    }

    @Test("each app is a line with its newest version and those that were seen")
    func list() {
        let app = ReleaseNotesSummary(
            app: "org.example.draw", newest: AppVersion(1, 2, 0), entryCount: 2, seen: [AppVersion(1, 0, 0)])
        #expect(WhatsNewListVerb.columns(app) == ["org.example.draw", "newest 1.2.0", "2 versions", "seen 1.0.0"])
        let unseen = ReleaseNotesSummary(app: "a", newest: AppVersion(1, 0, 0), entryCount: 1, seen: [])
        #expect(WhatsNewListVerb.columns(unseen).suffix(2) == ["1 version", "none seen"])
    }
}
