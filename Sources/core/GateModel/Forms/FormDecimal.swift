/// A decimal number, exactly as written: 1.50 is not 1.5 to people, and equal to it.
///
/// `==` tells apart what is written differently; `compare` does not.
public struct FormDecimal: Hashable, Sendable {
    /// As FHIR R4 writes decimals, exponents included: "75", "-0.50", "1.5e-3".
    public let text: String

    /// The most bytes of `text`.
    package static let maximumByteCount = 64

    /// `nil`: not a decimal as FHIR writes it, or longer than `maximumByteCount`.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount, Parts(text) != nil else { return nil }
        self.text = text
    }

    /// The decimal number with this value.
    public init(_ integer: Int) {
        text = String(integer)
    }

    /// How many digits there are behind the decimal point once it is written without an exponent, those that are zero
    /// included: 2 for "1.50" and for "15e-2". `Int.max` where that would be more digits than 64 bits count.
    package var decimalPlaces: Int {
        guard let parts = Parts(text) else { return 0 }
        // Without an exponent: as many as are written. Each step of the exponent takes one away or adds one.
        guard let exponent = parts.exponent.int else { return parts.exponent.sign < 0 ? .max : 0 }
        let (places, overflow) = parts.fractionDigitCount.subtractingReportingOverflow(exponent)
        return overflow ? (exponent < 0 ? .max : 0) : max(0, places)
    }

    /// Below zero: `left` is less. Above: it is greater. 0: they are the same number, however written. Exact.
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
    /// A decimal taken apart: ± 0.d₁d₂d₃… × 10^(pointPlace + exponent), where d₁ is not 0.
    private struct Parts {
        /// -1, 0 or 1.
        var sign: Int
        /// The digits from the first that is not 0 to the last that is not 0. As ASCII.
        var digits: ArraySlice<UInt8>
        /// Where the point is written, counted from the first of `digits`: 2 for "12.5", -1 for "0.05".
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

        /// Neither is zero.
        static func compareMagnitudes(_ left: Parts, _ right: Parts) -> Int {
            let places = left.exponent.minus(right.exponent, plus: left.pointPlace - right.pointPlace)
            guard places == 0 else { return places }
            if left.digits.elementsEqual(right.digits) { return 0 }
            return left.digits.lexicographicallyPrecedes(right.digits) ? -1 : 1
        }
    }
}

/// A power of ten as somebody wrote it: perhaps with more digits than 64 bits hold.
private struct DecimalExponent {
    /// The least significant first, each of 18 decimal digits, and each with the sign of the whole. Four of them hold
    /// every exponent of a decimal of 64 bytes.
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

    /// -1, 0 or 1.
    var sign: Int { minus(DecimalExponent(), plus: 0) }

    /// `nil`: more than 18 digits.
    var int: Int? {
        limbs[1] == 0 && limbs[2] == 0 && limbs[3] == 0 ? Int(limbs[0]) : nil
    }

    /// The sign of `self - other + addend`. The addend is small: a count of digits.
    func minus(_ other: DecimalExponent, plus addend: Int) -> Int {
        var difference = limbs &- other.limbs  // each within ± 2 × 10^18
        difference[0] += Int64(addend)
        // Each limb but the last becomes 0 or more, so the last one that is not 0 says which way it goes.
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
