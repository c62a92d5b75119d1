import GateModel

/// Asks for a secret of the device (F-25, G-11), which the core does not know: it only sees to it that what was typed
/// can be one.
enum SecretChallenge {
    static let passcode = SealedChallenge(.passcode, solution: .passcode)
    static let totp = SealedChallenge(.totp, solution: .totp)

    /// How long a passcode may be, in bytes.
    static let passcodeByteCounts = 1...128
    static let codeDigitCount = 6

    /// Taken as it is, spaces and all. A zero byte is no part of a passcode: what hashes it would stop reading there.
    static func verdict(onPasscode answer: ChallengeAnswer) -> SealedChallenge.Verdict {
        guard let secret = secret(answer), passcodeByteCounts.contains(secret.byteCount),
            secret.withBytes({ !$0.contains(0) })
        else {
            return .notAnAnswer("A passcode has from 1 to 128 bytes. The question stays open.")
        }
        return .checkSecret(secret)
    }

    /// Six digits, in groups or not: spaces are left out of what is checked.
    static func verdict(onCode answer: ChallengeAnswer) -> SealedChallenge.Verdict {
        guard let code = secret(answer).flatMap(code) else {
            return .notAnAnswer("An authenticator shows six digits. The question stays open.")
        }
        return .checkSecret(code)
    }

    private static func code(in secret: GateSecret) -> GateSecret? {
        // All its room at once, so that no half-filled copy is left behind.
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
