import Crypto
import GateModel
import GateReceipts
import Testing

@Suite("Signatures of RevenueCat")
struct RevenueCatSignatureTests {
    let revenueCat = SigningRevenueCat()
    let now = SigningRevenueCat.requestedAt

    /// The check that fails; `nil`: none.
    private func refusal(
        _ response: CustomerInfoResponse, settings: RevenueCatSettings? = nil, mayBeUnsigned: Bool = false,
        at now: WallTime? = nil
    ) -> ReceiptError.Check? {
        do throws(ReceiptError) {
            _ = try RevenueCatVerifier(settings ?? revenueCat.settings).customerInfo(
                response, mayBeUnsigned: mayBeUnsigned, at: now ?? self.now)
            return nil
        } catch {
            return error.check
        }
    }

    @Test("an answer that RevenueCat has signed is accepted")
    func good() throws {
        #expect(refusal(try revenueCat.answer()) == nil)
    }

    @Test("an answer is accepted if its request had no nonce, or if it has no etag")
    func withoutNonceOrETag() throws {
        #expect(refusal(try revenueCat.answer(nonce: [])) == nil)
        #expect(refusal(try revenueCat.answer(etag: "").with("X-RevenueCat-ETag", nil)) == nil)
    }

    @Test(
        "one changed bit in any part of the signature is refused",
        arguments: [
            ("intermediate key", 0..<32, .intermediateKey), ("expiry", 32..<36, .intermediateKey),
            ("root signature", 36..<100, .intermediateKey), ("salt", 100..<116, .signature),
            ("payload signature", 116..<180, .signature),
        ] as [(String, Range<Int>, ReceiptError.Check)])
    func tamperedPart(name: String, range: Range<Int>, check: ReceiptError.Check) throws {
        let body = Array(CustomerInfo.premium.utf8)
        let parts = try revenueCat.parts(time: "\(now.unixMilliseconds)", body: body)
        let bytes = parts.intermediateKey + parts.expiry + parts.rootSignature + parts.salt + parts.payloadSignature
        for place in range {
            var bytes = bytes
            bytes[place] ^= 1 << (place % 8)
            let answer = try revenueCat.answer().with("X-Signature", base64(bytes))
            #expect(refusal(answer) == check, "\(name), byte \(place)")
        }
    }

    @Test("an answer with another nonce, path or public key than the request's is refused")
    func tamperedRequest() throws {
        let answer = try revenueCat.answer()
        var changed = answer
        changed.nonce[11] ^= 1
        #expect(refusal(changed) == .signature)
        changed = answer
        changed.nonce = []
        #expect(refusal(changed) == .signature)
        changed = answer
        changed.path = "/v1/subscribers/bob"
        #expect(refusal(changed) == .signature)
        // Another spelling of the same user is another request.
        changed.path = "/v1/subscribers/%61nna"
        #expect(refusal(changed) == .signature)
        var settings = revenueCat.settings
        settings.publicKey = "appl_of_another_app"
        #expect(refusal(answer, settings: settings) == .signature)
    }

    @Test("an answer with another request time, etag or body is refused")
    func tamperedAnswer() throws {
        let answer = try revenueCat.answer()
        #expect(refusal(answer.with("X-RevenueCat-Request-Time", "\(now.unixMilliseconds - 1)")) == .signature)
        #expect(refusal(answer.with("X-RevenueCat-ETag", "97d4f0d2353d784b")) == .signature)
        #expect(refusal(answer.with("X-RevenueCat-ETag", nil)) == .signature)
        var changed = answer
        #expect(changed.body.popLast() == UInt8(ascii: "\n"))
        #expect(refusal(changed) == .signature)
        changed.body = Array(CustomerInfo.premium.utf8)
        changed.body[40] ^= 1
        #expect(refusal(changed) == .signature)
    }

    @Test("headers that are missing are named")
    func missingHeaders() throws {
        let answer = try revenueCat.answer()
        #expect(refusal(answer.with("X-Signature", nil)) == .signatureMissing)
        #expect(refusal(answer.with("X-RevenueCat-Request-Time", nil)) == .malformed)
    }

