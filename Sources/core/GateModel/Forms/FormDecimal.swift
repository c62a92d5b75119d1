/// A decimal number exactly as it was written, because people read 1.50 and 1.5 differently. `==` tells such spellings
/// apart; `compare` compares the numbers.
public struct FormDecimal: Hashable, Sendable {
    /// The number as FHIR R4 writes decimals, perhaps with an exponent: "75", "-0.50", "1.5e-3".
    public let text: String

    package static let maximumByteCount = 64

    /// `nil` if the text is not a decimal as FHIR writes it, or is longer than 64 bytes.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount, Parts(text) != nil else { return nil }
        self.text = text
    }

    public init(_ integer: Int) {
        text = String(integer)
    }

    /// The number of digits after the decimal point if the number is written without an exponent, including zeros at
    /// the end: 2 for "1.50" and for "15e-2". `Int.max` if the number of digits does not fit into 64 bits.
    package var decimalPlaces: Int {
        guard let parts = Parts(text) else { return 0 }
        // Without an exponent it is the number of digits as written. The exponent moves the point by as many digits.
        guard let exponent = parts.exponent.int else { return parts.exponent.sign < 0 ? .max : 0 }
        let (places, overflow) = parts.fractionDigitCount.subtractingReportingOverflow(exponent)
        return overflow ? (exponent < 0 ? .max : 0) : max(0, places)
    }

    /// Negative if `left` is less, positive if it is greater, 0 if both are the same number, however written. Exact.
    package static func compare(_ left: FormDecimal, _ right: FormDecimal) -> Int {
        guard let left = Parts(left.text), let right = Parts(right.text) else { return 0 }
        guard left.sign == right.sign else { return left.sign < right.sign ? -1 : 1 }
        guard left.sign != 0 else { return 0 }
        return left.sign * Parts.compareMagnitudes(left, right)
    }
}

extension FormDecimal: CustomStringConvertible {
    public var description: String { text }
}

extension FormDecimal {
    /// The parts of a decimal, whose value is ± 0.d₁d₂d₃… × 10^(pointPlace + exponent), where d₁ is not 0.
    private struct Parts {
        /// -1, 0 or 1.
        var sign: Int
        /// The digits as ASCII, without zeros at the beginning and the end.
        var digits: ArraySlice<UInt8>
        /// Where the point is, counted from the first of `digits`: 2 for "12.5", -1 for "0.05".
        var pointPlace: Int
        var fractionDigitCount: Int
        var exponent: DecimalExponent

        init?(_ text: String) {
            let bytes = Array(text.utf8)
            var place = 0
            func skip(_ characters: String) -> UInt8? {
                guard place < bytes.count, characters.utf8.contains(bytes[place]) else { return nil }
                defer { place += 1 }
                return bytes[place]
            }
            func digits() -> ArraySlice<UInt8>? {
                let start = place
                while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
                return place > start ? bytes[start..<place] : nil
            }
            let isNegative = skip("-") != nil
            guard let whole = digits(), whole.count == 1 || whole.first != UInt8(ascii: "0") else { return nil }
            var fraction: ArraySlice<UInt8> = []
            if skip(".") != nil {
                guard let behind = digits() else { return nil }
                fraction = behind
            }
            exponent = DecimalExponent()
            if skip("eE") != nil {
                let isDown = skip("+-") == UInt8(ascii: "-")
                guard let power = digits() else { return nil }
                exponent = DecimalExponent(digits: power, isNegative: isDown)
            }
            guard place == bytes.count else { return nil }

            let all = (whole + fraction)[...]
            let significant = all.drop { $0 == UInt8(ascii: "0") }
            let trailingZeros = significant.reversed().prefix { $0 == UInt8(ascii: "0") }.count
            self.digits = significant.dropLast(trailingZeros)
            sign = significant.isEmpty ? 0 : isNegative ? -1 : 1
            pointPlace = whole.count - (all.count - significant.count)
            fractionDigitCount = fraction.count
        }

        /// Compares without the signs. Neither number may be zero.
        static func compareMagnitudes(_ left: Parts, _ right: Parts) -> Int {
            let places = left.exponent.minus(right.exponent, plus: left.pointPlace - right.pointPlace)
            guard places == 0 else { return places }
            if left.digits.elementsEqual(right.digits) { return 0 }
            return left.digits.lexicographicallyPrecedes(right.digits) ? -1 : 1
        }
    }
}

/// A power of ten as it was written, which may have more digits than fit into 64 bits.
private struct DecimalExponent {
    /// The exponent in base 10^18, with the least significant limb first. All limbs have the sign of the exponent. Four
    /// of them hold any exponent that fits into a decimal of 64 bytes.
    private var limbs = SIMD4<Int64>(repeating: 0)
    private static let limbDigitCount = 18
    private static let base: Int64 = 1_000_000_000_000_000_000

    init() {}

    init(digits: ArraySlice<UInt8>, isNegative: Bool) {
        for (place, digit) in digits.reversed().enumerated() where place < 4 * Self.limbDigitCount {
            var power: Int64 = 1
            for _ in 0..<place % Self.limbDigitCount { power *= 10 }
            limbs[place / Self.limbDigitCount] += Int64(digit - 0x30) * power * (isNegative ? -1 : 1)
        }
    }

    var sign: Int { minus(DecimalExponent(), plus: 0) }

    /// `nil` if the exponent has more than 18 digits.
    var int: Int? {
        limbs[1] == 0 && limbs[2] == 0 && limbs[3] == 0 ? Int(limbs[0]) : nil
    }

    /// The sign of `self - other + addend`. The addend must be small; it is a number of digits.
    func minus(_ other: DecimalExponent, plus addend: Int) -> Int {
        var difference = limbs &- other.limbs  // each within ± 2 × 10^18
        difference[0] += Int64(addend)
        // All limbs but the last become 0 or more, so the sign of the last tells the sign of the whole, unless it is 0.
        for index in 0..<3 {
            let (quotient, remainder) = difference[index].quotientAndRemainder(dividingBy: Self.base)
            let borrow: Int64 = remainder < 0 ? 1 : 0
            difference[index] = remainder + borrow * Self.base
            difference[index + 1] += quotient - borrow
        }
        if difference[3] != 0 { return difference[3] < 0 ? -1 : 1 }
        return difference == SIMD4(repeating: 0) ? 0 : 1
    }
}
