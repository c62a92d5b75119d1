import GateModel

extension Evaluator {
    /// Compares as `<` does: negative, zero, positive, or `nil` if unknown. Throws if the types don't compare.
    static func order(
        _ left: ExpressionValue, _ right: ExpressionValue, at place: Place, _ budget: inout ExpressionBudget
    ) throws(ExpressionError) -> Int? {
        switch (left, right) {
        case (.string(let left), .string(let right)):
            try budget.spend(min(left.utf8.count, right.utf8.count) / 16, at: place)
            return left.compareBytes(right)
        case (.time(let left), .time(let right)): return ClockTime.compare(left, right)
        case _:
            if let left = left.number, let right = right.number { return ExactDecimal.compare(left, right) }
            if let left = left.moment, let right = right.moment { return CalendarMoment.compare(left, right) }
            guard let ours = left.quantity, let theirs = right.quantity else {
                throw ExpressionError(
                    .evaluation, at: place, "\(left.typeName) and \(right.typeName) can't be compared with each other.")
            }
            return ExpressionQuantity.common(ours, theirs, .exact).map { ExactDecimal.compare($0.left, $0.right) }
        }
    }

    static func sum(_ left: ExpressionValue, _ right: ExpressionValue, at place: Place) throws(ExpressionError)
        -> ExpressionValue?
    {
        try calculated(.plus, left, right, at: place)
    }

    /// Applies an arithmetic operator. `nil` for a division by zero, units that don't fit, or too many digits. Throws
    /// if the types don't fit.
    static func calculated(
        _ binary: BinaryOperator, _ left: ExpressionValue, _ right: ExpressionValue, at place: Place
    ) throws(ExpressionError) -> ExpressionValue? {
        if case .integer(let left) = left, case .integer(let right) = right, let whole = whole(binary, left, right) {
            return whole.map { .integer($0) }
        }
        if let left = left.number, let right = right.number { return decimal(binary, left, right).map { .decimal($0) } }
        if binary == .plus || binary == .minus, case .quantity(let duration) = right,
            let later = try later(left, binary == .plus ? duration : duration.negated, at: place)
        {
            return later
        }
        guard let ours = left.quantity, let theirs = right.quantity, binary != .div, binary != .mod else {
            throw ExpressionError(
                .evaluation, at: place,
                "'\(binary.rawValue)' does not work between \(left.typeName) and \(right.typeName).")
        }
        return quantity(binary, ours, theirs).map { .quantity($0) }
    }

    /// `nil` if the operator does not work on whole numbers; `.some(nil)` for an overflow or a division by zero.
    private static func whole(_ binary: BinaryOperator, _ left: Int32, _ right: Int32) -> Int32?? {
        let (value, isTooLarge): (Int32, Bool)
        switch binary {
        case .plus: (value, isTooLarge) = left.addingReportingOverflow(right)
        case .minus: (value, isTooLarge) = left.subtractingReportingOverflow(right)
        case .times: (value, isTooLarge) = left.multipliedReportingOverflow(by: right)
        case .div: (value, isTooLarge) = left.dividedReportingOverflow(by: right)
        case .mod: (value, isTooLarge) = left.remainderReportingOverflow(dividingBy: right)
        case _: return nil
        }
        return .some(isTooLarge ? nil : value)
    }

    private static func decimal(_ binary: BinaryOperator, _ left: ExactDecimal, _ right: ExactDecimal) -> ExactDecimal?
    {
        switch binary {
        case .plus: left.plus(right)
        case .minus: left.minus(right)
        case .times: left.times(right)
        case .divided: left.divided(by: right)
        case .div: left.quotientAndRemainder(by: right)?.quotient
        case .mod: left.quotientAndRemainder(by: right)?.remainder
        case _: nil
        }
    }

    private static func quantity(
        _ binary: BinaryOperator, _ left: ExpressionQuantity, _ right: ExpressionQuantity
    ) -> ExpressionQuantity? {
        switch binary {
        case .plus: left.plus(right)
        case .minus: left.minus(right)
        case .times: left.times(right)
        case .divided: left.divided(by: right)
        case _: nil
        }
    }

    /// `nil` if `value` is not a date, moment or time.
    private static func later(
        _ value: ExpressionValue, _ duration: ExpressionQuantity, at place: Place
    ) throws(ExpressionError) -> ExpressionValue? {
        do throws(DateArithmetic.Failure) {
            switch value {
            case .date(let date): return .date(try DateArithmetic.sum(date, duration))
            case .dateTime(let moment): return .dateTime(try DateArithmetic.sum(moment, duration))
            case .time(let time): return .time(try DateArithmetic.sum(time, duration))
            case .boolean, .string, .integer, .decimal, .quantity: return nil
            }
        } catch {
            let message =
                switch error {
                case .unit: "\(duration.text) can't be added to a \(value.typeName). Write a duration, like 18 years."
                case .outsideCalendar: "The result is outside of the calendar, which goes from year 1 to year 9999."
                }
            throw ExpressionError(.evaluation, at: place, message)
        }
    }

    func signed(_ items: Items, isNegative: Bool, at place: Place) throws(ExpressionError) -> Items {
        guard let value = try value(items, at: place) else { return [] }
        switch value {
        case .integer(let number):
            guard isNegative else { return [.value(value)] }
            let (negated, isTooLarge) = Int32(0).subtractingReportingOverflow(number)
            return isTooLarge ? [] : [.value(.integer(negated))]
        case .decimal(let number): return [.value(.decimal(isNegative ? number.negated : number))]
        case .quantity(let quantity): return [.value(.quantity(isNegative ? quantity.negated : quantity))]
        case .boolean, .string, .date, .dateTime, .time:
            throw wrong("Only numbers and quantities have a sign, not \(value.typeName).", place)
        }
    }
}

extension ExpressionQuantity {
    var negated: ExpressionQuantity { ExpressionQuantity(value.negated, unit) }
}
