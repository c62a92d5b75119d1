extension FormValue {
    /// Negative if this value is less than `other`, positive if it is more, 0 if both are the same. `nil` if their
    /// types or units can't be compared, if they differ in a type that has no order, or if one is not exact enough to
    /// tell.
    package func compare(_ other: FormValue) -> Int? {
        switch self {
        case .integer, .decimal:
            guard let ours = number, let theirs = other.number else { return nil }
            return FormDecimal.compare(ours, theirs)
        case .date, .dateTime:
            guard let ours = moment, let theirs = other.moment else { return nil }
            return FormDateTime.compare(ours, theirs)
        case .time(let ours):
            guard case .time(let theirs) = other else { return nil }
            return FormTime.compare(ours, theirs)
        case .string(let ours):
            guard case .string(let theirs) = other else { return nil }
            return ours.compareBytes(theirs)
        case .uri(let ours):
            guard case .uri(let theirs) = other else { return nil }
            return ours.compareBytes(theirs)
        case .quantity(let ours):
            guard case .quantity(let theirs) = other else { return nil }
            return ours.isSame(as: theirs) ? 0 : ours.compare(theirs)
        case .boolean, .coding, .reference, .attachment:
            return isSame(as: other) ? 0 : nil
        }
    }

    /// Whether both are the same answer, as `=` in a condition means it: numbers and moments by value, not by spelling;
    /// texts by their bytes, as in an expression; codings by system and code; references by what they point to.
    package func isSame(as other: FormValue) -> Bool {
        switch self {
        case .integer, .decimal, .date, .dateTime, .time, .string, .uri: return compare(other) == 0
        case .boolean(let ours):
            guard case .boolean(let theirs) = other else { return false }
            return ours == theirs
        case .coding(let ours):
            guard case .coding(let theirs) = other else { return false }
            return ours.isSame(as: theirs)
        case .quantity(let ours):
            guard case .quantity(let theirs) = other else { return false }
            return ours.isSame(as: theirs)
        case .reference(let ours):
            guard case .reference(let theirs) = other else { return false }
            return ours.isSame(as: theirs)
        case .attachment(let ours):
            guard case .attachment(let theirs) = other else { return false }
            return ours.digest == theirs.digest
        }
    }

    /// The number as a decimal, since whole numbers are compared with decimals; `nil` for other types.
    private var number: FormDecimal? {
        switch self {
        case .integer(let number): FormDecimal(Int(number))
        case .decimal(let number): number
        case .boolean, .date, .dateTime, .time, .string, .uri, .coding, .quantity, .reference, .attachment: nil
        }
    }

    /// The date or moment as a moment, since dates are compared with moments; `nil` for other types.
    private var moment: FormDateTime? {
        switch self {
        case .date(let date): FormDateTime(date)
        case .dateTime(let moment): moment
        case .boolean, .decimal, .integer, .time, .string, .uri, .coding, .quantity, .reference, .attachment: nil
        }
    }
}

extension FormReference {
    /// Whether both point to the same resource. If neither points to one, whether people read the same.
    package func isSame(as other: FormReference) -> Bool {
        guard reference == nil, other.reference == nil else { return reference == other.reference }
        return type == other.type && display == other.display
    }
}

extension FormQuantity {
    /// Whether both have the same unit, or none: by system and code if both have a code, or else by what people read.
    package func hasSameUnit(as other: FormQuantity) -> Bool {
        if let code, let theirs = other.code { return system == other.system && code == theirs }
        return (unit ?? code) == (other.unit ?? other.code)
    }

    package func isSame(as other: FormQuantity) -> Bool {
        guard hasSameUnit(as: other), comparator == other.comparator else { return false }
        guard let value, let theirs = other.value else { return value == other.value }
        return FormDecimal.compare(value, theirs) == 0
    }

    /// Negative if this is certainly less than `other`, positive if more, 0 if both are exact and equal; else `nil`.
    package func compare(_ other: FormQuantity) -> Int? {
        guard hasSameUnit(as: other), let value, let theirs = other.value else { return nil }
        let order = FormDecimal.compare(value, theirs)
        switch (bound, other.bound) {
        case (.exact, .exact): return order
        case (.below(let includesOurs), .exact), (.exact, .above(let includesOurs)):
            return order < 0 || order == 0 && !includesOurs ? -1 : nil
        case (.above(let includesOurs), .exact), (.exact, .below(let includesOurs)):
            return order > 0 || order == 0 && !includesOurs ? 1 : nil
        case (.below(let includesOurs), .above(let includesTheirs)):
            return order < 0 || order == 0 && !(includesOurs && includesTheirs) ? -1 : nil
        case (.above(let includesOurs), .below(let includesTheirs)):
            return order > 0 || order == 0 && !(includesOurs && includesTheirs) ? 1 : nil
        case (.below, .below), (.above, .above): return nil
        }
    }

    /// How the real value compares with the number that is written.
    private enum Bound {
        case exact
        /// The real value is less, or, if `including`, less or the same.
        case below(including: Bool)
        case above(including: Bool)
    }

    private var bound: Bound {
        switch comparator {
        case "<": .below(including: false)
        case "<=": .below(including: true)
        case ">": .above(including: false)
        case ">=": .above(including: true)
        case _: .exact
        }
    }
}
