import GateModel
import Testing

@testable import GateCredentials

@Suite("Hashes of passwords")
struct PasswordHashTests {
    private var random = SystemRandomNumberGenerator()

    private func secret(_ text: String) -> GateSecret { GateSecret(text.utf8) }

    @Test("a password matches its own hash, and no other password does")
    mutating func matches() throws {
        let hash = try PasswordHash(of: secret("correct horse"), using: &random)
        #expect(try PasswordHash(text: hash.text).matches(secret("correct horse")))
        for other in ["correct hors", "", "1", String(repeating: "9", count: 1000)] {
            #expect(try !hash.matches(secret(other)))
        }
    }

    @Test(
        "an unsuitable password is refused with a text about passwords, not passcodes",
        arguments: ["123", String(repeating: "1", count: 129)])
    mutating func unsuitable(text: String) {
        let reason = PasswordHash.unsuitability(of: secret(text))
        #expect(reason?.hasPrefix("A password ") ?? false)
        #expect(throws: CredentialError.self) { try PasswordHash(of: secret(text), using: &random) }
    }

    @Test("the decoy hash has the same parameters as a real one, so that checking takes as long")
    mutating func nobody() throws {
        let (nobody, other) = (try PasswordHash.ofNobody(using: &random), try PasswordHash.ofNobody(using: &random))
        let somebody = try PasswordHash(of: secret("correct horse"), using: &random)
        // "", "y", parameters, salt, hash.
        let parts = [nobody, somebody].map { $0.text.split(separator: "$", omittingEmptySubsequences: false) }
        #expect(parts[0].count == 5)
        #expect(parts[0][1] == parts[1][1])
        #expect(parts[0][2] == parts[1][2])
        #expect(parts[0][3].count == parts[1][3].count)
        #expect(nobody.text != other.text)
    }
}
