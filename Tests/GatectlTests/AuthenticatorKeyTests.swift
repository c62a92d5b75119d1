import GateModel
import GateTexts
import Testing

@testable import gatectl

@Suite("A key for an authenticator")
struct AuthenticatorKeyTests {
    /// The key of the examples in RFC 6238.
    private let example = AuthenticatorKey(key: GateSecret(Array("12345678901234567890".utf8)), account: "kids' tablet")

    @Test("the link and the letters of a key are in the form that authenticators read")
    func texts() {
        #expect(
            String(decoding: example.link, as: UTF8.self)
                == "otpauth://totp/Gate:kidstablet?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Gate")
        #expect(example.groupedKey == "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")
    }

    @Test("the link's QR code fits a terminal of 24 lines, with a line for the key and one for the code")
    func fits() throws {
        let code = try #require(QRCode(example.link))
        #expect(QRDrawing(code: code, ink: .halfBlocks).lines.count + 2 <= 24)
    }

    @Test("each new key is different and has 20 bytes")
    func random() {
        let keys = (0..<16).map { _ in AuthenticatorKey(account: "a").key }
        #expect(keys.allSatisfy { $0.byteCount == 20 })
        #expect(Set(keys).count == 16)
    }

    @Test(
        "base32 encodes bytes as in RFC 4648",
        arguments: [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ])
    func base32(text: String, encoded: String) {
        #expect(String(decoding: Base32.encoded(text.utf8), as: UTF8.self) == encoded)
    }

    @Test("hexadecimal digits encode bytes and are decoded again")
    func hex() {
        #expect(Hex.encoded([0, 0x0f, 0xa5, 0xff]) == "000fa5ff")
        #expect(Hex.decoded("000fA5ff") == [0, 0x0f, 0xa5, 0xff])
        for text in ["0", "0g", "é1", " 00", "0x00"] { #expect(Hex.decoded(text) == nil) }
    }
}
