import GateModel
import GateReceipts
import Testing

/// Nothing separates the signed parts, so that they could be cut at other places under the same signature. An attacker
/// chooses nonce and user, as these tests do.
@Suite("Signed answers of RevenueCat whose parts are cut at other places")
struct RevenueCatShiftTests {
    let revenueCat = SigningRevenueCat()

    /// The check that refuses an answer cut differently, with the same signed bytes.
    private func refusal(
        asked: CustomerInfoResponse, nonce: [UInt8], path: String, time: String, etag: String, body: [UInt8],
        at now: WallTime
    ) throws -> ReceiptError.Check? {
        func joined(_ response: CustomerInfoResponse) -> [UInt8] {
            let headers = ["X-RevenueCat-Request-Time", "X-RevenueCat-ETag"].map { response.header(named: $0) ?? "" }
            return response.nonce + Array((response.path + headers.joined()).utf8) + response.body
        }
        var cut = asked.with("X-RevenueCat-Request-Time", time).with("X-RevenueCat-ETag", etag)
        (cut.nonce, cut.path, cut.body) = (nonce, path, body)
        try #require(joined(cut) == joined(asked), "the test must sign the same bytes")
        do throws(ReceiptError) {
            _ = try RevenueCatVerifier(revenueCat.settings).customerInfo(cut, mayBeUnsigned: false, at: now)
            return nil
        } catch {
            return error.check
        }
    }

    @Test("a long nonce can't carry another user's path and time")
    func longNonce() throws {
        let asked = try revenueCat.answer(
            nonce: Array("123456789012/v1/subscribers/bob1772366400000".utf8), body: CustomerInfo.premium)
        let etag = "/v1/subscribers/anna1772366400000\(SigningRevenueCat.etag)"
        #expect(
            try refusal(
                asked: asked, nonce: SigningRevenueCat.nonce, path: "/v1/subscribers/bob", time: "1772366400000",
                etag: etag, body: asked.body, at: SigningRevenueCat.requestedAt) == .malformed)
        // Such nonces are not accepted by themselves either.
        #expect(
            try refusal(
                asked: asked, nonce: asked.nonce, path: asked.path, time: "1772366400000", etag: SigningRevenueCat.etag,
                body: asked.body, at: SigningRevenueCat.requestedAt) == .request)
    }

    @Test("a long nonce can't carry a body of its own, because the rest makes it invalid JSON")
    func longNonceWithBody() throws {
        let forged = CustomerInfo.premium.dropLast(2) + ",\"x\":\""
        let asked = try revenueCat.answer(
            nonce: Array("123456789012/v1/subscribers/bob1772366400000\(forged)".utf8), body: CustomerInfo.premium)
        let body = "\(forged)/v1/subscribers/anna1772366400000\(SigningRevenueCat.etag)\(CustomerInfo.premium)"
        #expect(
            try refusal(
                asked: asked, nonce: SigningRevenueCat.nonce, path: "/v1/subscribers/bob", time: "1772366400000",
                etag: "", body: Array(body.utf8), at: SigningRevenueCat.requestedAt) == .malformed)
    }

    @Test("the first digits of the time can't be moved to the end of a user's name")
    func digitsOfTheTime() throws {
        // Asked as bob in 2026; cut as bob177 in 2044, which is 13 digits thanks to the etag.
        let body = CustomerInfo.of(time: 1_772_366_400_000, entitlements: [:])
        let asked = try revenueCat.answer(path: "/v1/subscribers/bob", etag: "123bc03094946db5", body: body)
        #expect(
            try refusal(
                asked: asked, nonce: asked.nonce, path: "/v1/subscribers/bob177", time: "2366400000123",
                etag: "bc03094946db5", body: asked.body, at: WallTime(unixMilliseconds: 2_366_400_000_200))
                == .intermediateExpiry)
        var lasting = revenueCat
        lasting.expiryDay = .max
        let long = try lasting.answer(path: "/v1/subscribers/bob", etag: "123bc03094946db5", body: body)
            .with("X-RevenueCat-Request-Time", "2366400000123").with("X-RevenueCat-ETag", "bc03094946db5")
        var cut = long
        cut.path = "/v1/subscribers/bob177"
        let error = #expect(throws: ReceiptError.self) {
            try RevenueCatVerifier(lasting.settings).customerInfo(
                cut, mayBeUnsigned: false, at: WallTime(unixMilliseconds: 2_366_400_000_200))
        }
        #expect(error?.check == .date)
    }

    @Test("the end of a user's name can't be moved to the beginning of the time")
    func digitsOfTheUser() throws {
        let asked = try revenueCat.answer(path: "/v1/subscribers/bob1", etag: "")
        #expect(
            try refusal(
                asked: asked, nonce: asked.nonce, path: "/v1/subscribers/bob", time: "11772366400000", etag: "",
                body: asked.body, at: SigningRevenueCat.requestedAt) == .malformed)
    }

    @Test("a nonce can't be moved into the path, because a path must begin as a user's")
    func noNonce() throws {
        let asked = try revenueCat.answer(nonce: Array("/v1/subscrib".utf8))
        #expect(
            try refusal(
                asked: asked, nonce: [], path: "/v1/subscrib/v1/subscribers/anna", time: "1772366400000",
                etag: SigningRevenueCat.etag, body: asked.body, at: SigningRevenueCat.requestedAt) == .request)
    }

    @Test("digits moved between user, time and etag don't turn an answer into another user's")
    func digitsBetweenUserAndTime() throws {
        // The user's id ends with a time near now, so that the signed bytes could also be about anna.
        for count in [5, 13] {
            let near = String("1772366400000".prefix(count))
            let asked = try revenueCat.answer(path: "/v1/subscribers/anna\(near)")
            let time = asked.header(named: "X-RevenueCat-Request-Time") ?? ""
            let run = near + time
            let cutTime = String(run.prefix(13))
            let etag = run.dropFirst(13) + SigningRevenueCat.etag
            let refused = try refusal(
                asked: asked, nonce: asked.nonce, path: "/v1/subscribers/anna", time: cutTime, etag: String(etag),
                body: asked.body, at: SigningRevenueCat.requestedAt)
            #expect(refused == .request || refused == .date)
        }
    }
}
