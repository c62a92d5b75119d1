import ArgumentParser
import Foundation
import GateModel
import GatePolicy
import Testing

@testable import gatectl

/// Files of their own for one test.
private final class FormFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("gatectl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
        return "\(path)/\(name)"
    }
}

@Suite("Validating forms without a daemon")
struct FormValidateTests {
    private static let pet = """
        resourceType: Questionnaire
        id: pet
        url: https://example.org/pet
        status: active
        item:
          - linkId: name
            type: string
            text: Name
            required: true
            maxLength: 5
          - linkId: legs
            type: integer
            text: Legs
        """

    private static func answers(_ items: String, status: String = "completed") -> String {
        "{\"resourceType\":\"QuestionnaireResponse\",\"questionnaire\":\"https://example.org/pet\","
            + "\"status\":\"\(status)\",\"item\":[\(items)]}"
    }

    private func verdict(_ response: String) throws -> FormFileVerdict {
        let folder = try FormFolder()
        return try FormFiles.verdict(
            questionnaire: folder.file("pet.yaml", Self.pet), response: folder.file("answers.json", response))
    }

    @Test("choices of an unknown value set are noted but not refused, and such a form can't be filled in")
    func unknownValueSet() throws {
        let folder = try FormFolder()
        let form = try folder.file(
            "pet.yaml",
            Self.pet + "\n  - {linkId: kind, type: choice, text: Kind, answerValueSet: 'https://example.org/pets'}\n")
        func verdict(_ value: String) throws -> FormFileVerdict {
            let answers = Self.answers(
                #"{"linkId":"name","answer":[{"valueString":"Rex"}]},{"linkId":"kind","answer":[\#(value)]}"#)
            return try FormFiles.verdict(questionnaire: form, response: folder.file("answers.json", answers))
        }
        let verdictOfCode = try verdict(#"{"valueCoding":{"code":"dog"}}"#)
        #expect(verdictOfCode.isValid && verdictOfCode.issues.map(\.severity) == [.information])
        #expect(verdictOfCode.lines.first?.contains("https://example.org/pets") == true, "\(verdictOfCode.lines)")
        #expect(try !verdict(#"{"valueInteger":1}"#).isValid)
        #expect(FormCheck(files: [form]).problems.count == 1)
    }

    @Test(
        "a valid response prints nothing and gives status 0",
        arguments: [
            answers(#"{"linkId":"name","answer":[{"valueString":"Rex"}]}"#),
            answers(
                #"{"linkId":"name","answer":[{"valueString":"Rex"}]},{"linkId":"legs","answer":[{"valueInteger":4}]}"#),
            answers(#"{"linkId":"legs","answer":[{"valueInteger":4}]}"#, status: "in-progress"),
        ])
    func valid(response: String) throws {
        let verdict = try verdict(response)
        #expect(verdict.isValid && verdict.exitStatus == 0)
        #expect(!verdict.lines.contains { $0.hasPrefix("error") })
    }

    @Test(
        "an invalid response prints a line for each issue, with place and item, and gives status 1",
        arguments: [
            (
                answers(#"{"linkId":"name","answer":[{"valueString":"Mirabelle"}]}"#),
                "error QuestionnaireResponse.item[0].answer[0] (name): "
            ),
            (answers(#"{"linkId":"legs","answer":[{"valueInteger":4}]}"#), " (name): "),
            (
                answers(
                    #"{"linkId":"name","answer":[{"valueString":"Rex"}]},{"linkId":"legs","answer":[{"valueString":"4"}]}"#
                ),
                "error QuestionnaireResponse.item[1].answer[0] (legs): "
            ),
            (
                answers(#"{"linkId":"name","answer":[{"valueString":"Rex"}]},{"linkId":"tail"}"#),
                "error QuestionnaireResponse.item[1] (tail): "
            ),
            ("{\"resourceType\":\"Patient\"}", "error "),
        ])
    func invalid(response: String, line: String) throws {
        let verdict = try verdict(response)
        #expect(!verdict.isValid && verdict.exitStatus == 1)
        #expect(verdict.lines.contains { $0.contains(line) }, "\(verdict.lines)")
    }

    @Test("in JSON the verdict is an OperationOutcome, which has an issue even for a valid response")
    func outcome() throws {
        for (response, severity) in [
            (Self.answers(#"{"linkId":"tail"}"#), "error"),
            (Self.answers(#"{"linkId":"name","answer":[{"valueString":"Rex"}]}"#), "information"),
        ] {
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(try verdict(response).json.utf8)) as? [String: Any])
            #expect(object["resourceType"] as? String == "OperationOutcome")
            let issues = try #require(object["issue"] as? [[String: Any]])
            #expect(issues.first?["severity"] as? String == severity)
        }
    }

    @Test("a file that can't be read and a wrong questionnaire give status 65 and no verdict")
    func unreadable() throws {
        let folder = try FormFolder()
        let pet = try folder.file("pet.yaml", Self.pet)
        let wrong = try folder.file(
            "wrong.json", #"{"resourceType":"Questionnaire","status":"active","item":[{"linkId":"a","type":"riddle"}]}"#
        )
        let answers = try folder.file("answers.json", Self.answers(""))
        let broken = try folder.file("broken.json", "{")
        for (form, response) in [
            (pet, "\(folder.path)/nowhere.json"), ("\(folder.path)/nowhere.json", answers), (wrong, answers),
            (pet, broken), (folder.path, answers),
        ] {
            let error = #expect(throws: GateError.self) {
                try FormFiles.verdict(questionnaire: form, response: response)
            }
            #expect(error?.exitStatus == 65)
        }
    }

    @Test("each questionnaire is checked, and each mistake has file, line, column and item")
    func check() throws {
        let folder = try FormFolder()
        let good = try folder.file("pet.yaml", Self.pet)
        let wrong = try folder.file(
            "wrong.yaml", Self.pet.replacing("type: integer", with: "type: riddle"))
        #expect(FormCheck(files: [good]).problems.isEmpty)
        let check = FormCheck(files: [good, wrong, "\(folder.path)/nowhere.json"])
        #expect(check.problems.count == 2)
        let problem = try #require(check.problems.first)
        #expect(problem.file == wrong && problem.line == 12 && problem.column != nil)
        #expect(problem.message.contains("legs") && check.lines.first?.hasPrefix("\(wrong):12:") == true)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(check.json.utf8)) as? [String: [[String: Any]]])
        #expect(object["problems"]?.count == 2 && object["warnings"]?.isEmpty == true)
    }

    @Test("the digest of a document in a response is its SHA-256")
    func digest() {
        #expect(
            FormFiles.digest(Array("abc".utf8)).hexText
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}

@Suite("The commands form and whatsnew")
struct FormVerbTests {
    @Test("values, a revision and a path are read from the command line")
    func parsing() throws {
        let set = try FormSetVerb.parse(["car", "driver[1]/licence", "b", "c1", "--at", "7"])
        #expect(set.answer.form.name == "car" && set.answer.values == ["b", "c1"] && set.revision.at == 7)
        #expect(set.answer.path == FormPath(text: "driver[1]/licence"))
        #expect(try FormSetVerb.parse(["car", "legs", "--", "-4"]).answer.values == ["-4"])
        #expect(try FormSetVerb.parse(["car", "legs"]).answer.values == [])
        #expect(try FormReuseVerb.parse(["car"]).id == nil && FormLoadVerb.parse(["car", "7"]).id == 7)
        #expect(try WhatsNewShowVerb.parse(["org.example.draw", "1.2"]).whatsNew.version == AppVersion(1, 2, 0))
    }

    @Test("the form that form new makes has no mistake, and its texts are in two languages (K-16)")
    func beginning() throws {
        let folder = try FormFolder()
        let file = try folder.file("pets.yaml", FormNewVerb.form(named: "pets") + "\n")
        let check = FormCheck(files: [file])
        #expect(check.problems.isEmpty && check.warnings.isEmpty, "\(check.lines)")
        let form = try QuestionnaireFile.read(file).form.questionnaire
        #expect(form.name == "pets" && form.titles.text(for: ["de"]) == "Mein Formular")
        #expect(throws: (any Error).self) { try FormNewVerb.parse(["Pets!"]) }
    }

    @Test("contradictory arguments are refused before the daemon is asked")
    func refused() {
        #expect(throws: (any Error).self) { try FormSetVerb.parse(["car", "legs", "4", "--clear"]) }
        #expect(throws: (any Error).self) { try FormSetVerb.parse(["car", "legs["]) }
        #expect(throws: (any Error).self) { try FormSuggestVerb.parse(["car", "legs"]) }
        #expect(throws: (any Error).self) { try FormFillVerb.parse(["car", "--at", "7"]) }
        #expect(throws: (any Error).self) { try FormLoadVerb.parse(["car"]) }
        #expect(throws: (any Error).self) { try WhatsNewShowVerb.parse(["org.example.draw", "latest"]) }
    }
}
