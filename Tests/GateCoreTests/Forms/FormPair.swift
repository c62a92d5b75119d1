import Foundation
import GateForms
import GateModel
import Testing

/// A questionnaire with responses and the issues that they are to have, as in Tests/FormPairs.
struct FormPair {
    /// The file's name without extension.
    let name: String
    let questionnaire: FHIRNode
    let cases: [Case]

    struct Case {
        let name: String
        let verdict: String
        let response: FHIRNode
        /// All errors.
        let issues: [Expectation]
        /// All warnings.
        let warnings: [Expectation]
    }

    struct Expectation: Hashable, Comparable, CustomStringConvertible {
        let code: String
        let path: String

        static func < (left: Expectation, right: Expectation) -> Bool {
            (left.path, left.code) < (right.path, right.code)
        }

        var description: String { "\(code) at \(path)" }
    }

    static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("FormPairs")

    static func all() throws -> [FormPair] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }.sorted()
            .map { file in
                let bytes = try Data(contentsOf: folder.appendingPathComponent(file))
                return try FormPair(name: String(file.dropLast(5)), FHIRNode(json: [UInt8](bytes)))
            }
    }

    private init(name: String, _ node: FHIRNode) throws {
        self.name = name
        questionnaire = try #require(node["questionnaire"], "\(name): no questionnaire")
        cases = try #require(node["cases"]?.elements, "\(name): no cases").map { node in
            Case(
                name: try #require(node["name"]?.text, "\(name): a case without a name"),
                verdict: try #require(node["verdict"]?.text, "\(name): a case without a verdict"),
                response: try #require(node["response"], "\(name): a case without a response"),
                issues: try Self.expectations(node["issues"]), warnings: try Self.expectations(node["warnings"]))
        }
    }

    private static func expectations(_ node: FHIRNode?) throws -> [Expectation] {
        try (node?.elements ?? []).map { node in
            Expectation(code: try #require(node["code"]?.text), path: try #require(node["path"]?.text))
        }.sorted()
    }
}

extension FHIRNode {
    fileprivate subscript(key: String) -> FHIRNode? {
        guard case .object(let entries) = content else { return nil }
        return entries.first { $0.key == key }?.value
    }

    fileprivate var elements: [FHIRNode]? {
        guard case .array(let elements) = content else { return nil }
        return elements
    }

    fileprivate var text: String? {
        guard case .string(let text) = content else { return nil }
        return text
    }
}
