import ProtobufScan
import Testing

@testable import TTRPC

@Suite("Envelopes")
struct EnvelopeTests {
    private func request(_ bytes: [UInt8]) throws(ScanError) -> RequestEnvelope {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(ScanError) in try RequestEnvelope(decoding: buffer) }
        }.get()
    }

    private func response(_ bytes: [UInt8]) throws(ScanError) -> ResponseEnvelope {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(ScanError) in try ResponseEnvelope(decoding: buffer) }
        }.get()
    }

    /// service "gate.v1.Mode", method "Toggle", payload 08 01, timeout 1 s, metadata {"a": "b"}
    private static let goldenRequest = hex(
        "0a 0c 676174652e76312e4d6f6465  12 06 546f67676c65  1a 02 0801  20 8094ebdc03  2a 06 0a01611201 62")

    @Test("a request is encoded with the published fields")
    func goldenRequest() throws {
        let envelope = RequestEnvelope(
            service: "gate.v1.Mode", method: "Toggle", payload: [8, 1], timeout: .seconds(1),
            metadata: [Metadata(key: "a", value: "b")])
        #expect(envelope.encoded() == Self.goldenRequest)
        #expect(try request(Self.goldenRequest) == envelope)
    }

    @Test("a request with only names has no other field")
    func smallRequest() throws {
        let envelope = RequestEnvelope(service: "gate.v1.Mode", method: "GetMode", payload: [])
        let bytes = hex("0a 0c 676174652e76312e4d6f6465  12 07 4765744d6f6465")
        #expect(envelope.encoded() == bytes)
        #expect(try request(bytes) == envelope)
    }

    @Test("an empty request has empty names")
    func emptyRequest() throws {
        #expect(try request([]) == RequestEnvelope(service: "", method: "", payload: []))
    }

    @Test("timeouts are sent in nanoseconds: none as zero, less than one as one, and endless as the largest")
    func timeouts() throws {
        func there(_ timeout: Duration?) throws -> Duration? {
            try request(
                RequestEnvelope(service: "", method: "", payload: [], timeout: timeout).encoded()
            ).timeout
        }
        #expect(try there(nil) == nil)
        #expect(try there(.milliseconds(1500)) == .milliseconds(1500))
        #expect(try there(.zero) == .nanoseconds(1))
        #expect(try there(Duration(secondsComponent: 0, attosecondsComponent: 1)) == .nanoseconds(1))
        #expect(try there(.seconds(Int64.max)) == .nanoseconds(Int64.max))
        #expect(try there(.seconds(Int64.min)) == .nanoseconds(Int64.min))
        #expect(try there(.seconds(-3)) == .seconds(-3))
    }

    @Test("a payload that does not fit on the stack comes back whole")
    func largePayload() throws {
        let payload = [UInt8](repeating: 0xA5, count: 100_000)
        let metadata = (0..<100).map { Metadata(key: "key \($0)", value: "value \($0)") }
        let envelope = RequestEnvelope(service: "s", method: "m", payload: payload, metadata: metadata)
        #expect(try request(envelope.encoded()) == envelope)
        let answer = ResponseEnvelope(payload: payload)
        #expect(try response(answer.encoded()) == answer)
    }

    /// status {code: 9, message: "wrong", details: [{type_url: "t", value: 01}]}
    private static let goldenStatus = hex("0a 11  08 09  12 05 77726f6e67  1a 06 0a0174120101")

    @Test("a response with a status has the published fields")
    func goldenStatus() throws {
        let envelope = ResponseEnvelope(
            status: Status(.failedPrecondition, "wrong", details: [TypedValue(typeURL: "t", value: [1])]))
        #expect(envelope.encoded() == Self.goldenStatus)
        #expect(try response(Self.goldenStatus) == envelope)
    }

    @Test("a response with a payload is encoded with the published field, and one without is empty")
    func goldenSuccess() throws {
        #expect(ResponseEnvelope(payload: [8, 1]).encoded() == hex("12 02 0801"))
        #expect(try response(hex("12 02 0801")) == ResponseEnvelope(payload: [8, 1]))
        #expect(ResponseEnvelope(payload: []).encoded() == [])
        #expect(try response([]) == ResponseEnvelope(payload: []))
    }

    @Test("a status that says OK is a success")
    func okStatus() throws {
        #expect(try response(hex("0a 00  12 02 0801")) == ResponseEnvelope(payload: [8, 1]))
        #expect(try response(hex("0a 04 12 02 6f6b  12 02 0801")) == ResponseEnvelope(payload: [8, 1]))
    }

    @Test("the fast encoding of a success equals the generated one")
    func quickSuccess() {
        for count in [0, 1, 2, 126, 127, 128, 129, 16_383, 16_384, 2_097_151, 2_097_152] {
            let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let expected = ResponseEnvelope(payload: payload).encoded()
            #expect(ResponseEnvelope.byteCount(ofSuccess: payload) == expected.count)
            let bytes = [UInt8](unsafeUninitializedCapacity: expected.count) { buffer, initialized in
                ResponseEnvelope.encodeSuccess(payload, into: UnsafeMutableRawBufferPointer(buffer))
                initialized = expected.count
            }
            #expect(bytes == expected)
        }
    }

    @Test("bytes that are no envelope are refused")
    func refused() {
        #expect(throws: ScanError.truncated(message: "ttrpc.Request")) { try request(hex("0a 0c 67")) }
        #expect(throws: ScanError.nul(field: "ttrpc.Request.service")) { try request(hex("0a 01 00")) }
        #expect(throws: ScanError.invalidUTF8(field: "ttrpc.Request.method")) { try request(hex("12 01 ff")) }
        #expect(throws: ScanError.truncated(message: "ttrpc.Response")) { try response(hex("0a 05 08")) }
        let crowd = Array(repeatElement(hex("2a 00"), count: 4097).joined())
        #expect(throws: ScanError.tooManyFields(message: "ttrpc.Request", limit: 4096)) { try request(crowd) }
    }

    @Test("codes have gRPC's names")
    func codeNames() {
        #expect(StatusCode.ok.description == "OK")
        #expect(StatusCode.unimplemented.description == "UNIMPLEMENTED")
        #expect(StatusCode.unauthenticated.description == "UNAUTHENTICATED")
        #expect(StatusCode(rawValue: 17).description == "CODE_17")
        #expect(StatusCode(rawValue: -1).description == "CODE_-1")
        #expect(Status(.notFound, "nothing there").description == "NOT_FOUND: nothing there")
    }
}