    @Test("an answer that has a signed header twice is refused")
    func headerTwice() throws {
        for name in ["X-Signature", "X-RevenueCat-Request-Time", "X-RevenueCat-ETag"] {
            var answer = try revenueCat.answer()
            let value = try #require(answer.header(named: name))
            answer.headers.append(.init(name: name.lowercased(), value: value))
            #expect(refusal(answer) == .malformed, "\(name)")
        }
    }

    @Test("the signing key is valid until its last day begins")
    func expiry() throws {
        let day = Int64(revenueCat.expiryDay) * 86_400_000
        let answer = try revenueCat.answer()
        #expect(refusal(answer, at: WallTime(unixMilliseconds: day)) == nil)
        #expect(refusal(answer, at: WallTime(unixMilliseconds: day + 1)) == .intermediateExpiry)
        var ancient = revenueCat
        ancient.expiryDay = 0
        #expect(refusal(try ancient.answer(), settings: ancient.settings) == .intermediateExpiry)
    }

    @Test("all four bytes of the signing key's expiry are read, the lowest first")
    func expiryBytes() throws {
        for day in [20_515, 0x100_0000, UInt32.max] {
            var revenueCat = revenueCat
            revenueCat.expiryDay = day
            #expect(refusal(try revenueCat.answer(), settings: revenueCat.settings) == nil, "\(day)")
        }
    }

    @Test("an answer under another root key is refused")
    func wrongRoot() throws {
        var settings = revenueCat.settings
        settings.rootKey = Array(Curve25519.Signing.PrivateKey().publicKey.rawRepresentation)
        #expect(refusal(try revenueCat.answer(), settings: settings) == .intermediateKey)
        // Neither does one that is no key, nor none at all.
        settings.rootKey = [1, 2, 3]
        #expect(refusal(try revenueCat.answer(), settings: settings) == .intermediateKey)
        settings.rootKey = nil
        #expect(refusal(try revenueCat.answer(), settings: settings) == .intermediateKey)
    }

    @Test("a signature that is no base64, or has another length, is refused by its form")
    func signatureForm() throws {
        let answer = try revenueCat.answer()
        let good = try #require(answer.header(named: "X-Signature"))
        let wrong = [
            "", "this is not a signature", base64([UInt8](repeating: 1, count: 179)),
            base64([UInt8](repeating: 1, count: 181)), good + " ", good + good,
        ]
        for header in wrong {
            #expect(refusal(answer.with("X-Signature", header)) == .malformed, "\(header)")
        }
    }

    @Test("an unsigned answer is accepted only if both the policy and the peer allow it")
    func unsigned() throws {
        let answer = try revenueCat.answer().with("X-Signature", nil)
        var settings = revenueCat.settings
        for accepts in [false, true] {
            for mayBeUnsigned in [false, true] {
                settings.acceptsUnsigned = accepts
                let expected: ReceiptError.Check? = accepts && mayBeUnsigned ? nil : .signatureMissing
                #expect(refusal(answer, settings: settings, mayBeUnsigned: mayBeUnsigned) == expected)
            }
        }
        // Without any header the body gives the time.
        settings.acceptsUnsigned = true
        var bare = answer
        bare.headers = []
        #expect(refusal(bare, settings: settings, mayBeUnsigned: true) == nil)
    }

    @Test("a signature that is there is checked even if unsigned answers are accepted, provided there is a root key")
    func badSignatureOfUnsigned() throws {
        var settings = revenueCat.settings
        settings.acceptsUnsigned = true
        let answer = try revenueCat.answer().with("X-RevenueCat-ETag", "other")
        #expect(refusal(answer, settings: settings, mayBeUnsigned: true) == .signature)
        settings.rootKey = nil
        #expect(refusal(answer, settings: settings, mayBeUnsigned: true) == nil)
    }
}
