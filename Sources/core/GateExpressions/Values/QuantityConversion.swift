package import GateModel

extension FormValue {
    /// Compares as `compare` does, and converts quantities first if Gate knows both UCUM units. Negative if this is
    /// certainly less than `other`, positive if it is certainly more, `nil` if that is unknown.
    package func order(by other: FormValue) -> Int? {
        guard case .quantity(let ours) = self, case .quantity(let theirs) = other,
            let (left, right) = FormQuantity.common(ours, theirs)
        else { return compare(other) }
        return left.compare(right)
    }
}

extension FormQuantity {
    package func hasComparableUnit(to other: FormQuantity) -> Bool {
        if hasSameUnit(as: other) { return true }
        guard let ours = unitOfUCUM, let theirs = other.unitOfUCUM else { return false }
        return ExpressionQuantity.common(
            ExpressionQuantity(ExactDecimal(1), ours), ExpressionQuantity(ExactDecimal(1), theirs), .exact) != nil
    }

    /// Both in a common unit; `nil` if there is none, or if they already have it.
    fileprivate static func common(_ left: FormQuantity, _ right: FormQuantity) -> (FormQuantity, FormQuantity)? {
        guard !left.hasSameUnit(as: right), let ours = left.converted, let theirs = right.converted,
            let (leftNumber, rightNumber) = ExpressionQuantity.common(ours, theirs, .exact)
        else { return nil }
        return (
            FormQuantity(value: FormDecimal(leftNumber.text), comparator: left.comparator),
            FormQuantity(value: FormDecimal(rightNumber.text), comparator: right.comparator)
        )
    }

    private var converted: ExpressionQuantity? {
        guard let unit = unitOfUCUM, let number = value.flatMap({ ExactDecimal($0) }) else { return nil }
        return ExpressionQuantity(number, unit)
    }

    /// `nil` without a unit, or if its code is from another system.
    private var unitOfUCUM: ExpressionQuantity.Unit? {
        guard system == nil || system == ExpressionVocabulary.constant("ucum") else { return nil }
        return (code ?? unit).map { .ucum($0) }
    }
}
