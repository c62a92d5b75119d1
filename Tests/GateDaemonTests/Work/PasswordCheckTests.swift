import GateCore
import GateCredentials
import GateModel
import Testing

@testable import GateDaemon

@Suite("Comparing a log-in with a hash or a decoy")
struct PasswordCheckTests {
    private let decoy = PasswordDecoy()

    @Test("a right password is right; a wrong one, or any without an account, is wrong")
    func outcomes() throws {
        var random = SystemRandomNumberGenerator()
        let hash = try PasswordHash(of: GateSecret("open sesame".utf8), using: &random).text
        func outcome(_ typed: String, _ hash: String?) -> PasswordOutcome {
            PasswordOutcome(of: GateSecret(typed.utf8), hash: hash, decoy: decoy)
        }
        #expect(outcome("open sesame", hash) == .right)
        #expect(outcome("open barley", hash) == .wrong)
        #expect(outcome("open sesame", nil) == .wrong)
        #expect(outcome("open sesame", "no hash") == .failed)
    }

    @Test("the decoy is made once, with the first check of any account")
    func once() throws {
        var random = SystemRandomNumberGenerator()
        let hash = try PasswordHash(of: GateSecret("open sesame".utf8), using: &random).text
        #expect(!decoy.isMade)
        _ = PasswordOutcome(of: GateSecret("open sesame".utf8), hash: hash, decoy: decoy)
        #expect(decoy.isMade)
        #expect(try decoy.hash() == decoy.hash())
    }
}
