import GateModel

extension Evaluator {
    mutating func combined(
        _ binary: BinaryOperator, _ left: Items, _ right: Items, at place: Place
    ) throws(ExpressionError) -> Items {
        switch binary {
        case .implies, .or, .xor, .and:
            let result = Self.logic(
                binary, try Self.boolean(left, at: place), try Self.boolean(right, at: place))
            return result.map(one) ?? []
        case .equal: return try isEqual(left, right, at: place).map(one) ?? []
        case .notEqual: return try isEqual(left, right, at: place).map { one(!$0) } ?? []
        case .equivalent: return one(try isEquivalent(left, right, at: place))
        case .notEquivalent: return one(try !isEquivalent(left, right, at: place))
        case .in: return try membership(left, right, at: place)
        case .contains: return try membership(right, left, at: place)
        case .union: return try distinct(left + right, at: place)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard let left = try value(left, at: place), let right = try value(right, at: place),
                let order = try Self.order(left, right, at: place, &budget)
            else { return [] }
            return one(binary.holds(order))
        case .concatenation:
            let (left, right) = (try string(left, at: place) ?? "", try string(right, at: place) ?? "")
            return [.value(.string(try joined(left, right, at: place)))]
        case .plus, .minus, .times, .divided, .div, .mod:
            guard let left = try value(left, at: place), let right = try value(right, at: place) else { return [] }
            if binary == .plus, case .string(let left) = left, case .string(let right) = right {
                return [.value(.string(try joined(left, right, at: place)))]
            }
            return try Self.calculated(binary, left, right, at: place).map { [.value($0)] } ?? []
        }
    }

    /// FHIRPath's three-valued logic. `nil` means unknown.
    static func logic(_ binary: BinaryOperator, _ left: Bool?, _ right: Bool?) -> Bool? {
        switch binary {
        case .and: left == false || right == false ? false : left == true && right == true ? true : nil
        case .or: left == true || right == true ? true : left == false && right == false ? false : nil
        case .xor: if let left, let right { left != right } else { nil }
        case .implies: left == false || right == true ? true : left == true ? right : nil
        case _: nil
        }
    }

    private mutating func joined(_ left: String, _ right: String, at place: Place) throws(ExpressionError) -> String {
        let byteCount = left.utf8.count + right.utf8.count
        guard byteCount <= ExpressionLimits.textBytes else {
            throw wrong("This text becomes longer than 1 MiB.", place)
        }
        try spend(byteCount / 16, at: place)
        guard !CombiningMarks.areTooMany(where: left, meets: right) else {
            throw wrong(
                "This text gets more than \(CombiningMarks.maximumCount) accents or other marks in a row.", place)
        }
        return left + right
    }

    // MARK: Collections

    private mutating func membership(_ item: Items, _ items: Items, at place: Place) throws(ExpressionError) -> Items {
        guard let item = try single(item, at: place) else { return [] }
        for other in items where try isEqual(item, other, at: place) == true { return one(true) }
        return one(false)
    }

    private mutating func distinct(_ items: Items, at place: Place) throws(ExpressionError) -> Items {
        var distinct: Items = []
        for item in items {
            var isNew = true
            for other in distinct where try isEqual(item, other, at: place) == true {
                isNew = false
                break
            }
            if isNew { distinct.append(item) }
        }
        return distinct
    }
}

extension BinaryOperator {
    fileprivate func holds(_ order: Int) -> Bool {
        switch self {
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        case _: false
        }
    }
}
