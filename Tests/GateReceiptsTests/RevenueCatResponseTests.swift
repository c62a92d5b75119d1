import GateModel
import GateReceipts
import Testing

@Suite("Answers of RevenueCat in files")
struct RevenueCatResponseTests {
    private func check(_ json: String) -> ReceiptError.Check? {
        do throws(ReceiptError) {
            _ = try CustomerInfoResponse(json: Array(json.utf8))
            return nil
        } catch {
            return error.check
        }
    }

    @Test("a file's path, nonce, headers and body are read")
    func reading() throws {
        let json = """
            {"path": "/v1/subscribers/anna", "nonce": "MTIzNDU2Nzg5MGFi",
             "headers": {"X-Signature": "abc", "Content-Type": "application/json"}, "body": "{\\"a\\":1}\\n"}
            """
        let response = try CustomerInfoResponse(json: Array(json.utf8))
        #expect(response.path == "/v1/subscribers/anna")
        #expect(response.nonce == Array("1234567890ab".utf8))
        #expect(
            Set(response.headers) == [
                .init(name: "X-Signature", value: "abc"), .init(name: "Content-Type", value: "application/json"),
            ])
        #expect(response.body == Array("{\"a\":1}\n".utf8))
    }

    @Test("a body may be in base64, and the nonce may be missing")
    func base64Body() throws {
        let response = try CustomerInfoResponse(
            json: Array("{\"path\":\"/\",\"headers\":{},\"body\":{\"base64\":\"/wA=\"}}".utf8))
        #expect(response.nonce == [])
        #expect(response.body == [0xff, 0])
    }

    @Test("an answer that is written to a file is read back the same, whatever its body")
    func roundTrip() throws {
        let bodies: [[UInt8]] = [
            [], Array(CustomerInfo.premium.utf8), [0, 1, 0x1f, 0x22, 0x5c, 0x7f], [0xff, 0xfe, 0], Array(0...255),
            Array("\u{2028}é\u{1F600}\r\n/".utf8),
        ]
        for body in bodies {
            let response = CustomerInfoResponse(
                path: "/v1/subscribers/a%2Fb", nonce: Array(0..<12), headers: [.init(name: "A", value: "é\"")],
                body: body)
            #expect(try CustomerInfoResponse(json: response.json()) == response)
        }
    }

    @Test("a signed answer is still valid after it was written to a file")
    func signedThroughAFile() throws {
        let revenueCat = SigningRevenueCat()
        let answer = try CustomerInfoResponse(json: try revenueCat.answer().json())
        #expect(throws: Never.self) {
            try RevenueCatVerifier(revenueCat.settings).customerInfo(
                answer, mayBeUnsigned: false, at: SigningRevenueCat.requestedAt)
        }
    }

    @Test(
        "other files are refused",
        arguments: [
            "", "null", "[]", "{}", "{\"path\":\"/\",\"headers\":{},\"body\":1}", "{\"path\":\"/\",\"body\":\"\"}",
            "{\"path\":1,\"headers\":{},\"body\":\"\"}", "{\"path\":\"/\",\"headers\":{\"a\":1},\"body\":\"\"}",
            "{\"path\":\"/\",\"headers\":{},\"body\":{}}",
            "{\"path\":\"/\",\"headers\":{},\"body\":{\"base64\":\"*\"}}",
            "{\"path\":\"/\",\"nonce\":\"*\",\"headers\":{},\"body\":\"\"}",
        ])
    func otherFiles(json: String) {
        #expect(check(json) == .malformed)
    }

    @Test("there are limits: 1 MiB of body, 64 headers of 8 KiB, 8 MiB in all")
    func limits() {
        func json(headers: Int = 0, value: Int = 0, path: Int = 1, body: Int = 0) -> String {
            let headers = (0..<headers).map { "\"h\($0)\":\"\(String(repeating: "v", count: value))\"" }
            return """
                {"path":"\(String(repeating: "/", count: path))","headers":{\(headers.joined(separator: ","))},\
                "body":"\(String(repeating: "b", count: body))"}
                """
        }
        #expect(check(json(headers: 64, value: 8_000, path: 8_192, body: 1 << 20)) == nil)
        #expect(check(json(headers: 65)) == .size)
        #expect(check(json(headers: 1, value: 8_191)) == .size)
        #expect(check(json(path: 8_193)) == .size)
        #expect(check(json(body: 1 << 20 + 1)) == .size)
        #expect(check(json(body: 8 << 20)) == .size)
    }

    @Test("a verifier refuses an answer that is larger than a file may be")
    func limitsOfTheVerifier() throws {
        let revenueCat = SigningRevenueCat()
        let verifier = RevenueCatVerifier(revenueCat.settings)
        let good = try revenueCat.answer()
        var wrong: [CustomerInfoResponse] = []
        var long = good
        long.body += [UInt8](repeating: 0x20, count: 1 << 20)
        wrong.append(long)
        long = good
        long.headers += (0..<64).map { .init(name: "h\($0)", value: "") }
        wrong.append(long)
        for response in wrong {
            let error = #expect(throws: ReceiptError.self) {
                try verifier.customerInfo(response, mayBeUnsigned: true, at: SigningRevenueCat.requestedAt)
            }
            #expect(error?.check == .size)
        }
    }

    @Test("garbage is refused, and never traps")
    func garbage() throws {
        var random = SystemRandomNumberGenerator()
        let revenueCat = SigningRevenueCat()
        var settings = revenueCat.settings
        settings.acceptsUnsigned = true
        let verifier = RevenueCatVerifier(settings)
        let good = try revenueCat.answer()
        let file = good.json()
        for _ in 0..<2_000 {
            var bytes = file
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case _: bytes.insert(.random(in: 0...255, using: &random), at: place)
                }
            }
            guard let response = try? CustomerInfoResponse(json: bytes) else { continue }
            _ = try? verifier.customerInfo(response, mayBeUnsigned: true, at: SigningRevenueCat.requestedAt)
            // The signature is removed too, so that the body's reader gets the garbage.
            var unsigned = good.with("X-Signature", nil)
            unsigned.body = response.body
            unsigned.path = response.path
            _ = try? verifier.customerInfo(unsigned, mayBeUnsigned: true, at: SigningRevenueCat.requestedAt)
        }
    }
}
