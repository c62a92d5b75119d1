import Foundation
import GateModel
import Testing

/// The parameters of refusals, where they are literals in the daemon's sources.
@Suite("Refusals in the sources")
struct RefusalTests {
    private static let daemon = ["GateCore", "GateDaemon", "GateProtocol", "GateModel"]

    private static func literals(_ pattern: Regex<(Substring, Substring)>) throws -> [(literal: String, path: String)] {
        try RepositoryFiles.swift(in: "Sources").filter { daemon.contains($0.target) }.flatMap { file in
            file.lines.joined(separator: "\n").matches(of: pattern).map { (String($0.1), file.path) }
        }
    }

    @Test("every field that a refusal names is a field or a oneof of the wire")
    func fields() throws {
        let declared = try RepositoryFiles.all(in: "proto", endingIn: ["proto"]).flatMap(\.lines).compactMap { line in
            line.firstMatch(of: /^ +(?:(?:repeated )?[\w.]+ |oneof )(\w+) (?:= \d+;|\{)/).map { String($0.1) }
        }
        let names = Set(declared)
        let fields = try Self.literals(/[ .](?:invalid|empty|noAccountName)\(\s*"([^" ]*)"/)
        try #require(fields.count >= 20)
        for (field, path) in fields {
            for name in field.split(separator: ".") {
                #expect(names.contains(String(name)), "\(path) names the field \(field)")
            }
        }
    }

    @Test("every value of 'what' is said somewhere, and every one that is said is listed with a reason")
    func subjects() throws {
        let listed = Set(GateError.Reason.allCases.flatMap(\.subjects))
        for (literal, path) in try Self.literals(/"what": "([^"]+)"/) {
            #expect(listed.contains(literal), "\(path) says \(literal)")
        }
        let sources = try RepositoryFiles.swift(in: "Sources")
            .filter { Self.daemon.contains($0.target) && $0.name != "GateError.swift" }
            .flatMap(\.lines).joined(separator: "\n")
        for subject in listed where !["passcode", "totp"].contains(subject) {
            #expect(sources.contains("\"\(subject)\""), "nothing says \(subject)")
        }
    }
}
