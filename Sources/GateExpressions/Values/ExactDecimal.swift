package import GateModel

/// A decimal number that is calculated with exactly: digits, and where the point stands among them.
///
/// It has at most 36 digits, 18 of them behind the point. An operation whose result has more in front of the point gives
/// `nil`; what `*` and `/` have beyond `calculatedPlaces` behind the point is rounded.
package struct ExactDecimal: Sendable {
    /// All digits, as one whole number.
    let digits: Int128
    /// How many of them are behind the point, those that are zero included: 2 for 1.50.
    package let places: Int

    package static let maximumDigitCount = 36
    package static let maximumPlaces = 18
    /// The digits behind the point that a product and a quotient have at most.
    package static let calculatedPlaces = 16

    static let limit = power(maximumDigitCount)

    package init(_ integer: Int) {
        digits = Int128(integer)
        places = 0
    }

    /// `nil`: more digits than it has room for.
    init?(digits: Int128, places: Int) {
        guard places <= Self.maximumPlaces, digits.magnitude < Self.limit.magnitude else { return nil }
        self.digits = digits
        self.places = places
    }

    /// `nil`: more digits than it has room for.
    package init?(_ decimal: FormDecimal) {
        self.init(text: decimal.text)
    }

    /// 10 to that power, which is at most `maximumDigitCount`.
    static func power(_ exponent: Int) -> Int128 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}

// MARK: - Comparing

extension ExactDecimal: Comparable {
    /// 1.50 is 1.5.
    package static func == (left: ExactDecimal, right: ExactDecimal) -> Bool { compare(left, right) == 0 }

    package static func < (left: ExactDecimal, right: ExactDecimal) -> Bool { compare(left, right) < 0 }

    /// Below zero: `left` is less. Above: it is greater.
    package static func compare(_ left: ExactDecimal, _ right: ExactDecimal) -> Int {
        let places = max(left.places, right.places)
        // With so many places one of them may need more than 128 bits; then it is the larger one.
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
        // A written number may itself have more places than that: what is not rounded away is kept as it is.
        return Self.quotient(product, by: Self.power(excess).magnitude, isNegative: isNegative, places: places - excess)
    }

    /// `nil`: also where `other` is zero.
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

    /// How many times `other` goes into it, towards zero, and what remains. `nil`: also where `other` is zero.
    package func quotientAndRemainder(by other: ExactDecimal) -> (quotient: ExactDecimal, remainder: ExactDecimal)? {
        guard !other.isZero, let (ours, theirs, places) = aligned(with: other) else { return nil }
        let (quotient, remainder) = ours.quotientAndRemainder(dividingBy: theirs)
        guard let whole = ExactDecimal(digits: quotient, places: 0),
            let rest = ExactDecimal(digits: remainder, places: places)
        else { return nil }
        return (whole, rest)
    }

    /// Rounded to so many places: a half goes away from zero. What has fewer is as it was.
    package func rounded(to places: Int) -> ExactDecimal {
        guard places < self.places else { return self }
        let product: (high: UInt128, low: UInt128) = (0, digits.magnitude)
        let divisor = Self.power(self.places - places).magnitude
        return Self.quotient(product, by: divisor, isNegative: digits < 0, places: places) ?? self
    }

    /// The whole part. `nil`: more than 64 bits hold.
    package var whole: Int? { Int(exactly: digits / Self.power(places)) }

    /// Without the zeros at its end, behind the point.
    package var shortened: ExactDecimal {
        var (digits, places) = (digits, places)
        while places > 0, digits % 10 == 0 { (digits, places) = (digits / 10, places - 1) }
        return ExactDecimal(digits: digits, places: places) ?? self
    }

    /// Both with as many places as one of them has. `nil`: then one has too many digits.
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

    /// Rounded; a half goes away from zero.
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
