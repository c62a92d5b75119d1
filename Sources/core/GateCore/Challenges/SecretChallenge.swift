import GateModel

/// Asks for the passcode or an authenticator's code. The core only checks that the answer has the right form, and
/// leaves the comparison to the daemon.
enum SecretChallenge {
    static let passcode = SealedChallenge(.passcode, solution: .passcode)
    static let totp = SealedChallenge(.totp, solution: .totp)

    /// The permitted lengths of a passcode, in bytes.
    static let passcodeByteCounts = 1...128
    static let codeDigitCount = 6

    /// A passcode is taken as typed, including spaces. It can't contain a zero byte, because the hash function would
    /// stop reading there.
    static func verdict(onPasscode answer: ChallengeAnswer) -> SealedChallenge.Verdict {
        guard let secret = secret(answer), passcodeByteCounts.contains(secret.byteCount),
            secret.withBytes({ !$0.contains(0) })
        else {
            return .notAnAnswer("A passcode has from 1 to 128 bytes. The question stays open.")
        }
        return .checkSecret(secret)
    }

    /// A code has six digits. Spaces are removed before the check.
    static func verdict(onCode answer: ChallengeAnswer) -> SealedChallenge.Verdict {
        guard let code = secret(answer).flatMap(code) else {
            return .notAnAnswer("An authenticator shows six digits. The question stays open.")
        }
        return .checkSecret(code)
    }

    private static func code(in secret: GateSecret) -> GateSecret? {
        // Reserves the capacity at once, since an array that grows would leave unwiped copies of the digits.
        var digits: [UInt8] = []
        digits.reserveCapacity(codeDigitCount)
        defer { digits.withUnsafeMutableBytes { wipe($0) } }
        let isCode = secret.withBytes { bytes in
            for byte in bytes where byte != UInt8(ascii: " ") {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits.count < codeDigitCount else {
                    return false
                }
                digits.append(byte)
            }
            return digits.count == codeDigitCount
        }
        return isCode ? GateSecret(wiping: &digits) : nil
    }

    private static func secret(_ answer: ChallengeAnswer) -> GateSecret? {
        switch answer {
        case .secret(let secret): secret
        case .text(let text): GateSecret(text.utf8)
        case .released, .swiped, .acknowledged: nil
        }
    }
}
