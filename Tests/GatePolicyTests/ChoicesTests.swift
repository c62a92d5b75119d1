import GateModel
import Testing

@testable import GatePolicy

@Suite("What a policy lets a grown-up choose who says yes (W-04)")
struct ChoicesTests {
    private func specification(_ settings: String) throws -> ChallengeSpecification? {
        let text = "gated-actions: {a: {requires: {challenge: {kind: confirm, answered-by: grown-up, \(settings)}}}}"
        let policy = try PolicyReader.read([PolicySource(name: "policy.yaml", text: text)])
        guard case .challenge(let rule)? = policy.configuration.gatedActions["a"]?.requirement else { return nil }
        return rule.bands.first?.challenge
    }

    @Test("they are read in their order, shown, and written back as they were read")
    func read() throws {
        let all = try specification("may-wait: 3d, choices: [today, once, this-site, always, 90m, 2h, 2d]")
        let times = [5400, 7200, 172_800].map { AskChoice.time(.seconds($0)) }
        #expect(all?.choices == [.today, .once, .thisSite, .always] + times)
        let requirement = Requirement.challenge(ChallengeRule(try #require(all)))
        #expect(
            requirement.text == "challenge confirm (answered by a grown-up's presenter, may wait 3d, "
                + "choices today, once, this-site, always, 1h30m, 2h, 48h)")
        let text = "gated-actions: {a: {requires: \(requirement.notation)}}"
        let again = try PolicyReader.read([PolicySource(name: "policy.yaml", text: text)])
        #expect(again.configuration.gatedActions["a"]?.requirement == requirement)
    }

    @Test("without them there are once and today, and none for a question that does not wait")
    func usual() throws {
        #expect(try specification("may-wait: 3d")?.choices == [.once, .today])
        #expect(try specification("may-wait: 3d, choices: [once, today]") == specification("may-wait: 3d"))
        #expect(ChallengeSpecification(.confirm, answeredBy: .grownUp).choices == [])
        #expect(
            ChallengeSpecification(.confirm, answeredBy: .grownUp, mayWait: .seconds(60)).choices == [.once, .today])
    }

    @Test(
        "what is wrong is refused, with its place and what to do",
        arguments: [
            ("choices: [once]", "Only a question that waits has choices. Add 'may-wait: 3d', or remove 'choices'."),
            (
                "may-wait: 3d, choices: [once, ever]",
                "A choice is once, today, always, this-site or an amount of time like 30m, not 'ever'."
            ),
            (
                "may-wait: 3d, choices: [{once: 1}]",
                "A choice is once, today, always, this-site or an amount of time like 30m, not a mapping."
            ),
            (
                "may-wait: 3d, choices: [once, today, once]",
                "'once' is one of the choices already. Remove it here or there."
            ),
            (
                "may-wait: 3d, choices: [1h, 60m]", "'60m' is one of the choices already. Remove it here or there."
            ),
            ("may-wait: 3d, choices: [59s]", "'choices' is between 1m and 30d, not 59s."),
            ("may-wait: 3d, choices: [31d]", "'choices' is between 1m and 30d, not 31d."),
            ("may-wait: 3d, choices: []", "'choices' has nothing in it."),
            ("may-wait: 3d, choices: once", "'choices' is a list like [one, two], not 'once'."),
            (
                "may-wait: 3d, choices: [1m, 2m, 3m, 4m, 5m, 6m, 7m, 8m, 9m]",
                "'choices' has 9 entries; at most 8 are read."
            ),
            (
                "may-wait: 3d, choices: [this-site]",
                "'this-site' is offered for links only, so nobody could say yes to anything else. Add another choice, "
                    + "like once."
            ),
        ])
    func refused(settings: String, problem: String) {
        let text = "gated-actions: {a: {requires: {challenge: {kind: confirm, answered-by: grown-up, \(settings)}}}}"
        let problems = PolicyReader.problems(text)
        #expect(problems.count == 1 && problems.first?.hasPrefix("1:") == true && problems[0].hasSuffix(": \(problem)"))
    }

    @Test("other questions have none")
    func otherKinds() {
        let text = "gated-actions: {a: {requires: {challenge: {kind: passcode, choices: [once]}}}}"
        #expect(
            PolicyReader.problems(text) == ["1:69: 'choices' is not used by 'passcode', only by confirm. Remove it."])
    }
}
