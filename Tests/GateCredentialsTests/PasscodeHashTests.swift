import GateModel
import Testing

@testable import GateCredentials

@Suite("Hashes of passcodes")
struct PasscodeHashTests {
    private var random = SystemRandomNumberGenerator()

    private func secret(_ text: String) -> GateSecret { GateSecret(text.utf8) }

    @Test("a passcode matches its own hash, and no other passcode does")
    mutating func matches() throws {
        let hash = try PasscodeHash(of: secret("correct horse"), using: &random)
        #expect(hash.text.hasPrefix("$y$"))
        #expect(try hash.matches(secret("correct horse")))
        #expect(try !hash.matches(secret("correct hors")))
        #expect(try !hash.matches(secret("correct horse ")))
        #expect(try !hash.matches(secret("")))
    }

    @Test(
        "a hash made by another program with libcrypt is accepted, yescrypt or older",
        arguments: [
            // perl -e 'print crypt("open sesame", q{$y$j9T$F5Jx5fExrKuPp53xLKQ..1})'
            ("open sesame", "$y$j9T$F5Jx5fExrKuPp53xLKQ..1$6JlLzEdKMvGk83Zgd3owplAejssJr2SFlJFlOc7i54A"),
            // The first example of the specification of SHA-crypt.
            (
                "Hello world!",
                "$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4"
                    + "OTLiBFdcbYEdFCoEOfaS35inz1"
            ),
        ])
    func knownHashes(passcode: String, text: String) throws {
        let hash = PasscodeHash(text: text)
        #expect(try hash.matches(secret(passcode)))
        #expect(try !hash.matches(secret(passcode + "?")))
    }

    @Test("the same passcode gets another salt each time")
    mutating func salts() throws {
        let first = try PasscodeHash(of: secret("1234"), using: &random)
        let second = try PasscodeHash(of: secret("1234"), using: &random)
        #expect(first.text != second.text)
        #expect(try second.matches(secret("1234")))
    }

    @Test(
        "a passcode that is too short, too long or not text is refused",
        arguments: [
            [UInt8]("123".utf8), [UInt8](repeating: 0x31, count: 129), [0x31, 0x00, 0x31, 0x31],
            [0xff, 0xfe, 0x31, 0x31],
        ])
    mutating func unsuitable(bytes: [UInt8]) {
        #expect(PasscodeHash.unsuitability(of: GateSecret(bytes)) != nil)
        #expect(throws: CredentialError.self) { try PasscodeHash(of: GateSecret(bytes), using: &random) }
    }

    @Test("4 to 128 bytes are a passcode, and all of them count")
    mutating func lengths() throws {
        let longest = String(repeating: "1", count: 127)
        let hash = try PasscodeHash(of: secret(longest + "1"), using: &random)
        #expect(try hash.matches(secret(longest + "1")))
        #expect(try !hash.matches(secret(longest + "2")))
        #expect(PasscodeHash.unsuitability(of: secret("äöß")) == nil)
    }

    @Test(
        "whatever was typed is hashed exactly once",
        arguments: ["1234", "1235", "", "1", "12\u{0}4", String(repeating: "9", count: 1000)])
    func sameCodePath(typed: String) throws {
        var hashed = 0
        let isRight = try PasscodeHash(text: "hash of 1234").matches(secret(typed)) {
            secret, setting throws(CredentialError) in
            hashed += 1
            #expect(setting == "hash of 1234")
            #expect(PasscodeHash.byteCounts.contains(secret.byteCount))
            return "hash of " + secret.withBytes { String(decoding: $0, as: UTF8.self) }
        }
        #expect(hashed == 1)
        #expect(isRight == (typed == "1234"))
    }

    @Test("an unsuitable passcode never matches, whatever its stand-in hashes to")
    func nothingStandsIn() throws {
        let isRight = try PasscodeHash(text: "hash").matches(secret("")) { _, _ throws(CredentialError) in "hash" }
        #expect(!isRight)
    }

    @Test(
        "a malformed hash is an error and does not count as a wrong passcode",
        arguments: ["", "*", "*0", "$nonsense$", "$y$"])
    func notAHash(text: String) {
        #expect(throws: CredentialError.self) { try PasscodeHash(text: text).matches(secret("1234")) }
    }
}
