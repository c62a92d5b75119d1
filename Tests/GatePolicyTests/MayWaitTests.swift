import GateModel
import Testing

@testable import GatePolicy

@Suite("Which questions may wait for a grown-up (W-01)")
struct MayWaitTests {
    private static let question = "{challenge: {kind: confirm, answered-by: grown-up, may-wait: 3d}}"

    private func requirement(_ text: String, of name: String = "a") throws -> Requirement? {
        let source = PolicySource(name: "policy.yaml", text: "gated-actions:\n  \(name): {requires: \(text)}\n")
        return try PolicyReader.read([source]).configuration.gatedActions[name]?.requirement
    }

    @Test("a yes or no of a grown-up's may wait, alone or among other conditions, and is written back as it was read")
    func taken() throws {
        let waiting = Requirement.challenge(
            ChallengeRule(ChallengeSpecification(.confirm, answeredBy: .grownUp, mayWait: .seconds(3 * 24 * 3600))))
        #expect(try requirement(Self.question) == waiting)
        #expect(try requirement("{any: [{mode: parent}, \(Self.question)]}") == .any([.parentMode, waiting]))
        #expect(try requirement(waiting.notation) == waiting)
        #expect(waiting.text == "challenge confirm (answered by a grown-up's presenter, may wait 3d)")
    }

    @Test(
        "it is refused where it stands wrong, with its place and what to do",
        arguments: [
            (
                "mode: {challenge: {kind: confirm, answered-by: grown-up, may-wait: 3d}}",
                "1:68: The question for parent mode can't wait: it is for the person who is there now. Remove 'may-wait'."
            ),
            (
                "gated-actions: {a: {requires: {challenge: {kind: passcode, may-wait: 3d}}}}",
                "1:70: 'may-wait' is not used by 'passcode', only by confirm. Remove it."
            ),
            (
                "gated-actions: {a: {requires: {challenge: {kind: confirm, may-wait: 3d}}}}",
                "1:69: Only a question for grown-ups can wait for its answer. Add 'answered-by: grown-up', or remove "
                    + "'may-wait'."
            ),
            (
                "gated-actions: {a: {requires: {challenge: {kind: confirm, answered-by: grown-up, may-wait: 31d}}}}",
                "1:92: 'may-wait' is between 1m and 30d, not 31d."
            ),
            (
                "gated-actions: {pam.sudo: {requires: {challenge: {kind: confirm, answered-by: grown-up, may-wait: 3d}}}}",
                "1:99: 'pam.sudo' can't wait: PAM does not know what will be done, so a yes to one command would count "
                    + "for any other. Remove 'may-wait'."
            ),
            (
                "gated-actions: {gate.change: {requires: {challenge: {kind: confirm, answered-by: grown-up, may-wait: 3d}}}}",
                "1:102: 'gate.change' can't wait: an answer that is kept would change who is a grown-up later, without a "
                    + "question. Remove 'may-wait'."
            ),
            (
                "gated-actions: {a: {keep: 10m, requires: {any: [{mode: parent}, \(MayWaitTests.question)]}}}",
                "1:27: 'keep' can't stand beside 'may-wait': a yes to one thing would let everything else through, "
                    + "too. Remove 'keep', and write how long a yes lasts into 'choices', like [once, 10m]."
            ),
            (
                "gated-actions: {a: {requires: {all: [\(MayWaitTests.question), \(MayWaitTests.question)]}}}",
                "1:166: Only one question of a gated action can wait. Remove 'may-wait' here or there."
            ),
        ])
    func refused(text: String, problem: String) {
        #expect(PolicyReader.problems(text) == [problem])
    }
}
