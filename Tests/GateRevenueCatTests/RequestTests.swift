import Foundation
import GateModel
import GateReceipts
import Testing

@testable import gate_revenuecat

@Suite("Requests to RevenueCat")
struct RequestTests {
    private let settings = RevenueCatSettings(publicKey: "appl_x", rootKey: nil)

    @Test(
        "the verifier finds the user in the request's path",
        arguments: ["anna", "$RC:1", "a/b", "é", "100%", "a b?#"])
    func path(user: String) throws {
        let request = try #require(CustomerInfoRequest(settings, user: user, etag: nil, nonce: [1]))
        #expect(request.url == "https://api.revenuecat.com" + request.path)
        var unsigned = settings
        unsigned.acceptsUnsigned = true
        let body = "{\"request_date_ms\":1772366400000,\"subscriber\":{}}"
        let answer = CustomerInfoResponse(path: request.path, nonce: [], headers: [], body: Array(body.utf8))
        let now = WallTime(unixMilliseconds: 1_772_366_400_000)
        let statement = try RevenueCatVerifier(unsigned).customerInfo(answer, mayBeUnsigned: true, at: now)
        #expect(statement == .revenueCat(appUser: user, [], saidAt: now))
    }

    @Test("a user that is no segment of a path gives no request", arguments: ["", ".", ".."])
    func noPath(user: String) {
        #expect(CustomerInfoRequest(settings, user: user, etag: nil, nonce: []) == nil)
    }

    @Test("an etag is sent if there is one")
    func etag() throws {
        let without = try #require(CustomerInfoRequest(settings, user: "anna", etag: nil, nonce: [1]))
        #expect(without.headers["X-RevenueCat-ETag"] == nil)
        let with = try #require(CustomerInfoRequest(settings, user: "anna", etag: "e1", nonce: [1]))
        #expect(with.headers["X-RevenueCat-ETag"] == "e1")
    }

    @Test("a Retry-After that is not whole seconds is ignored")
    func retryAfter() {
        func seconds(_ text: String) -> Duration? {
            HTTPAnswer(status: 429, headers: ["retry-after": text], body: []).retryAfter
        }
        #expect(seconds("60") == .seconds(60))
        #expect(seconds("0") == .zero)
        for text in ["", "-1", "1.5", "soon", "99999999999999999999"] { #expect(seconds(text) == nil) }
    }
}
