import GateModel
import GatePolicy
import Testing

@Suite("The kinds of mistake in a policy")
struct KindsOfMistakeTests {
    struct Mistake: Sendable {
        let text: String
        let kind: FormIssue.Code
        var parameters: [String: String] = [:]
    }

    @Test(
        "each mistake has a kind, and the values that a program needs to describe it itself",
        arguments: [
            Mistake(text: "mode: [passcode]\n", kind: .structure, parameters: ["key": "mode"]),
            Mistake(text: "- mode\n", kind: .structure),
            Mistake(text: "mode: {challenge: {kind: quiz, kind: totp}}\n", kind: .duplicate),
            Mistake(text: "gated-actions: {a.b: {title: A}}\n", kind: .required, parameters: ["key": "requires"]),
            Mistake(text: "mode: {lease: soon}\n", kind: .value, parameters: ["key": "lease"]),
            Mistake(
                text: "lockout: {after: 0}\n", kind: .value,
                parameters: ["key": "after", "minimum": "1", "maximum": "100"]
            ),
            Mistake(text: "mode: {leese: 5m}\n", kind: .notFound, parameters: ["key": "leese", "name": "leese"]),
            Mistake(
                text: "mode: {challenge: quizz}\n", kind: .notFound, parameters: ["key": "challenge", "name": "quizz"]),
            Mistake(
                text: "mode: {lease: 90d}\n", kind: .value,
                parameters: ["key": "lease", "minimum": "1s", "maximum": "7d"]),
            Mistake(
                text: "gated-actions: {a.b: {requires: {all: []}}}\n", kind: .required, parameters: ["key": "all"]),
            Mistake(
                text: "roles: {presenter: {users: [{a: b}]}}\n", kind: .value, parameters: ["key": "users"]),
            Mistake(
                text:
                    "gated-actions: {a.b: {title: \(String(repeating: "a", count: 1000)), requires: {mode: parent}}}\n",
                kind: .tooLong, parameters: ["key": "title", "maximum": "100"]),
            Mistake(text: "mode: {lease: 2h, maximum-lease: 1h}\n", kind: .businessRule, parameters: ["key": "lease"]),
            Mistake(text: "mode: !custom {}\n", kind: .notSupported, parameters: ["key": "mode"]),
        ])
    func kinds(mistake: Mistake) throws {
        let error = try #require(throws: PolicyError.self) {
            try PolicyReader.read([PolicySource(name: "policy.yaml", text: mistake.text)])
        }
        #expect(error.problems.map(\.kind) == [mistake.kind], "\(error)")
        #expect(error.problems.map(\.parameters) == [mistake.parameters], "\(error)")
    }

    @Test("a file that can't be read is a problem of the kind \"security\"")
    func unreadable() throws {
        let error = try #require(throws: PolicyError.self) {
            try PolicyReader.read(files: ["/nonexistent/policy.yaml"])
        }
        #expect(error.problems.map(\.kind) == [.security])
    }
}
