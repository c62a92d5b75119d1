import GateModel
import Testing

@testable import GateCore

@Suite("Passcodes and codes of an authenticator")
struct SecretChallengeTests {
    @Test("a typed passcode is passed on unchanged to be checked (F-25)")
    func passcodes() {
        let sealed = make(.passcode)
        #expect(sealed.challenge == .passcode)
        for passcode in ["1", "1234", " 1234 ", "correct horse", "пароль", "密码", String(repeating: "a", count: 128)] {
            #expect(sealed.verdict(on: .secret(GateSecret(passcode.utf8))) == .checkSecret(GateSecret(passcode.utf8)))
            #expect(sealed.verdict(typed: passcode) == .checkSecret(GateSecret(passcode.utf8)))
        }
    }

    @Test("a passcode of no bytes, of more than 128, or with a zero in it is not an answer")
    func notAPasscode() {
        let sealed = make(.passcode)
        let long = String(repeating: "a", count: 129)
        for nonsense in ["", long, "1234\0", "\0", "12\u{0}34"] {
            let verdict = SealedChallenge.Verdict.notAnAnswer(
                "A passcode has from 1 to 128 bytes. Try again.")
            #expect(sealed.verdict(on: .secret(GateSecret(nonsense.utf8))) == verdict)
            #expect(sealed.verdict(typed: nonsense) == verdict)
        }
        #expect(sealed.verdict(on: .released).staysOpen)
        #expect(sealed.verdict(on: .swiped(SwipeGesture(.up, fingers: 2))).staysOpen)
    }

    @Test("six digits are handed on to be checked, without their spaces (G-11)")
    func codes() {
        let sealed = make(.totp)
        #expect(sealed.challenge == .totp)
        for code in ["012345", "012 345", " 0 1 2 3 4 5 ", "01 23 45"] {
            #expect(sealed.verdict(on: .secret(GateSecret(code.utf8))) == .checkSecret(GateSecret("012345".utf8)))
            #expect(sealed.verdict(typed: code) == .checkSecret(GateSecret("012345".utf8)))
        }
    }

    @Test("only six digits are an answer to an authenticator's question; anything else costs nothing")
    func notACode() {
        let sealed = make(.totp)
        for nonsense in [
            "", " ", "12345", "1234567", "12345x", "-12345", "012\t345", "012-345", "０１２３４５", "٠١٢٣٤٥", "012345\n",
            "012345\0", String(repeating: "1", count: 10_000),
        ] {
            let verdict = SealedChallenge.Verdict.notAnAnswer(
                "The code has six digits. Try again.")
            #expect(sealed.verdict(on: .secret(GateSecret(nonsense.utf8))) == verdict)
            #expect(sealed.verdict(typed: nonsense) == verdict)
        }
        #expect(sealed.verdict(on: .released).staysOpen)
    }

    @Test("neither a verdict nor its dump shows what was typed", arguments: [Challenge.Kind.passcode, .totp])
    func secretsAreHidden(kind: Challenge.Kind) {
        for typed in ["492817", "492817x"] {
            let verdict = make(kind).verdict(on: .secret(GateSecret(typed.utf8)))
            var dumped = ""
            dump(verdict, to: &dumped)
            #expect(!dumped.contains("492817") && !"\(verdict)".contains("492817"))
        }
        #expect(make(kind).dumped.allSatisfy { !$0.contains("olution") })
    }

    private func make(_ kind: Challenge.Kind) -> SealedChallenge {
        var random = SystemRandomNumberGenerator()
        return SealedChallenge.make(ChallengeSpecification(kind), questions: [], using: &random)
    }
}
