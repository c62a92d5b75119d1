import Foundation
import GateForms
import GateModel
import GatePolicy
import Testing

@Suite("Single files with a form or a response")
struct FormFileTests {
    private let directory: ConfigurationDirectory

    init() throws {
        directory = try ConfigurationDirectory([
            "form.json": SampleForms.json, "form.yaml": SampleForms.yaml, "form.txt": SampleForms.yaml,
            "unnamed.yaml": SampleForms.yaml(id: nil), "empty.yaml": "# nothing\n", "empty.json": "",
            "wrong.yaml": SampleForms.yaml(id: "wrong", item: "{linkId: q, type: dat}"),
            "odd.yaml": SampleForms.yaml(id: "odd") + "implicitRules: http://example.org\n",
            "answers.json": "{\"resourceType\": \"QuestionnaireResponse\", \"status\": \"completed\"}",
            "answers.yaml": "resourceType: QuestionnaireResponse\nstatus: completed\n",
        ])
    }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    private func problem(_ read: () throws(PolicyError) -> Void) -> String? {
        do throws(PolicyError) {
            try read()
            return nil
        } catch {
            return error.problems.first.map { String($0.description.dropFirst(directory.path.count + 1)) }
        }
    }

    @Test("the ending of a form's file decides how it is read, no matter who can write to it")
    func form() throws {
        try directory.chmod("form.json", 0o666)
        let json = try QuestionnaireFile.read(path("form.json"))
        let yaml = try QuestionnaireFile.read(path("form.yaml"))
        #expect(json.form == yaml.form && json.form.questionnaire.name == "school")
        #expect(json.warnings.isEmpty)
        #expect(try QuestionnaireFile.read(path("unnamed.yaml")).form.questionnaire.name == "unnamed")
    }

    @Test(
        "a file that is no form is refused with its place",
        arguments: [
            ("form.txt", "form.txt: Forms end in .json or .yaml; this one would not be read."),
            ("empty.yaml", "empty.yaml: This file is empty. Fill it, or remove it."),
            ("nowhere.yaml", "nowhere.yaml: It can't be opened: No such file or directory. Is this its path?"),
        ])
    func noForm(name: String, expected: String) {
        #expect(problem { () throws(PolicyError) in _ = try QuestionnaireFile.read(path(name)) } == expected)
    }

    @Test("mistakes have line, column and linkId", arguments: ["wrong.yaml:5:23: Item 'q': ", "odd.yaml:6:"])
    func mistakes(beginning: String) throws {
        let name = String(beginning.prefix { $0 != ":" })
        let found = try #require(problem { () throws(PolicyError) in _ = try QuestionnaireFile.read(path(name)) })
        #expect(found.hasPrefix(beginning), "\(found)")
        #expect(problem { () throws(PolicyError) in _ = try QuestionnaireFile.read(path("empty.json")) } != nil)
    }

    @Test("a response in JSON and one in YAML give the same JSON")
    func response() throws {
        let json = ResponseReader().response(try ResponseFile.json(path("answers.json")))
        let yaml = ResponseReader().response(try ResponseFile.json(path("answers.yaml")))
        #expect(json.response == QuestionnaireResponse(status: .completed))
        #expect(json.response == yaml.response)
    }

    @Test("values of a response in YAML get the types of their elements in FHIR")
    func typedResponse() throws {
        try directory.write(
            "typed.yaml",
            Array(
                """
                resourceType: QuestionnaireResponse
                status: in-progress
                item:
                  - {linkId: 1, text: 2026, answer: [{valueInteger: 3}]}
                  - {linkId: b, answer: [{valueString: 007}, {valueString: true}, {valueString: ""}]}
                  - {linkId: c, answer: [{valueDecimal: 1.50}, {valueBoolean: false}, {valueDate: 2026-11-01}]}
                """.replacing(", {valueString: \"\"}", with: "").utf8))
        let reading = ResponseReader().response(try ResponseFile.json(path("typed.yaml")))
        #expect(reading.issues == [])
        let items = try #require(reading.response).items
        #expect(items.map(\.linkID) == ["1", "b", "c"] && items[0].text == "2026")
        #expect(
            items.map { $0.answers.map(\.value) } == [
                [.integer(3)], [.string("007"), .string("true")],
                [
                    .decimal(try #require(FormDecimal("1.50"))), .boolean(false),
                    .date(try #require(FormDate("2026-11-01"))),
                ],
            ])
    }

    @Test("a response that can't be read says where")
    func badResponse() throws {
        try directory.write("bad.json", Array("{\n  \"a\": tru\n}".utf8))
        try directory.write("bad.yaml", Array("a: [\n".utf8))
        for (name, beginning) in [("bad.json", "bad.json:2:"), ("bad.yaml", "bad.yaml:2:")] {
            let found = try #require(problem { () throws(PolicyError) in _ = try ResponseFile.json(path(name)) })
            #expect(found.hasPrefix(beginning), "\(found)")
        }
        let found = problem { () throws(PolicyError) in _ = try ResponseFile.json(path("form.txt")) }
        #expect(found == "form.txt: Responses end in .json or .yaml; this one would not be read.")
    }
}
