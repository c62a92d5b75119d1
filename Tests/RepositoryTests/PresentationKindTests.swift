import Testing

/// The compiler names each place in Swift where a new kind of presentation is missing. These tests name those in C, in
/// Python and in the manual.
@Suite("Kinds of presentation outside Swift")
struct PresentationKindTests {
    /// The content of a presentation: a field of the oneof.
    private struct Content {
        let name: String
        /// Whether its message has fields, which a program needs to ask the question.
        let hasFields: Bool
    }

    private let proto: [String]

    init() throws {
        proto = try Self.file("proto/gate/v1", "presentations.proto").lines
    }

    private static func file(_ folder: String, _ name: String) throws -> RepositoryFile {
        let ending = try #require(name.split(separator: ".").last).description
        return try #require(try RepositoryFiles.all(in: folder, endingIn: [ending]).first { $0.name == name })
    }

    private static func text(_ folder: String, _ name: String) throws -> String {
        try file(folder, name).lines.joined(separator: "\n")
    }

    /// The lines between this one and the next `}` that is indented as much.
    private func block(_ start: String, endingIn end: String) throws -> ArraySlice<String> {
        let first = try #require(proto.firstIndex(of: start))
        return proto[(first + 1)...].prefix { $0 != end }
    }

    private func contents() throws -> [Content] {
        try block("  oneof content {", endingIn: "  }").compactMap { line in
            line.wholeMatch(of: /^ {4}(\w+) (\w+) = \d+;/).map {
                Content(name: String($0.2), hasFields: !proto.contains("message \($0.1) {}"))
            }
        }
    }

    @Test("libgate's gate.h has each kind with its number")
    func kindsOfLibgate() throws {
        let header = try Self.text("Sources/clients/libgate", "gate.h")
        let kinds = try block("enum PresentationKind {", endingIn: "}").compactMap {
            $0.wholeMatch(of: /^ {2}PRESENTATION_KIND_(\w+ = \d+);/).map { "GATE_KIND_\($0.1)" }
        }
        try #require(kinds.count >= 15)
        for kind in kinds { #expect(header.firstRange(of: kind) != nil, "gate.h does not have \(kind)") }
    }

    @Test("libgate reads each content that has fields")
    func contentsOfLibgate() throws {
        let source = try Self.text("Sources/clients/libgate", "presentation.c")
        let contents = try contents()
        try #require(contents.count >= 14)
        for content in contents where content.hasFields {
            let name = "GATE__V1__PRESENTATION__CONTENT_\(content.name.uppercased()):"
            #expect(source.firstRange(of: name) != nil, "presentation.c does not read \(content.name)")
        }
    }

    @Test("the Python client has words for each content")
    func contentsOfPython() throws {
        let source = try Self.text("Sources/clients/python/gateclient", "questions.py")
        for content in try contents() {
            #expect(
                source.firstRange(of: "\"\(content.name)\"") != nil, "questions.py does not ask \(content.name)")
        }
    }

    /// The names of the challenges in policies.
    private func challenges() throws -> [String] {
        let names = proto.compactMap { $0.firstMatch(of: /A challenge; ([a-z-]+) in policies/).map { String($0.1) } }
        try #require(names.count >= 10)
        return names
    }

    @Test("the Python client says of each challenge what an answer to it is")
    func answersOfPython() throws {
        let source = try Self.text("Sources/clients/python/gateclient", "refusals.py")
        for name in try challenges() {
            #expect(source.firstRange(of: "\"\(name)\": ") != nil, "ANSWERS of refusals.py does not have \(name)")
        }
    }

    @Test("docs/policy.md has a row for each challenge")
    func challengesOfManual() throws {
        let lines = try Self.file("docs", "policy.md").lines
        for name in try challenges() {
            #expect(lines.contains { $0.hasPrefix("| `\(name)` |") }, "docs/policy.md does not have \(name)")
        }
    }
}
