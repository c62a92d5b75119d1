import GateCore
import GateModel
import GatePolicy
import Testing

@testable import gatectl

@Suite("The policy check on sign-in and entitlements")
struct PolicyTextSignInTests {
    private static func text(_ gatedActions: String) throws -> PolicyText {
        PolicyText(
            try PolicyReader.read([
                PolicySource(name: "policy.yaml", text: "entitlements: {premium: }\ngated-actions: {\(gatedActions)}")
            ]))
    }

    private static let explanation =
        "Nothing to guess: anyone who is signed in, or has paid, gets through without a question, a child with an "
        + "account, too, and so does a program that can sign in."
    private static let program =
        "By a program: the answer can be worked out or clicked; it keeps children away, not programs."

    @Test("for a gate that asks nothing of somebody signed in or who has paid, the check shows no odds and says why")
    func nothingToGuess() throws {
        let lines = try Self.text(
            "filters: {requires: {all: [signed-in, {entitlement: premium}]}}, "
                + "a: {requires: {all: [signed-in, {challenge: passcode}]}}"
        ).lines
        #expect(
            lines[2..<6] == [
                "gate         guessed in an hour  by a program  not asked again for  requires",
                "parent mode  1 in 1100           no            -                    challenge passcode",
                "a            1 in 1100           no            -                    signed in and challenge passcode",
                "filters      nothing to guess    yes           -                    signed in and entitlement premium",
            ])
        #expect(lines.contains(Self.explanation))
        #expect(!lines.contains(Self.program), "nothing is shown that could be worked out")
    }

    @Test("if each way through a gate has a question, the check explains no ways without one")
    func questions() throws {
        let lines = try Self.text("a: {requires: {all: [signed-in, {challenge: shapes}]}}").lines
        #expect(!lines.contains(Self.explanation) && lines.contains(Self.program))
    }

    @Test("a gate that never asks gives no warning, because it is not meant to keep children out")
    func noWarning() throws {
        #expect(try Self.text("a: {requires: {entitlement: premium}, keep: 1h}").warnings == [])
        #expect(try Self.text("a: {requires: {all: [signed-in, {challenge: shapes}]}, keep: 1h}").warnings.count == 1)
    }

    @Test("the JSON of a gate that asks nothing says that there is nothing to guess")
    func json() throws {
        let odds = #""guessedInAnHour":1.0,"triesInAnHour":9,"programPasses":true,"nothingToGuess":true"#
        #expect(
            try Self.text("a: {requires: signed-in}").json.hasSuffix(
                #"{"gate":"a","title":"a","requires":"signed in",\#(odds),"ages":[{"from":0,"to":150,\#(odds)}],"#
                    + #""unknownAge":{\#(odds)}}],"warnings":[],"fileWarnings":[]}"#))
    }
}
