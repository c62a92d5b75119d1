package import GateModel

extension FormValue {
    /// Below zero: it is certainly less than `other`. Above: it is certainly more. `nil`: that can't be told.
    ///
    /// As `compare`, and quantities are converted where their units are UCUM's and Gate knows both.
    package func order(by other: FormValue) -> Int? {
        guard case .quantity(let ours) = self, case .quantity(let theirs) = other,
            let (left, right) = FormQuantity.common(ours, theirs)
        else { return compare(other) }
        return left.compare(right)
    }
}

extension FormQuantity {
    /// Whether it can be said which of both is more, whatever their numbers are.
    package func hasComparableUnit(to other: FormQuantity) -> Bool {
        if hasSameUnit(as: other) { return true }
        guard let ours = unitOfUCUM, let theirs = other.unitOfUCUM else { return false }
        return ExpressionQuantity.common(
            ExpressionQuantity(ExactDecimal(1), ours), ExpressionQuantity(ExactDecimal(1), theirs), .exact) != nil
    }

    /// Both in one unit. `nil`: no unit fits both, or they have it already.
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

    /// `nil`: its code is of another system.
    private var unitOfUCUM: ExpressionQuantity.Unit? {
        guard system == nil || system == ExpressionVocabulary.constant("ucum") else { return nil }
        return (code ?? unit).map { .ucum($0) }
    }
}
