import Testing

@testable import gatectl

@Suite("Requests of gatectl call")
struct CallRequestTests {
    @Test(
        "a call presents itself if either field says so, also beside a value that this version does not know",
        arguments: [
            ("{}", false), (#"{"presenting": 77}"#, false), (#"{"presentsItself": true}"#, true),
            (#"{"presentsItself": true, "presenting": 77}"#, true), (#"{"presenting": "PRESENTING_HERE"}"#, true),
            (#"{"presenting": "PRESENTING_ELSEWHERE_IF_POSSIBLE"}"#, true),
        ])
    func presentsItself(json: String, presentsItself: Bool) throws {
        #expect(try CallRequest(method: "gate.v1.Mode/Toggle", json: json).presentsItself == presentsItself)
    }

    @Test("a request that has no such fields presents nothing itself")
    func withoutFields() throws {
        #expect(try !CallRequest(line: "gate.v1.Mode/GetMode").presentsItself)
    }
}
