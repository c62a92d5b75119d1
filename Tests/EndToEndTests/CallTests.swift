import Foundation
import ProcessSupport
import Testing

/// Calls of any method from the shell (G-09).
@Suite("Calling methods from the shell", .serialized, .waitsForProcesses)
struct CallTests {
    private struct Reply: Decodable {
        struct Answer: Decodable {
            var presentation: Presentation?
            var result: Granted?
            var grant: Grant?
        }
        struct Granted: Decodable { var grant: Grant? }
        struct Grant: Decodable { var proof: String }
        struct Presentation: Decodable {
            var cookie: String
            var arithmeticEntry: Sum
        }
        struct Sum: Decodable {
            var left: Int
            var operation: String
            var right: Int
            var result: Int {
                switch operation {
                case "OPERATOR_PLUS": left + right
                case "OPERATOR_MINUS": left - right
                case "OPERATOR_TIMES": left * right
                case _: left / right
                }
            }
        }
        struct Refusal: Decodable { var reason: String }

        var line: Int
        var answer: Answer?
        var error: Refusal?
    }

    private static func reply(_ process: ChildProcess) throws -> Reply {
        try JSONDecoder().decode(Reply.self, from: Data(process.nextLine().utf8))
    }

    private static let policy =
        "gated-actions: {link.open: {requires: {challenge: arithmetic-entry}}}\nlockout: {after: 2}\n"

    @Test("a caller that shows a question itself answers it on the same connection, and redeems the grant there")
    func conversation() throws {
        let gate = try RunningGate(policy: Self.policy)
        let process = try gate.gatectlRunning("call", "-", hasInput: true)
        process.write(
            #"gate.v1.Authorization/Authorize {"gatedAction":"link.open","details":"a","presentsItself":true}"# + "\n")
        let asked = try #require(try Self.reply(process).answer?.presentation)
        process.write("gate.v1.Mode/Nope\n\n")
        #expect(try Self.reply(process).error?.reason == "REASON_INVALID_REQUEST")
        process.write(
            #"gate.v1.Presentations/Complete {"cookie":"\#(asked.cookie)","text":"\#(asked.arithmeticEntry.result)"}"#
                + "\n")
        let completed = try Self.reply(process)
        #expect(completed.line == 4)
        let proof = try #require((completed.answer?.grant ?? completed.answer?.result?.grant)?.proof)
        process.write(
            #"gate.v1.Authorization/Redeem {"proof":"\#(proof)","gatedAction":"link.open","details":"a"}"# + "\n")
        let redeemed = try Self.reply(process)
        #expect(redeemed.answer != nil && redeemed.line == 5)
        process.closeInput()
        let result = try process.ended()
        #expect(result.status == 65, "the second line was refused")
        #expect(result.errors.contains("Line 2 was refused: There is no method 'gate.v1.Mode/Nope'."))
    }

    @Test("a single call can't open a question that it could not answer, and costs no wrong answer")
    func alone() throws {
        let gate = try RunningGate(policy: Self.policy)
        for field in [
            #""presentsItself":true"#, #""presenting":"PRESENTING_HERE""#,
            #""presenting":"PRESENTING_ELSEWHERE_IF_POSSIBLE""#,
        ] {
            let refused = try gate.gatectl(
                "call", "gate.v1.Authorization/Authorize", #"{"gatedAction":"link.open","details":"a",\#(field)}"#)
            #expect(refused.status == 65 && refused.errors.contains("`gatectl call -`"), "\(refused)")
        }
        #expect(try gate.gatectl("lockouts").output.isEmpty)
        for details in [#"\"presentsItself\":true"#, "PRESENTING_HERE"] {
            let other = try gate.gatectl(
                "call", "gate.v1.Authorization/Authorize", #"{"gatedAction":"link.open","details":"\#(details)"}"#)
            #expect(other.status == 2, "it is only a word there: \(other)")
        }
    }

    @Test("a stream continues beside the following calls, and ends with the input")
    func stream() throws {
        let gate = try RunningGate(policy: Self.policy)
        let process = try gate.gatectlRunning("call", "-", hasInput: true)
        process.write(#"gate.v1.Watch/Watch {"topics":["TOPIC_MODE"]}"# + "\n")
        try process.lines(through: #"{"line":1,"message":"#)
        process.write("gate.v1.Mode/Lock {}\n")
        try process.lines(through: #"{"line":2,"answer":"#)
        process.closeInput()
        #expect(try process.ended().status == 0)
    }
}
