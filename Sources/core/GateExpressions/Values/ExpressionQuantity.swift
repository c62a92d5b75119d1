package struct ExpressionQuantity: Sendable {
    package enum Unit: Hashable, Sendable {
        /// A calendar unit, whose years and months differ in length.
        case calendar(CalendarUnit)
        /// A UCUM code, which is case-sensitive. "1" means no unit.
        case ucum(String)
    }

    package let value: ExactDecimal
    package let unit: Unit

    package init(_ value: ExactDecimal, _ unit: Unit) {
        self.value = value
        self.unit = unit
    }

    /// For example "75 'kW'", "1 week" or "18 years".
    package var text: String {
        switch unit {
        case .ucum(let code): "\(value.text) '\(code)'"
        case .calendar(let unit): "\(value.text) \(unit.rawValue)\(value == ExactDecimal(1) ? "" : "s")"
        }
    }
}

// MARK: - Comparing

extension ExpressionQuantity {
    /// How years and months of the calendar compare with UCUM's, whose length is fixed.
    enum Comparison {
        /// They can't be compared: for `=` and `<`.
        case exact
        /// They are the same: for `~`.
        case equivalent
    }

    /// Both numbers in a common unit; `nil` if Gate knows none, or a number has too many digits in it.
    static func common(
        _ left: ExpressionQuantity, _ right: ExpressionQuantity, _ comparison: Comparison
    ) -> (left: ExactDecimal, right: ExactDecimal)? {
        if left.unit == right.unit { return (left.value, right.value) }
        if case .calendar(let ours) = left.unit, case .calendar(let theirs) = right.unit {
            switch (ours, theirs) {
            case (.year, .month): return pair(left.value.times(ExactDecimal(12)), right.value)
            case (.month, .year): return pair(left.value, right.value.times(ExactDecimal(12)))
            case _: break
            }
        }
        guard let ours = left.unit.scale(comparison, beside: right.unit),
            let theirs = right.unit.scale(comparison, beside: left.unit), ours.base == theirs.base
        else { return nil }
        return pair(left.value.times(ours.factor), right.value.times(theirs.factor))
    }

    /// Whether both are equal when the more exact one is rounded to the other's places; `nil` without a common unit.
    static func isEquivalent(_ left: ExpressionQuantity, _ right: ExpressionQuantity) -> Bool? {
        if left.unit == right.unit { return ExactDecimal.isEquivalent(left.value, right.value) }
        guard let ours = left.unit.scale(.equivalent, beside: right.unit),
            let theirs = right.unit.scale(.equivalent, beside: left.unit), ours.base == theirs.base
        else { return nil }
        // In the larger unit, so that converting makes neither look more exact than it is.
        let factor = max(ours.factor, theirs.factor)
        guard let left = left.value.times(ours.factor)?.divided(by: factor),
            let right = right.value.times(theirs.factor)?.divided(by: factor)
        else { return nil }
        return ExactDecimal.isEquivalent(left, right)
    }

    private static func pair(_ left: ExactDecimal?, _ right: ExactDecimal?) -> (
        left: ExactDecimal, right: ExactDecimal
    )? {
        guard let left, let right else { return nil }
        return (left, right)
    }
}

extension ExpressionQuantity.Unit {
    /// How many of a base unit it is; `nil` if it can't be compared with `other`.
    fileprivate func scale(
        _ comparison: ExpressionQuantity.Comparison, beside other: ExpressionQuantity.Unit
    ) -> UnitTable.Scale? {
        switch self {
        case .ucum(let code): return UnitTable.scale(of: code)
        case .calendar(let unit):
            if comparison == .exact, case .ucum = other, unit == .year || unit == .month { return nil }
            if case .ucum = other, unit == .year { return UnitTable.scale(of: "a") }
            if case .ucum = other, unit == .month { return UnitTable.scale(of: "mo") }
            return UnitTable.Scale(base: "ms", factor: ExactDecimal(unit.milliseconds))
        }
    }
}

