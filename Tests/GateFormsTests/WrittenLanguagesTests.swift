import GateForms
import GateModel
import Testing

@Suite("Texts of a form written as lists of languages (K-16)")
struct WrittenLanguagesTests {
    private static func read(_ text: String) throws -> (questionnaire: Questionnaire?, problems: [FormProblem]) {
        let node = try FHIRNode(json: Array(text.utf8), maximumBytes: 1 << 20).withWrittenLanguages
        return QuestionnaireReader(fallbackName: "fallback").questionnaire(node)
    }

    @Test("titles, questions and options may be written as in the policy, and equal FHIR's translations")
    func texts() throws {
        let short = """
            {"resourceType": "Questionnaire", "id": "pets", "status": "active", "language": "en",
             "title": {"en": "Pets", "de": "Haustiere"}, "item": [
              {"linkId": "kind", "type": "choice", "text": {"de": "Was für eines?", "en": "What is it?"}, "answerOption": [
                {"valueCoding": {"code": "dog", "display": {"en": "A dog", "de": "Ein Hund"}}}]}]}
            """
        func translated(_ key: String, _ text: String, _ german: String) -> String {
            """
            "\(key)": "\(text)", "_\(key)": {"extension": [{"url": "http://hl7.org/fhir/StructureDefinition/translation",
             "extension": [{"url": "lang", "valueCode": "de"}, {"url": "content", "valueString": "\(german)"}]}]}
            """
        }
        let long = """
            {"resourceType": "Questionnaire", "id": "pets", "status": "active", "language": "en",
             \(translated("title", "Pets", "Haustiere")), "item": [
              {"linkId": "kind", "type": "choice", \(translated("text", "What is it?", "Was für eines?")), "answerOption": [
                {"valueCoding": {"code": "dog", \(translated("display", "A dog", "Ein Hund"))}}]}]}
            """
        let (written, problems) = try Self.read(short)
        #expect(problems.isEmpty, "\(problems)")
        let questionnaire = try #require(written)
        #expect(try questionnaire == Self.read(long).questionnaire)
        #expect(questionnaire.titles.text(for: ["de-CH"]) == "Haustiere" && questionnaire.title == "Pets")
        #expect(questionnaire.items[0].texts?.text(for: ["de"]) == "Was für eines?")
    }

    @Test("a mapping that is not a list of languages is reported with its place")
    func others() throws {
        let text = #"{"resourceType": "Questionnaire", "id": "a", "status": "active", "title": {"colour": "red"}}"#
        #expect(try Self.read(text).problems.contains { $0.path == "Questionnaire.title" })
        let narrative = """
            {"resourceType": "Questionnaire", "id": "a", "status": "active", "title": "A",
             "text": {"status": "generated", "div": "<div/>"}, "item": [{"linkId": "q", "type": "string", "text": "Q"}]}
            """
        #expect(try Self.read(narrative).problems.allSatisfy { $0.severity != .error })
    }
}
