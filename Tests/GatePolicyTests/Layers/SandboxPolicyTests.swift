import Foundation
import GateModel
import Testing

@testable import GatePolicy

@Suite("The policy that comes with gate-portal (O-02)")
struct SandboxPolicyTests {
    private func shipped() throws -> PolicySource {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("packaging/portal/gate-portal.yaml")
        return PolicySource(name: "gate-portal.yaml", text: try String(contentsOf: file, encoding: .utf8))
    }

    @Test("the gate that comes with gate-portal asks a grown-up, and waits for one (O-02)")
    func shippedFile() throws {
        let policy = try PolicyReader.read([], household: nil, shipped: [try shipped()])
        #expect(policy.broken.isEmpty)
        #expect(policy.configuration.gatedActions.keys.sorted() == ["portal"])
        let action = try #require(policy.configuration.gatedActions["portal"])
        #expect(
            action.requirement
                == .challenge(
                    ChallengeRule(
                        ChallengeSpecification(
                            .confirm, answeredBy: .grownUp, mayWait: .seconds(24 * 3600),
                            choices: [.once, .today, .always]))))
        #expect(action.keep == nil && action.titles.translations.count == 4)
        #expect(policy.roles == .builtIn)
    }

    @Test("one app can have a gate of its own, and another gate can stand before all")
    func ownLayer() throws {
        let own = PolicySource(
            name: "policy.yaml",
            text: """
                gated-actions:
                  portal: {requires: {challenge: passcode}}
                  portal.org.gnome.cheese: {requires: {mode: parent}}
                """)
        let policy = try PolicyReader.read([own], household: nil, shipped: [try shipped()])
        #expect(policy.configuration.gatedActions["portal"]?.title == "portal")
        #expect(policy.configuration.gatedActions["portal.org.gnome.cheese"]?.requirement == .parentMode)
    }
}
