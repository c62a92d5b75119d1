/// The id of a household, of a device in it, or of a command: 128 random bits.
public struct HouseholdID: Hashable, Sendable, LosslessStringConvertible {
    /// 32 hexadecimal digits, in lower case.
    public let description: String

    /// `nil` if the text is not 32 hexadecimal digits in lower case.
    public init?(_ digits: String) {
        guard digits.utf8.count == 32,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        description = digits
    }

    package init(using random: inout some RandomNumberGenerator) {
        let numbers: [UInt64] = [random.next(), random.next()]
        description = Hex.encoded(numbers.flatMap { withUnsafeBytes(of: $0.bigEndian) { Array($0) } })
    }
}
