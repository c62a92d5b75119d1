import GateModel

extension Evaluator {
    /// Compares as `=` does. `nil` if a side is empty, or if a value is not known exactly enough.
    mutating func isEqual(_ left: Items, _ right: Items, at place: Place) throws(ExpressionError) -> Bool? {
        guard !left.isEmpty, !right.isEmpty else { return nil }
        guard left.count == right.count else { return false }
        var isKnown = true
        for (left, right) in zip(left, right) {
            switch try isEqual(left, right, at: place) {
            case false?: return false
            case nil: isKnown = false
            case true?: break
            }
        }
        return isKnown ? true : nil
    }

    mutating func isEqual(_ left: ExpressionItem, _ right: ExpressionItem, at place: Place) throws(ExpressionError)
        -> Bool?
    {
        try spend(1, at: place)
        if let left = left.value, let right = right.value { return try isEqual(left, right, at: place) }
        guard case .node(let left) = left, case .node(let right) = right, left.primitiveValue == nil,
            right.primitiveValue == nil
        else {
            return false
        }
        let (ours, theirs) = (left.children, right.children)
        try spend(ours.count + theirs.count, at: place)
        guard ours.map(\.name) == theirs.map(\.name) else { return false }
        guard !ours.isEmpty else { return FormValueNode.isEqual(left, right) }
        return try isEqual(ours.map(\.item), theirs.map(\.item), at: place)
    }

    private mutating func isEqual(
        _ left: ExpressionValue, _ right: ExpressionValue, at place: Place
    ) throws(ExpressionError) -> Bool? {
        switch (left, right) {
        case (.boolean(let left), .boolean(let right)): return left == right
        case (.string(let left), .string(let right)):
            try spend(min(left.utf8.count, right.utf8.count) / 16, at: place)
            return left.hasBytes(of: right)
        case (.time(let left), .time(let right)): return ClockTime.compare(left, right).map { $0 == 0 }
        case _:
            if let left = left.number, let right = right.number { return left == right }
            if let left = left.moment, let right = right.moment {
                return CalendarMoment.compare(left, right).map { $0 == 0 }
            }
            guard let left = left.quantity, let right = right.quantity else { return false }
            return ExpressionQuantity.common(left, right, .exact).map { $0.left == $0.right }
        }
    }

    mutating func isEquivalent(_ left: Items, _ right: Items, at place: Place) throws(ExpressionError) -> Bool {
        guard left.count == right.count else { return false }
        var rest = right
        for item in left {
            var found: Int?
            for (index, other) in rest.enumerated() where try isEquivalent(item, other, at: place) {
                found = index
                break
            }
            guard let found else { return false }
            // The order does not matter, so each item of the right side is used once.
            rest.swapAt(found, rest.count - 1)
            rest.removeLast()
        }
        return true
    }

    private mutating func isEquivalent(
        _ left: ExpressionItem, _ right: ExpressionItem, at place: Place
    ) throws(ExpressionError) -> Bool {
        try spend(1, at: place)
        if let left = left.value, let right = right.value {
            switch (left, right) {
            case (.string(let left), .string(let right)):
                try spend((left.utf8.count + right.utf8.count) / 16, at: place)
                return left.foldedForEquivalence.hasBytes(of: right.foldedForEquivalence)
            case _:
                if let left = left.number, let right = right.number { return ExactDecimal.isEquivalent(left, right) }
                if let left = left.quantity, let right = right.quantity {
                    return ExpressionQuantity.isEquivalent(left, right) ?? false
                }
                return try isEqual(left, right, at: place) ?? false
            }
        }
        guard case .node(let left) = left, case .node(let right) = right, left.primitiveValue == nil,
            right.primitiveValue == nil
        else {
            return false
        }
        let (ours, theirs) = (left.children, right.children)
        try spend(ours.count + theirs.count, at: place)
        guard ours.map(\.name).sorted() == theirs.map(\.name).sorted() else { return false }
        guard !ours.isEmpty else { return FormValueNode.isEqual(left, right) ?? false }
        return try isEquivalent(ours.map(\.item), theirs.map(\.item), at: place)
    }
}

extension FormValueNode {
    /// Compares two elements that have neither children nor values to calculate with: empty objects, and answers with
    /// too many digits. `nil` if these are moments of which nobody can tell whether they are equal.
    fileprivate static func isEqual(_ left: any ExpressionNode, _ right: any ExpressionNode) -> Bool? {
        let (left, right) = ((left as? FormValueNode)?.formValue, (right as? FormValueNode)?.formValue)
        switch (left, right) {
        case (.decimal(let left), .decimal(let right)): return FormDecimal.compare(left, right) == 0
        case (.time(let left), .time(let right)): return FormTime.compare(left, right).map { $0 == 0 }
        case (.dateTime(let left), .dateTime(let right)): return FormDateTime.compare(left, right).map { $0 == 0 }
        case _: return left == right
        }
    }
}

extension String {
    /// In lower case, and with a space for every white-space character.
    fileprivate var foldedForEquivalence: String {
        var folded = String.UnicodeScalarView()
        for scalar in lowercased().unicodeScalars { folded.append(scalar.properties.isWhitespace ? " " : scalar) }
        return String(folded)
    }
}
