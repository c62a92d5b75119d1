import GateModel
import Testing

@Suite("Texts in several languages (L-03)")
struct LocalizedTextTests {
    private static func text(_ languages: [String]) -> LocalizedText {
        LocalizedText("default", languages.map { .init(language: $0, text: $0) })
    }

    @Test(
        "a text is chosen by the same language, a more general one, a similar one, or else the default",
        arguments: [
            (["de"], ["en", "de"], "de"), (["de-CH"], ["de", "de-CH"], "de-CH"), (["de-AT"], ["en", "de"], "de"),
            (["de-AT"], ["de-CH"], "de-CH"), (["DE_at"], ["de-AT"], "de-AT"), (["fr"], ["en", "de"], "default"),
            (["fr", "de"], ["en", "de"], "de"), ([], ["en"], "default"), (["en"], [], "default"),
            (["d"], ["de"], "default"), (["sr-Latn-RS"], ["sr", "sr-Latn"], "sr-Latn"),
        ])
    func bestFit(wanted: [String], languages: [String], taken: String) {
        #expect(Self.text(languages).text(for: wanted) == taken)
    }

    @Test("Chinese is looked for in the country's script first, then in any")
    func chinese() {
        let both = Self.text(["zh-Hant", "zh-Hans"])
        #expect(both.text(for: ["zh-CN"]) == "zh-Hans" && both.text(for: ["zh-SG"]) == "zh-Hans")
        #expect(both.text(for: ["zh-TW"]) == "zh-Hant" && both.text(for: ["zh-HK"]) == "zh-Hant")
        #expect(Self.text(["zh-CN"]).text(for: ["zh-TW"]) == "zh-CN" && Self.text(["zh"]).text(for: ["zh-CN"]) == "zh")
    }

    @Test("a language tag has a language and subtags of letters and digits, joined by hyphens")
    func tags() {
        for tag in ["en", "zh-Hans-CN", "sl-rozaj-biske-1994", "DE", "es-419"] { #expect(LanguageTag.isTag(tag)) }
        for tag in ["", "e", "en-", "-en", "en--US", "en_US", "12", "en-123456789", "ü", "en us", "zh-\u{1b}"] {
            #expect(!LanguageTag.isTag(tag), "\(tag)")
        }
        #expect(!LanguageTag.isTag("en" + String(repeating: "-abcdefgh", count: 4)))
    }

    @Test("an option's text is in the person's language, and another answer stays as it was given")
    func answers() {
        let red = FormValue.coding(FormCoding(code: "r", display: "Red"))
        let item = QuestionnaireItem(
            linkID: "colour", kind: .openChoice,
            options: [QuestionnaireAnswerOption(red, translations: [.init(language: "de", text: "Rot")])])
        #expect(item.text(of: red, for: ["de-CH"]) == "Rot" && item.text(of: red, for: ["ru"]) == "Red")
        #expect(item.text(of: .string("Rot?"), for: ["de"]) == "Rot?")
    }
}