// MARK: - Calculating

extension ExpressionQuantity {
    /// The sum in the smaller of both units. `nil` without a common unit, or with too many digits.
    func plus(_ other: ExpressionQuantity) -> ExpressionQuantity? {
        if unit == other.unit { return value.plus(other.value).map { ExpressionQuantity($0, unit) } }
        // Years and months have no fixed number of days.
        guard !isYearOrMonth, !other.isYearOrMonth, let ours = unit.scale(.exact, beside: other.unit),
            let theirs = other.unit.scale(.exact, beside: unit), ours.base == theirs.base
        else { return nil }
        let smaller = ours.factor <= theirs.factor ? (ours.factor, unit) : (theirs.factor, other.unit)
        guard let left = value.times(ours.factor), let right = other.value.times(theirs.factor) else { return nil }
        return left.plus(right)?.divided(by: smaller.0).map { ExpressionQuantity($0, smaller.1) }
    }

    func minus(_ other: ExpressionQuantity) -> ExpressionQuantity? {
        plus(ExpressionQuantity(other.value.negated, other.unit))
    }

    /// `nil` for calendar units, for units that Gate can't multiply, or with too many digits.
    func times(_ other: ExpressionQuantity) -> ExpressionQuantity? {
        if other.unit == .ucum("1") { return value.times(other.value).map { ExpressionQuantity($0, unit) } }
        if unit == .ucum("1") { return other.times(self) }
        guard case .ucum(let code) = unit, case .ucum(let theirs) = other.unit, Self.isSimple(code),
            Self.isSimple(theirs)
        else { return nil }
        if let ours = UnitTable.scale(of: code), let scale = UnitTable.scale(of: theirs), ours.base == scale.base {
            // For example, two lengths give an area, in the larger of both units.
            let (larger, unit) = ours.factor < scale.factor ? (scale.factor, theirs) : (ours.factor, code)
            guard let left = value.times(ours.factor)?.divided(by: larger),
                let right = other.value.times(scale.factor)?.divided(by: larger)
            else { return nil }
            return left.times(right).map { ExpressionQuantity($0, .ucum("\(unit)2")) }
        }
        let product = value.times(other.value)
        return product.map { ExpressionQuantity($0, .ucum(code == theirs ? "\(code)2" : "\(code).\(theirs)")) }
    }

    /// `nil` as for `times`, and for a division by zero.
    func divided(by other: ExpressionQuantity) -> ExpressionQuantity? {
        if other.unit == .ucum("1") { return value.divided(by: other.value).map { ExpressionQuantity($0, unit) } }
        guard case .ucum(let code) = unit, case .ucum(let theirs) = other.unit, !theirs.contains("/") else {
            return nil
        }
        if let (left, right) = Self.common(self, other, .exact) {
            return left.divided(by: right).map { ExpressionQuantity($0, .ucum("1")) }
        }
        guard !code.contains("/"), !theirs.contains(".") else { return nil }
        let quotient = value.divided(by: other.value)
        return quotient.map { ExpressionQuantity($0, .ucum(code == "1" ? "/\(theirs)" : "\(code)/\(theirs)")) }
    }

    private var isYearOrMonth: Bool { unit == .calendar(.year) || unit == .calendar(.month) }

    /// Whether the code is one unit and not a product, quotient or power.
    private static func isSimple(_ code: String) -> Bool {
        !code.isEmpty && code.allSatisfy { $0.isLetter || $0 == "[" || $0 == "]" || $0 == "_" }
    }
}

extension ExactDecimal {
    static func isEquivalent(_ left: ExactDecimal, _ right: ExactDecimal) -> Bool {
        let (left, right) = (left.shortened, right.shortened)
        let places = min(left.places, right.places)
        return left.rounded(to: places) == right.rounded(to: places)
    }
}
