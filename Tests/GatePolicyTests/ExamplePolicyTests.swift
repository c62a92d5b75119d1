import Foundation
import GateModel
import GatePolicy
import Testing

/// What is installed to /etc/gate.
@Suite("The example policy")
struct ExamplePolicyTests {
    private static let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("examples/device/policy.yaml")

    @Test("it is right, and says of parent mode, lockouts and roles what is built in")
    func example() throws {
        let policy = try PolicyReader.read(files: [Self.file.path])
        let builtIn = Configuration.builtIn
        #expect(policy.configuration.modeChallenge == builtIn.modeChallenge)
        #expect(policy.configuration.lease == builtIn.lease)
        #expect(policy.configuration.maximumLease == builtIn.maximumLease)
        #expect(policy.configuration.answerTime == builtIn.answerTime)
        #expect(policy.configuration.lockout == builtIn.lockout)
        #expect(policy.roles == .builtIn)
        #expect(policy.browser == nil)
    }

    @Test("it guards what programs of a family's device ask for")
    func gatedActions() throws {
        let gatedActions = try PolicyReader.read(files: [Self.file.path]).configuration.gatedActions
        #expect(
            gatedActions.keys.sorted() == [
                "link.open", "photos.delete", "photos.save", "photos.send", "purchase", "share", "store.open",
                "subscribe",
            ])
        #expect(gatedActions["link.open"]?.keep == .seconds(300))
        #expect(gatedActions["photos.delete"] == GatedAction(title: "Delete photos", requirement: .parentMode))
        #expect(gatedActions.values.allSatisfy { !$0.title.isEmpty })
    }

    @Test("what is commented out is right, too, and every key and word that there is appears")
    func commentedOut() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let (indentation, rest) = (line.prefix { $0 == " " }, line.drop { $0 == " " })
            return rest.hasPrefix("#") && !rest.hasPrefix("# ") ? String(indentation + rest.dropFirst()) : String(line)
        }
        let policy = try PolicyReader.read([
            PolicySource(name: "policy.yaml", text: lines.joined(separator: "\n"))
        ])
        #expect(policy.roles == .builtIn)
        #expect(policy.browser != nil)
        #expect(policy.configuration.questions.count == 1)
        #expect(policy.configuration.gatedActions.count > 8)
        let words =
            [
                "mode", "challenge", "lease", "maximum-lease", "answer-time", "lockout", "after", "for", "factor",
                "max",
                "roles", "administrator", "presenter", "grown-up-presenter", "users", "groups", "browser",
                "gated-actions",
                "title", "requires", "keep", "style", "all", "any", "ages", "kind", "difficulty", "answered-by",
                "minimum-age",
                "calendar", "hold", "questions", "id", "question", "right", "wrong",
            ] + Challenge.Kind.allCases.map(\.rawValue)
        let settings = lines.filter { !$0.drop { $0 == " " }.hasPrefix("#") }.joined(separator: "\n")
        for word in words {
            let pattern = try Regex("(^|[^a-z-])\(word)([^a-z-]|$)")
            #expect(settings.contains(pattern), "'\(word)' is nowhere in the example")
        }
    }
}
