import GateModel
import Testing

@testable import GateClient

@Suite("A name and a password that are sent again")
struct LogInRetriesTests {
    private static let busy = GateError(.failedPrecondition, .authenticating, "Wait for the result.")
    private static let full = GateError(
        .resourceExhausted, .limit, "Too many passwords.", parameters: ["what": "passwords"])

    @Test("while the daemon is busy with other passwords they are sent again, twenty times")
    func busy() {
        var retries = LogInRetries()
        for number in 0..<LogInRetries.count {
            #expect(retries.pause(after: number.isMultiple(of: 2) ? Self.busy : Self.full) == LogInRetries.pause)
        }
        #expect(retries.pause(after: Self.busy) == nil && LogInRetries.count == 20)
    }

    @Test("a refusal for the person is never answered by sending them again")
    func refused() {
        let refusals = [
            GateError(.unauthenticated, .wrongPassword, "Wrong."), GateError(.resourceExhausted, .lockedOut, "Wait."),
            GateError(.failedPrecondition, .signedIn, "anna is signed in."),
            GateError(.resourceExhausted, .limit, "Too many.", parameters: ["what": "accounts"]),
            GateError(.unavailable, .unspecified, "Gone."),
        ]
        for refusal in refusals {
            var retries = LogInRetries()
            #expect(retries.pause(after: refusal) == nil)
        }
    }
}
