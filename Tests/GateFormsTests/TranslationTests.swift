import GateForms
import GateModel
import Testing

@Suite("The texts of a form in several languages (L-03)")
struct TranslationTests {
    /// The sibling of an element, with these translations.
    private static func sibling(_ key: String, _ translations: KeyValuePairs<String, String>) -> String {
        let extensions = translations.map { translation($0.key, $0.value) }.joined(separator: ", ")
        return #""_\#(key)": {"extension": [\#(extensions)]}"#
    }

    private static func translation(_ language: String, _ text: String) -> String {
        let parts = #"{"url": "lang", "valueCode": "\#(language)"}, {"url": "content", "valueString": "\#(text)"}"#
        return #"{"url": "http://hl7.org/fhir/StructureDefinition/translation", "extension": [\#(parts)]}"#
    }

    private static let german = LocalizedText.Translation(language: "de", text: "Farbe")

    @Test("title, description, texts, prefixes, options and formats are read in each language")
    func everywhere() throws {
        let text = Form.json(
            """
            {"linkId": "a", "type": "choice", "prefix": "A", \(Self.sibling("prefix", ["de": "Ä"])),
             "text": "Colour", \(Self.sibling("text", ["de": "Farbe", "zh-CN": "颜色"])),
             "answerOption": [
                {"valueCoding": {"code": "r", "display": "Red", \(Self.sibling("display", ["de": "Rot"]))}}]},
            {"linkId": "b", "type": "string", "answerOption": [
                {"valueString": "yes", \(Self.sibling("valueString", ["de": "ja"]))}]},
            {"linkId": "c", "type": "string", "extension": [
                {"url": "http://hl7.org/fhir/StructureDefinition/entryFormat", "valueString": "12 or 12a",
                 \(Self.sibling("valueString", ["de": "12 oder 12a"]))}]},
            {"linkId": "d", "type": "choice", "answerValueSet": "#set"}
            """,
            more: """
                 "language": "en", "title": "Order", \(Self.sibling("title", ["de": "Antrag", "zh-CN": "订单"])),
                "description": "About it", \(Self.sibling("description", ["de": "Darüber", "zh-CN": "关于"])),
                "contained": [{"resourceType": "ValueSet", "id": "set", "status": "active", "compose": {"include": [
                  {"concept": [{"code": "x", "display": "Axe", \(Self.sibling("display", ["de": "Axt"]))}]}]}}],
                """)
        let (questionnaire, problems) = try Form.read(text)
        #expect(
            problems.map(\.message) == [
                "'prefix' is missing in zh-CN, although other texts of this form have it. Add it."
            ])
        let form = try #require(questionnaire)
        #expect(form.titles.text(for: ["de"]) == "Antrag" && form.title == "Order")
        #expect(form.titles.translations.first == .init(language: "en", text: "Order"))
        #expect(form.descriptions?.text(for: ["de"]) == "Darüber" && form.description == "About it")
        #expect(form.items[0].texts?.text(for: ["zh"]) == "颜色" && form.items[0].text == "Colour")
        #expect(form.items[0].prefixes?.text(for: ["de"]) == "Ä")
        #expect(form.items[0].options[0].texts.text(for: ["de"]) == "Rot")
        #expect(form.items[0].options[0].value == .coding(FormCoding(code: "r", display: "Red")))
        #expect(form.items[1].options[0].texts.text(for: ["de"]) == "ja")
        #expect(form.items[2].constraints.entryFormats?.text(for: ["de"]) == "12 oder 12a")
        #expect(form.items[3].options[0].texts.text(for: ["de"]) == "Axt")
    }

    @Test("the resource that a client is given has every translation as it was")
    func roundTrip() throws {
        let item =
            #"{"linkId":"a","type":"string","text":"Colour","#
            + Self.sibling("text", ["de": "Farbe"])
            .replacing(" ", with: "") + "}"
        let text = #"{"resourceType":"Questionnaire","id":"trial","status":"active","item":[\#(item)]}"#
        let node = try FHIRNode(json: Array(text.utf8))
        let form = try #require(QuestionnaireReader(fallbackName: "x").form(node).form)
        #expect(String(decoding: form.json, as: UTF8.self) == text)
        #expect(form.questionnaire.items[0].texts == LocalizedText("Colour", [Self.german]))
    }

    @Test(
        "a malformed translation is refused with its place",
        arguments: [
            (
                #"{"url": "http://hl7.org/fhir/StructureDefinition/translation", "valueString": "x"}"#,
                "has two extensions"
            ),
            (translation("de_DE", "x"), "not 'a text in quotes'"), (translation("de", " "), "has no text"),
            (translation("de", "a") + ", " + translation("DE", "b"), "is there twice"),
            (translation("en", "x"), "The form is in 'en' itself"),
        ])
    func mistakes(translation: String, message: String) throws {
        let (questionnaire, problems) = try Form.read(
            Form.json(
                """
                {"linkId": "a", "type": "string", "text": "Colour",
                "_text": {"extension": [\(translation)]}}
                """, more: #" "language": "en","#))
        #expect(questionnaire == nil)
        let problem = try #require(problems.first { $0.severity == .error })
        #expect(problem.linkID == "a" && problem.path == "Questionnaire.item[0].text" && problem.place?.line == 3)
        if message.hasPrefix("not") {
            #expect(problem.message == "A language is a tag like de, zh-CN or sr-Latn, not a text in quotes.")
        } else {
            #expect(problem.message.contains(message), "\(problem.message)")
        }
    }

    @Test("a text may be in at most 16 languages, including its own")
    func limit() throws {
        let languages = Array("abcdefghijklmnop").map { "x\($0)" }
        for (count, isRight) in [(15, true), (16, false)] {
            let translations = languages.prefix(count).map { Self.translation($0, "x") }.joined(separator: ", ")
            let read = try Form.read(
                Form.json(
                    #"{"linkId": "a", "type": "string", "text": "T", "_text": {"extension": [\#(translations)]}}"#))
            #expect((read.questionnaire != nil) == isRight)
        }
    }

    @Test(
        "a text or option that lacks a language of its neighbours is named with its place; names and numbers are not")
    func missing() throws {
        let marked = MarkedText(
            Form.json(
                """
                {"linkId": "a", "type": "choice", "text": "Colour", \(Self.sibling("text", ["de": "Farbe"])),
                 "answerOption": [{"valueCoding": {"code": "b", "display": "Audi"}}]},
                {"linkId": "b", "type": "string", "prefix": "1.", "text": «"Size"}
                """, more: #" "language": "en","#))
        let (questionnaire, problems) = QuestionnaireReader(fallbackName: "x")
            .questionnaire(try FHIRNode(json: marked.bytes))
        #expect(questionnaire != nil)
        #expect(
            problems.map(\.message) == ["'text' is missing in de, although other texts of this form have it. Add it."])
        #expect(problems.map(\.place) == [marked.place])
        #expect(problems.map(\.severity) == [.warning] && problems[0].linkID == "b")
        let options = try Form.read(
            Form.json(
                """
                {"linkId": "a", "type": "choice", "answerOption": [
                {"valueCoding": {"code": "r", "display": "Red", \(Self.sibling("display", ["de": "Rot"]))}},
                {"valueCoding": {"code": "b", "display": "Blue"}}]}
                """))
        #expect(
            options.problems.map(\.message) == [
                "'display' is missing in de, although other options here have it. Add it."
            ])
    }

    @Test("an unknown extension of a text is reported, and so is a sibling of anything else")
    func others() throws {
        let rendering = Extension.standard("rendering-xhtml", #""valueString": "x""#)
        let text = #"{"linkId": "a", "type": "string", "text": "T", "_text": {"extension": [\#(rendering)]}"#
        let (_, problems) = try Form.read(Form.json(text + #", "_linkId": {"extension": [\#(rendering)]}}"#))
        #expect(
            problems.map(\.message).sorted() == [
                "Gate does not use the extension 'http://hl7.org/fhir/StructureDefinition/rendering-xhtml'.",
                "Gate does not use what '_linkId' says of 'linkId'.",
            ])
    }
}
