import Crypto
public import GateModel

/// The key that an authenticator shares with Gate: RFC 6238 with SHA-1, steps of 30 s, six digits.
public struct TOTPKey: Hashable, Sendable {
    private let secret: GateSecret

    /// How many bytes a key may have: from SHA-1's result (RFC 4226, section 4) to SHA-1's block.
    public static let byteCounts = 20...64
    public static let digits = 6
    public static let stepSeconds: Int64 = 30

    /// - Throws: `unsuitable` if it is too short or too long.
    public init(_ secret: GateSecret) throws(CredentialError) {
        guard Self.byteCounts.contains(secret.byteCount) else {
            let counts = Self.byteCounts
            throw .unsuitable(
                "The key of an authenticator has \(counts.lowerBound) to \(counts.upperBound) bytes. Make another one.")
        }
        self.secret = secret
    }

    /// The step that contains a moment, counted from 0 at 1970-01-01T00:00:00Z; 0 for earlier moments.
    public static func step(at moment: WallTime) -> UInt64 {
        UInt64(max(0, moment.unixMilliseconds / (stepSeconds * 1000)))
    }

    public func code(at step: UInt64) -> GateSecret {
        let authentication = secret.withBytes { key in
            HMAC<Insecure.SHA1>.authenticationCode(
                for: withUnsafeBytes(of: step.bigEndian) { Array($0) }, using: SymmetricKey(data: key))
        }
        var bytes = Array(authentication)
        defer { bytes.withUnsafeMutableBytes { wipe($0) } }
        // RFC 4226, section 5.3.
        let offset = Int(bytes[bytes.count - 1] & 0x0f)
        var number = bytes[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        var shown = [UInt8](repeating: 0, count: Self.digits)
        for index in shown.indices.reversed() {
            shown[index] = UInt8(ascii: "0") + UInt8(number % 10)
            number /= 10
        }
        return GateSecret(wiping: &shown)
    }

    /// The step to which a code belongs: the current one, the one before or the one after, since clocks differ. `nil`
    /// if the code belongs to none of these steps, or was used before. All three are always compared, each in constant
    /// time.
    /// - Parameter usedStep: the newest step that was used. Codes of this and earlier steps are refused.
    public func step(of code: GateSecret, at now: WallTime, usedStep: UInt64) -> UInt64? {
        let current = Self.step(at: now)
        // The newest matching step wins. So if two steps have the same code, it is used up for both.
        let window = (current == 0 ? 0 : current - 1)...(current + 1)
        return window.reduce(nil) { found, step in
            let isRight = self.code(at: step) == code
            return isRight && step > usedStep ? step : found
        }
    }
}

extension TOTPKey: CustomStringConvertible {
    public var description: String { "(key)" }
}
