import Foundation
import ProcessSupport
import Testing

/// `gatectl form validate` on all pairs of Tests/FormPairs, without a daemon.
@Suite("Validating from the shell", .serialized, .waitsForProcesses)
struct FormValidateTests {
    private struct Pairs {
        let name: String
        let questionnaire: Any
        let cases: [(name: String, isValid: Bool, response: Any)]
    }

    private static func pairs() throws -> [Pairs] {
        let folder = repositoryFile("Tests/FormPairs")
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.sorted().map
        {
            file in
            let data = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
            let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            let cases = try #require(object["cases"] as? [[String: Any]])
            return Pairs(
                name: file, questionnaire: try #require(object["questionnaire"]),
                cases: try cases.map { pair in
                    (
                        try #require(pair["name"] as? String), try #require(pair["verdict"] as? String) == "valid",
                        try #require(pair["response"])
                    )
                })
        }
    }

    @Test("each pair gets its verdict as an exit status of 0 or 1 and an OperationOutcome")
    func verdicts() throws {
        let folder = NSTemporaryDirectory() + "gate-pairs-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var count = 0
        for pairs in try Self.pairs() {
            let questionnaire = folder + "/questionnaire.json"
            try JSONSerialization.data(withJSONObject: pairs.questionnaire).write(to: URL(filePath: questionnaire))
            for pair in pairs.cases {
                let response = folder + "/response.json"
                try JSONSerialization.data(withJSONObject: pair.response, options: .fragmentsAllowed)
                    .write(to: URL(filePath: response))
                let process = try ChildProcess(
                    builtProgram("gatectl"), ["form", "validate", questionnaire, response, "--json"], hasInput: false)
                let result = try process.ended()
                #expect(result.status == (pair.isValid ? 0 : 1), "\(pairs.name), \(pair.name): \(result.output)")
                let outcome = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
                #expect(outcome?["resourceType"] as? String == "OperationOutcome")
                let issues = outcome?["issue"] as? [[String: Any]] ?? []
                #expect(!issues.isEmpty)
                #expect(issues.contains { $0["severity"] as? String == "error" } == !pair.isValid)
                count += 1
            }
        }
        #expect(count >= 120)
    }

    @Test("a mistake in a questionnaire is reported with file, line, column and linkId, and status 65")
    func mistakes() throws {
        let folder = NSTemporaryDirectory() + "gate-form-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/wrong.yaml"
        try Data(
            """
            resourceType: Questionnaire
            status: active
            item:
              - linkId: colour
                type: choice
                text: Colour

            """.utf8
        ).write(to: URL(filePath: file))
        let process = try ChildProcess(builtProgram("gatectl"), ["form", "check", file], hasInput: false)
        let result = try process.ended()
        #expect(result.status == 65)
        let told = result.output + result.errors
        #expect(told.contains("wrong.yaml:4:") && told.contains("colour"), "\(told)")
    }
}
