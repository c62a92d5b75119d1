/// Evaluates one expression. Every step is charged to the budget, so every expression comes to an end.
struct Evaluator {
    typealias Items = [ExpressionItem]
    typealias Place = ExpressionError.Place

    /// `$this` and `$index`.
    struct Focus {
        var items: Items
        var index: Int
    }

    let context: ExpressionContext
    var budget: ExpressionBudget

    init(_ context: ExpressionContext, _ budget: ExpressionBudget) {
        self.context = context
        self.budget = budget
    }

    mutating func items(_ syntax: Syntax, _ focus: Focus) throws(ExpressionError) -> Items {
        try spend(1, at: syntax.place)
        switch syntax.kind {
        case .literal(let value): return value.map { [.value($0)] } ?? []
        case .this: return focus.items
        case .index: return [.value(.integer(Int32(clamping: focus.index)))]
        case .variable(let name): return variable(name)
        case .member(let input, let name): return try members(of: input, name, focus, at: syntax.place)
        case .element(let input, let number):
            let items = try items(input, focus)
            guard let index = try integer(try self.items(number, focus), at: number.place), index >= 0 else {
                return []
            }
            return Int(index) < items.count ? [items[Int(index)]] : []
        case .call(let input, let function, let arguments):
            return try call(function, of: input, arguments, focus, at: syntax.place)
        case .matches(let input, let pattern):
            let input = try input.map { input throws(ExpressionError) in try items(input, focus) } ?? focus.items
            return try matches(input, pattern, at: syntax.place)
        case .sign(let operand, let isNegative):
            return try signed(try items(operand, focus), isNegative: isNegative, at: syntax.place)
        case .binary(let binary, let left, let right):
            let (left, right) = (try items(left, focus), try items(right, focus))
            return try combined(binary, left, right, at: syntax.place)
        }
    }

    // MARK: Paths

    private func variable(_ name: String) -> Items {
        switch name {
        case "resource", "rootResource": [context.resource]
        case "context": [context.context]
        case _:
            if let items = context.variables[name] {
                items
            } else {
                ExpressionVocabulary.constant(name).map { [.value(.string($0))] } ?? []
            }
        }
    }

    private mutating func members(
        of input: Syntax?, _ name: String, _ focus: Focus, at place: Place
    ) throws(ExpressionError) -> Items {
        guard let input else { return try members(of: focus.items, name, mayBeType: true, at: place) }
        return try members(of: try items(input, focus), name, mayBeType: false, at: place)
    }

    /// - Parameter mayBeType: whether `name` may be the type of the items themselves, as in `Patient.name`.
    private mutating func members(
        of items: Items, _ name: String, mayBeType: Bool, at place: Place
    ) throws(ExpressionError) -> Items {
        var members: Items = []
        for item in items {
            guard case .node(let node) = item else { continue }
            if mayBeType, node.typeName == name {
                members.append(item)
                continue
            }
            let lookedCount = node.lookedCount
            let children = node.children(named: name)
            try spend(1 + children.count + node.lookedCount - lookedCount, at: place)
            members += children
        }
        return members
    }

    mutating func children(of items: Items, at place: Place) throws(ExpressionError) -> Items {
        var found: Items = []
        for case .node(let node) in items {
            let lookedCount = node.lookedCount
            let children = node.children
            try spend(1 + children.count + node.lookedCount - lookedCount, at: place)
            found += children.map(\.item)
        }
        return found
    }

    /// All children at every depth. Each is followed by its own.
    mutating func descendants(of items: Items, at place: Place) throws(ExpressionError) -> Items {
        var found: Items = []
        var waiting: Items = try children(of: items, at: place).reversed()
        while let item = waiting.popLast() {
            found.append(item)
            waiting += try children(of: [item], at: place).reversed()
        }
        return found
    }

    // MARK: Single values

    /// `nil` if the collection is empty. Throws if it has several items.
    func single(_ items: Items, at place: Place) throws(ExpressionError) -> ExpressionItem? {
        guard items.count <= 1 else {
            throw wrong(
                "One value is needed here, and there are \(items.count). Choose one, with first() or where().", place)
        }
        return items.first
    }

    /// `nil` if the collection is empty. Throws if it has several items, or one without a value.
    func value(_ items: Items, at place: Place) throws(ExpressionError) -> ExpressionValue? {
        guard let item = try single(items, at: place) else { return nil }
        guard let value = item.value else { throw wrong("A value is needed here, not \(item.typeName).", place) }
        return value
    }

    func string(_ items: Items, at place: Place) throws(ExpressionError) -> String? {
        guard let value = try value(items, at: place) else { return nil }
        guard case .string(let text) = value else {
            throw wrong("A String is needed here, not \(value.typeName). Put .toString() after it.", place)
        }
        return text
    }

    func integer(_ items: Items, at place: Place) throws(ExpressionError) -> Int32? {
        guard let value = try value(items, at: place) else { return nil }
        guard case .integer(let number) = value else {
            throw wrong("An Integer is needed here, not \(value.typeName).", place)
        }
        return number
    }

    /// A condition's result, by FHIRPath's rule that a single item other than a Boolean counts as true. `nil` if the
    /// collection is empty. Throws if it has several items.
    static func boolean(_ items: Items, at place: Place) throws(ExpressionError) -> Bool? {
        guard items.count <= 1 else {
            throw ExpressionError(
                .evaluation, at: place,
                "A condition is needed here, and there are \(items.count) values. Use exists() or all().")
        }
        guard let item = items.first else { return nil }
        if case .boolean(let isTrue)? = item.value { return isTrue }
        return true
    }

    // MARK: -

    mutating func spend(_ steps: Int, at place: Place) throws(ExpressionError) { try budget.spend(steps, at: place) }

    func wrong(_ message: String, _ place: Place) -> ExpressionError {
        ExpressionError(.evaluation, at: place, message)
    }
}
