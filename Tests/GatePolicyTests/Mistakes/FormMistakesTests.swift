import Foundation
import GateModel
import GatePolicy
import Testing

/// GateForms finds the mistakes; these tests check that people are told the place and the item.
@Suite("Mistakes in forms")
struct FormMistakesTests {
    private static func problems(_ name: String, _ text: String) -> [String] {
        do throws(PolicyError) {
            _ = try PolicyReader.read([PolicySource(name: name, text: text)])
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    private static let parents = "https://gate.example/fhir/StructureDefinition/parents"
    private static let fhir = "http://hl7.org/fhir/StructureDefinition"

    /// Items below `item:`, and for each the place and the item of the first mistake, and a word that is in it.
    private static let mistakes: [(items: String, place: String, word: String)] = [
        ("- {linkId: q, type: date}\n- {linkId: q, type: date}", "6:12: Item 'q': ", "twice"),
        ("- {type: date}", "5:3: ", "linkId"),
        ("- {linkId: q, type: dat}", "5:21: Item 'q': ", "Did you mean 'date'?"),
        ("- {linkId: q, type: question}", "5:21: Item 'q': ", "question"),
        ("- {linkId: q}", "5:3: Item 'q': ", "type"),
        ("- {linkId: q, type: date, requierd: true}", "5:27: Item 'q': ", "requierd"),
        ("- {linkId: q, type: date, required: yes}", "5:37: Item 'q': ", "yes"),
        ("- {linkId: q/r, type: date}", "5:12: Item 'q/r': ", "'/'"),
        (
            "- {linkId: q, type: date, enableWhen: [{question: r, operator: exists, answerBoolean: true}]}",
            "5:51: Item 'q': ", "'r'"
        ),
        (
            "- {linkId: q, type: date, enableWhen: [{question: q, operator: exists, answerBoolean: true}]}",
            "5:51: Item 'q': ", "itself"
        ),
        (
            "- {linkId: q, type: date, enableWhen: [{question: r, operator: exists, answerBoolean: true}]}\n"
                + "- {linkId: r, type: date, enableWhen: [{question: q, operator: exists, answerBoolean: true}]}",
            "5:12: Item 'q': ", "q → r → q"
        ),
        (
            "- {linkId: q, type: date}\n"
                + "- {linkId: r, type: date, enableWhen: [{question: q, operator: =, answerBoolean: true}]}",
            "6:", "answer"
        ),
        (
            "- {linkId: q, type: date, extension: [{url: \"\(parents)\", valueString: nobody}]}", "5:", "'nobody'"
        ),
        (
            "- {linkId: q, type: string, extension: [{url: \"\(fhir)/regex\", valueString: \"(a\"}]}", "5:", "("
        ),
        ("- {linkId: q, type: choice}", "5:3: Item 'q': ", "answerOption"),
        ("- {linkId: q, type: integer, answerOption: [{valueString: a}]}", "5:", "valueString"),
        ("- {linkId: q, type: integer, initial: [{valueString: a}]}", "5:", "valueString"),
        ("- {linkId: q, type: group}", "5:3: Item 'q': ", "items"),
        ("- {linkId: q, type: display, text: t, item: [{linkId: r, type: date}]}", "5:", "display"),
        ("- {linkId: q, type: date, maxLength: 4}", "5:27: Item 'q': ", "maxLength"),
        ("- {linkId: q, type: choice, answerValueSet: \"http://example.org/vs\"}", "5:45: Item 'q': ", "contained"),
    ]

    @Test(
        "a mistake in a form in YAML is reported with file, line, column and the linkId of its item",
        arguments: mistakes)
    func yaml(items: String, place: String, word: String) throws {
        let text = "resourceType: Questionnaire\nid: f\nstatus: active\nitem:\n\(items)\n"
        let problems = Self.problems("questionnaires.d/f.yaml", text)
        let first = try #require(problems.first)
        #expect(first.hasPrefix("questionnaires.d/f.yaml:\(place)"), "\(problems)")
        #expect(first.contains(word), "\(problems)")
        #expect(first.contains("Item '") || place == "5:3: ", "\(problems)")
    }

    @Test(
        "a mistake in a form in JSON is reported with line, column and the linkId of its item",
        arguments: [
            ("{\"linkId\": \"q\", \"type\": \"dat\"}", "5:25: Item 'q': ", "Did you mean 'date'?"),
            ("{\"linkId\": \"q\", \"type\": \"date\", \"required\": \"true\"}", "5:45: Item 'q': ", "true"),
            ("{\"linkId\": \"q\", \"type\": \"date\", \"type\": \"date\"}", "5:33: ", "twice"),
            ("{\"linkId\": \"q\", \"type\": \"date\",}", "5:32: ", "key"),
            ("{\"linkId\": \"q\" \"type\": \"date\"}", "5:16: ", "comma"),
        ])
    func json(item: String, place: String, word: String) throws {
        let text =
            "{\n\"resourceType\": \"Questionnaire\",\n\"id\": \"f\", \"status\": \"active\",\n\"item\": [\n\(item)]}\n"
        let problems = Self.problems("questionnaires.d/f.json", text)
        let first = try #require(problems.first)
        #expect(first.hasPrefix("questionnaires.d/f.json:\(place)"), "\(problems)")
        #expect(first.contains(word), "\(problems)")
    }

    @Test(
        "anchors, tags and second documents of YAML are refused in forms as in policies",
        arguments: [
            ("a: &x {}\n", "1:4: Forms have no anchors ('&name') and no aliases ('*name'). Write it out."),
            ("a: !!int 3\n", "1:4: Forms have no tags ('tag:yaml.org,2002:int'). Leave it out."),
            (
                "a: b\n--- \nc: d\n",
                "2:1: Each file is one document. Delete the '---' and what follows, or make a file of it."
            ),
        ])
    func plainYAML(text: String, problem: String) {
        #expect(Self.problems("questionnaires.d/f.yaml", text) == ["questionnaires.d/f.yaml:\(problem)"])
    }

    @Test("a form may be nested as deeply as its items go, and no deeper")
    func nesting() throws {
        func nested(_ depth: Int) -> String {
            let inner = "{linkId: q, type: date}"
            let items = (0..<depth).reduce(inner) { "{linkId: g\($1), type: group, item: [\($0)]}" }
            return SampleForms.yaml(id: "f", item: items)
        }
        #expect(Self.problems("questionnaires.d/f.yaml", nested(31)) == [])
        let problems = Self.problems("questionnaires.d/f.yaml", nested(32))
        #expect(problems.count == 1 && problems[0].contains("at most 32 inside one another"), "\(problems)")
        let far = Self.problems("questionnaires.d/f.yaml", "a: " + String(repeating: "[", count: 500))
        #expect(!far.isEmpty)
        let closed = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        #expect(Self.problems("questionnaires.d/f.yaml", closed).count == 1)
    }
}
