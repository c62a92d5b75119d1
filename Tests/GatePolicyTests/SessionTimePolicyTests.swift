import Foundation
import GateModel
import Testing

@testable import GatePolicy

@Suite("The policy that comes with gate-timekpr (Z-05)")
struct SessionTimePolicyTests {
    private func shipped() throws -> PolicySource {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("packaging/timekpr/gate-timekpr.yaml")
        return PolicySource(name: "gate-timekpr.yaml", text: try String(contentsOf: file, encoding: .utf8))
    }

    @Test("it lets a grown-up answer with amounts of time alone, and gives the role to the bridge's user alone")
    func shippedFile() throws {
        let policy = try PolicyReader.read([], household: nil, shipped: [try shipped()])
        #expect(policy.broken.isEmpty)
        #expect(policy.configuration.gatedActions.keys.sorted() == [GatedAction.sessionTime])
        let action = try #require(policy.configuration.gatedActions[GatedAction.sessionTime])
        let amounts = [900, 1800, 3600].map { AskChoice.time(.seconds(Int64($0))) }
        #expect(
            action.requirement
                == .challenge(
                    ChallengeRule(
                        ChallengeSpecification(
                            .confirm, answeredBy: .grownUp, mayWait: .seconds(24 * 3600), choices: amounts))))
        #expect(action.keep == nil && action.titles.translations.count == 4)
        #expect(policy.roles.timekeepers == Principals(users: ["gate-timekpr"]))
        var others = policy.roles
        others.timekeepers = Principals()
        #expect(others == .builtIn)
        #expect(policy.roles.description.last == "role timekeeper: user gate-timekpr")
    }

    @Test("/etc/gate may offer other amounts, and may take the role away")
    func ownLayer() throws {
        let own = PolicySource(
            name: "policy.yaml",
            text: """
                gated-actions:
                  session.time: {requires: {challenge: {kind: confirm, answered-by: grown-up, may-wait: 2h, choices: [5m]}}}
                roles: {timekeeper: {users: []}}
                """)
        let policy = try PolicyReader.read([own], household: nil, shipped: [try shipped()])
        #expect(policy.configuration.gatedActions[GatedAction.sessionTime]?.title == "session.time")
        #expect(policy.roles.timekeepers == Principals())
    }
}
