package import GateModel

/// An exact decimal number of at most 36 digits, at most 18 of them behind the decimal point.
///
/// Operations return `nil` if the result has too many digits. Products and quotients are rounded to `calculatedPlaces`.
package struct ExactDecimal: Sendable {
    /// The digits as a whole number: 150 for 1.50.
    let digits: Int128
    /// How many of the digits are behind the decimal point: 2 for 1.50.
    package let places: Int

    package static let maximumDigitCount = 36
    package static let maximumPlaces = 18
    /// The most places of a product or quotient.
    package static let calculatedPlaces = 16

    static let limit = power(maximumDigitCount)

    package init(_ integer: Int) {
        digits = Int128(integer)
        places = 0
    }

    init?(digits: Int128, places: Int) {
        guard places <= Self.maximumPlaces, digits.magnitude < Self.limit.magnitude else { return nil }
        self.digits = digits
        self.places = places
    }

    package init?(_ decimal: FormDecimal) {
        self.init(text: decimal.text)
    }

    /// 10 to the power of `exponent`, which is at most 38, the most that 128 bits can hold.
    static func power(_ exponent: Int) -> Int128 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}

// MARK: - Comparing

extension ExactDecimal: Comparable {
    /// 1.50 equals 1.5.
    package static func == (left: ExactDecimal, right: ExactDecimal) -> Bool { compare(left, right) == 0 }

    package static func < (left: ExactDecimal, right: ExactDecimal) -> Bool { compare(left, right) < 0 }

    /// Negative if `left` is less, positive if it is greater.
    package static func compare(_ left: ExactDecimal, _ right: ExactDecimal) -> Int {
        let places = max(left.places, right.places)
        // A number that needs more than 128 bits for this has the larger magnitude.
        let (ours, isOursTooLarge) = left.digits.multipliedReportingOverflow(by: power(places - left.places))
        let (theirs, isTheirsTooLarge) = right.digits.multipliedReportingOverflow(by: power(places - right.places))
        if isOursTooLarge { return left.digits.signum() == 1 ? 1 : -1 }
        if isTheirsTooLarge { return right.digits.signum() == 1 ? -1 : 1 }
        return ours < theirs ? -1 : ours > theirs ? 1 : 0
    }

    package var isZero: Bool { digits == 0 }
}

// MARK: - Calculating

extension ExactDecimal {
    package var negated: ExactDecimal { ExactDecimal(digits: -digits, places: places) ?? self }

    package func plus(_ other: ExactDecimal) -> ExactDecimal? {
        guard let (ours, theirs, places) = aligned(with: other) else { return nil }
        return ExactDecimal(digits: ours + theirs, places: places)
    }

    package func minus(_ other: ExactDecimal) -> ExactDecimal? { plus(other.negated) }

    package func times(_ other: ExactDecimal) -> ExactDecimal? {
        let product = digits.magnitude.multipliedFullWidth(by: other.digits.magnitude)
        let places = places + other.places
        let excess = max(0, places - Self.calculatedPlaces)
        let isNegative = (digits < 0) != (other.digits < 0)
        // Zeros at the end stay, unlike in a quotient.
        return Self.quotient(product, by: Self.power(excess).magnitude, isNegative: isNegative, places: places - excess)
    }

    /// `nil` also if `other` is zero.
    package func divided(by other: ExactDecimal) -> ExactDecimal? {
        guard !other.isZero else { return nil }
        let shift = Self.calculatedPlaces + other.places - places
        let dividend = digits.magnitude.multipliedFullWidth(by: Self.power(max(0, shift)).magnitude)
        let (divisor, isTooLarge) = other.digits.magnitude.multipliedReportingOverflow(
            by: Self.power(max(0, -shift)).magnitude)
        guard !isTooLarge else { return nil }
        let isNegative = (digits < 0) != (other.digits < 0)
        return Self.quotient(dividend, by: divisor, isNegative: isNegative, places: Self.calculatedPlaces)?.shortened
    }

    /// The quotient is rounded to a whole number, towards zero. `nil` also if `other` is zero.
    package func quotientAndRemainder(by other: ExactDecimal) -> (quotient: ExactDecimal, remainder: ExactDecimal)? {
        guard !other.isZero, let (ours, theirs, places) = aligned(with: other) else { return nil }
        let (quotient, remainder) = ours.quotientAndRemainder(dividingBy: theirs)
        guard let whole = ExactDecimal(digits: quotient, places: 0),
            let rest = ExactDecimal(digits: remainder, places: places)
        else { return nil }
        return (whole, rest)
    }

    /// Rounds a half away from zero. A number with fewer places stays as it is.
    package func rounded(to places: Int) -> ExactDecimal {
        guard places < self.places else { return self }
        let product: (high: UInt128, low: UInt128) = (0, digits.magnitude)
        let divisor = Self.power(self.places - places).magnitude
        return Self.quotient(product, by: divisor, isNegative: digits < 0, places: places) ?? self
    }

    /// The whole part; `nil` if it needs more than 64 bits.
    package var whole: Int? { Int(exactly: digits / Self.power(places)) }

    /// Without zeros at the end behind the decimal point.
    package var shortened: ExactDecimal {
        var (digits, places) = (digits, places)
        while places > 0, digits % 10 == 0 { (digits, places) = (digits / 10, places - 1) }
        return ExactDecimal(digits: digits, places: places) ?? self
    }

    /// The digits of both numbers for the same number of places. `nil` if a number then has too many digits.
    private func aligned(with other: ExactDecimal) -> (ours: Int128, theirs: Int128, places: Int)? {
        let places = max(places, other.places)
        let (ours, isOursTooLarge) = digits.multipliedReportingOverflow(by: Self.power(places - self.places))
        let (theirs, isTheirsTooLarge) = other.digits.multipliedReportingOverflow(
            by: Self.power(places - other.places))
        guard !isOursTooLarge, !isTheirsTooLarge,
            ours.magnitude < Self.power(37).magnitude, theirs.magnitude < Self.power(37).magnitude
        else { return nil }
        return (ours, theirs, places)
    }

    /// Rounds a half away from zero.
    private static func quotient(
        _ dividend: (high: UInt128, low: UInt128), by divisor: UInt128, isNegative: Bool, places: Int
    ) -> ExactDecimal? {
        guard dividend.high < divisor else { return nil }
        var (quotient, remainder) = divisor.dividingFullWidth(dividend)
        guard quotient < limit.magnitude else { return nil }
        if remainder >= divisor - remainder, remainder > 0 { quotient += 1 }
        return ExactDecimal(digits: isNegative ? -Int128(quotient) : Int128(quotient), places: places)
    }
}
