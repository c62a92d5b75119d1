/// Names a household, a device of it, or a guardian: 128 random bits.
public struct HouseholdID: Hashable, Sendable, LosslessStringConvertible {
    /// 32 hexadecimal digits, in lower case.
    public let description: String

    /// Takes 32 hexadecimal digits in lower case; `nil` for anything else.
    public init?(_ digits: String) {
        guard digits.utf8.count == 32,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        description = digits
    }

    /// Makes a new one.
    package init(using random: inout some RandomNumberGenerator) {
        let numbers: [UInt64] = [random.next(), random.next()]
        description = Hex.encoded(numbers.flatMap { withUnsafeBytes(of: $0.bigEndian) { Array($0) } })
    }
}
