import GateModel
import GatePolicy
import Testing

@Suite("Texts of the policy in several languages (L-03)")
struct PolicyTextsTests {
    private static func read(_ text: String, _ name: String = "policy.yaml") throws(PolicyError) -> Policy {
        try PolicyReader.read([PolicySource(name: name, text: text)])
    }

    private static func title(_ title: String) throws(PolicyError) -> LocalizedText? {
        try read("gated-actions:\n  a: {title: \(title), requires: {mode: parent}}\n")
            .configuration.gatedActions["a"]?.titles
    }

    private static func mistakes(_ title: String) -> [String] {
        do throws(PolicyError) {
            _ = try Self.title(title)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    private static func warnings(_ text: String, _ name: String = "policy.yaml") throws(PolicyError) -> [String] {
        try read(text, name).warnings.map(\.description)
    }

    @Test("a title is one text or one for each language; other languages get the English one, or else the first")
    func titles() throws {
        #expect(try Self.title("Open a web page") == "Open a web page")
        #expect(
            try Self.title("{de: Seite, en-GB: Page}")
                == LocalizedText(
                    "Page", [.init(language: "de", text: "Seite"), .init(language: "en-GB", text: "Page")]))
        #expect(try Self.title("{de: Seite, ru: Страница}")?.text == "Seite")
        let premium = try Self.read("entitlements: {premium: {title: {en: Premium, zh-CN: 高级版}}}")
        #expect(premium.configuration.entitlements["premium"]?.titles.text(for: ["zh-CN"]) == "高级版")
    }

    @Test(
        "a mistake in a title is refused with its place",
        arguments: [
            ("{}", "2:14: 'title' is a text, or 1 to 16 texts"), ("{english: X}", "2:15: 'english' is no language."),
            ("{de: }", "2:19: 'de' is a text, not nothing."), ("{de: [a]}", "2:19: 'de' is a text, not a list."),
            ("{de: a, DE: b}", "2:22: 'DE' is no language."), ("{zh-CN: a, zh-cn: b}", "2:25: 'title' is there twice"),
            ("{de: a, de: b}", "2:"), ("[a]", "2:14: 'title' is a text, not a list."),
            ("{de: \"a\\u200Bb\"}", "2:19: 'de' is one line"),
        ])
    func mistakes(title: String, message: String) {
        let found = Self.mistakes(title)
        #expect(found.count == 1 && found[0].hasPrefix("policy.yaml:\(message)"), "\(found)")
    }

    @Test("the length of a text and the number of its languages are limited")
    func limits() {
        let long = String(repeating: "я", count: 101)
        #expect(Self.mistakes("{ru: \(long)}").first?.contains("at most 100 are shown") == true)
        let letters = Array("abcdefghijklmnopq")
        let many = letters.map { "x\($0): text" }.joined(separator: ", ")
        #expect(Self.mistakes("{\(many)}").first?.contains("1 to 16 texts") == true)
        #expect(Self.mistakes("{\(letters.dropLast().map { "x\($0): text" }.joined(separator: ", "))}").isEmpty)
    }

    @Test("the texts of all entitlements, and those of one version's notes, must fit into one message")
    func limitsOfAll() {
        let titles = "{de: a, en: b, fr: c, ru: d}"
        func entitlements(_ count: Int) -> String {
            "entitlements:\n" + (0..<count).map { "  e\($0): {title: \(titles)}\n" }.joined()
        }
        #expect(throws: Never.self) { try Self.read(entitlements(32)) }
        let error = #expect(throws: PolicyError.self) { try Self.read(entitlements(33)) }
        #expect(error?.problems.first?.line == 34 && error?.problems.first?.kind == .tooLong)
        let all = "{" + (0..<16).map { "x\(Array("abcdefghijklmnop")[$0]): a" }.joined(separator: ", ") + "}"
        let features = String(repeating: "{title: \(all), subtitle: \(all)}, ", count: 50)
        let notes = "app: a\nversions: {1: {title: T, features: [\(features)]}}"
        let refusal = #expect(throws: PolicyError.self) { try Self.read(notes, "release-notes.d/a.yaml") }
        #expect(refusal?.problems.first?.message.contains("1602 texts") == true)
    }

    @Test("a text that lacks a language of others in its file gives a warning with its place and that language")
    func missing() throws {
        let text = """
            entitlements:
              premium: {title: Premium}
            gated-actions:
              a: {title: {en: A, de: A}, requires: {mode: parent}}
              b: {title: {en: B, ru: B}, requires: {mode: parent}}
              c: {title: {en: C, de: C, ru: C}, requires: {mode: parent}}
              d: {requires: {mode: parent}}
            """
        #expect(
            try Self.warnings(text) == [
                "policy.yaml:2:20: 'title' is only there in one language, but other texts of this file are in de, en, ru. Add those.",
                "policy.yaml:4:14: 'title' is missing in ru, although other texts of this file have it. Add it.",
                "policy.yaml:5:14: 'title' is missing in de, although other texts of this file have it. Add it.",
            ])
        #expect(try Self.warnings("gated-actions: {a: {title: A, requires: {mode: parent}}}").isEmpty)
    }

    @Test("a text in zh covers zh-CN, so it gives no warning")
    func alike() throws {
        let text = """
            gated-actions:
              a: {title: {en: A, zh: 一}, requires: {mode: parent}}
              b: {title: {en-US: B, zh-CN: 二}, requires: {mode: parent}}
            """
        #expect(try Self.warnings(text).isEmpty)
    }

    @Test("release notes have texts in several languages, and one that lacks a language gives a warning")
    func notes() throws {
        let text = """
            app: org.example.draw
            versions:
              1.2.0:
                title: {en: New, de: Neu}
                features:
                  - {title: {en: Layers, de: Ebenen}, subtitle: {en: One over the other., de: Eins übers andere.}}
                  - {title: {en: Undo}}
                primary: {title: {en: Go on, de: Weiter}, haptic: success}
                secondary: {title: {de: Mehr, en: More}}
            """
        let policy = try Self.read(text, "release-notes.d/a.yaml")
        let entry = try #require(policy.configuration.releaseNotes["org.example.draw"]?.entries.first)
        #expect(entry.titles.text(for: ["de"]) == "Neu" && entry.title == "New")
        #expect(entry.features[0].subtitles.text(for: ["de"]) == "Eins übers andere.")
        #expect(entry.primary.titles.text(for: ["de"]) == "Weiter" && entry.primary.haptic == .success)
        #expect(entry.secondary?.titles.text(for: ["de"]) == "Mehr" && entry.secondary?.title == "More")
        #expect(
            policy.warnings.map(\.description) == [
                "release-notes.d/a.yaml:7:17: 'title' is missing in de, although other texts of this file have it. Add it."
            ])
    }
}
