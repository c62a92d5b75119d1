import GateModel

extension Evaluator {
    /// Calls a function on the result of `input`, or on `$this` if `input` is `nil`.
    mutating func call(
        _ function: FunctionName, of input: Syntax?, _ arguments: [Syntax], _ focus: Focus, at place: Place
    ) throws(ExpressionError) -> Items {
        if function == .where, let found = try lookedUp(input, arguments[0], focus) { return found }
        let input = try input.map { input throws(ExpressionError) in try items(input, focus) } ?? focus.items
        switch function {
        case .all: return one(try satisfying(input, arguments[0]).count == input.count)
        case .exists:
            guard let criteria = arguments.first else { return one(!input.isEmpty) }
            return one(try !satisfying(input, criteria).isEmpty)
        case .where: return try satisfying(input, arguments[0])
        case .select:
            var selected: Items = []
            for (index, item) in input.enumerated() {
                let items = try items(arguments[0], Focus(items: [item], index: index))
                try spend(items.count, at: place)
                selected += items
            }
            return selected
        case .iif: return try chosen(input, arguments, focus, at: place)
        case .empty: return one(input.isEmpty)
        case .count: return [.value(.integer(Int32(clamping: input.count)))]
        case .first: return Array(input.prefix(1))
        case .last: return Array(input.suffix(1))
        case .children: return try children(of: input, at: place)
        case .descendants: return try descendants(of: input, at: place)
        case .not: return try Self.boolean(input, at: place).map { one(!$0) } ?? []
        case .sum: return try sum(of: input, at: place)
        case .round:
            let places = try arguments.first.map { argument throws(ExpressionError) in try items(argument, focus) }
            return try rounded(input, places, at: place)
        case .contains:
            let part = try string(try items(arguments[0], focus), at: arguments[0].place)
            guard let text = try string(input, at: place), let part else { return [] }
            try spend(text.utf8.count / 16 + part.utf8.count / 16, at: place)
            return one(ByteSearch.contains(text, part))
        case .length:
            guard let text = try string(input, at: place) else { return [] }
            try spend(text.utf8.count / 16, at: place)
            return [.value(.integer(Int32(clamping: text.unicodeScalars.count)))]
        case .toString: return try single(input, at: place)?.value.map { [.value(.string($0.text))] } ?? []
        case .duration: return try duration(input, arguments, focus, at: place)
        case .now: return [.value(.dateTime(context.now))]
        case .today: return [.value(.date(context.now.date))]
        case .timeOfDay: return context.now.time.map { [.value(.time($0))] } ?? []
        case .matches, .matchesFull: preconditionFailure("the parser makes these a node of their own")
        }
    }

    /// The result of `item.where(linkId = 'x' or linkId = 'y')`, from the tree's index if it has one. `nil` for other
    /// calls.
    private mutating func lookedUp(
        _ input: Syntax?, _ criteria: Syntax, _ focus: Focus
    ) throws(ExpressionError) -> Items? {
        guard let linkIDs = criteria.comparedLinkIDs, let input, case .member(let owner, "item") = input.kind else {
            return nil
        }
        let owners = try owner.map { owner throws(ExpressionError) in try items(owner, focus) } ?? focus.items
        var found: Items = []
        for case .node(let node) in owners {
            let lookedCount = node.lookedCount
            if let items = node.items(linkIDs: linkIDs) {
                try spend(linkIDs.count + items.count + node.lookedCount - lookedCount, at: input.place)
                found += items
            } else {
                let items = node.children(named: "item")
                try spend(1 + items.count, at: input.place)
                found += try satisfying(items, criteria)
            }
        }
        return found
    }

    private mutating func satisfying(_ input: Items, _ criteria: Syntax) throws(ExpressionError) -> Items {
        var found: Items = []
        for (index, item) in input.enumerated() {
            let result = try items(criteria, Focus(items: [item], index: index))
            if try Self.boolean(result, at: criteria.place) == true { found.append(item) }
        }
        return found
    }

    private mutating func chosen(
        _ input: Items, _ arguments: [Syntax], _ focus: Focus, at place: Place
    ) throws(ExpressionError) -> Items {
        _ = try single(input, at: place)
        let inner = Focus(items: input, index: focus.index)
        let isTrue = try Self.boolean(try items(arguments[0], inner), at: arguments[0].place)
        if isTrue == true { return try items(arguments[1], inner) }
        return arguments.count > 2 ? try items(arguments[2], inner) : []
    }

    private mutating func sum(of input: Items, at place: Place) throws(ExpressionError) -> Items {
        guard var total = input.first?.value else {
            if input.isEmpty { return [] }
            throw wrong("Only numbers and quantities have a sum.", place)
        }
        guard total.number != nil || total.quantity != nil else {
            throw wrong("Only numbers and quantities have a sum, not \(total.typeName).", place)
        }
        for item in input.dropFirst() {
            try spend(1, at: place)
            guard let value = item.value, value.typeName == total.typeName else {
                throw wrong("A sum is of values of one type, not of \(total.typeName) and \(item.typeName).", place)
            }
            guard let next = try Self.sum(total, value, at: place) else { return [] }
            total = next
        }
        return [.value(total)]
    }

    private func rounded(_ input: Items, _ argument: Items?, at place: Place) throws(ExpressionError) -> Items {
        var places = 0
        if let argument {
            guard let number = try integer(argument, at: place) else { return [] }
            places = Int(number)
        }
        guard places >= 0 else { throw wrong("Numbers are rounded to 0 places or more.", place) }
        switch try value(input, at: place) {
        case nil: return []
        case .quantity(let quantity)?:
            return [.value(.quantity(ExpressionQuantity(quantity.value.rounded(to: places), quantity.unit)))]
        case let value?:
            guard let number = value.number else {
                throw wrong("Only numbers can be rounded, not \(value.typeName).", place)
            }
            return [.value(.decimal(number.rounded(to: places)))]
        }
    }

    mutating func matches(_ input: Items, _ pattern: TextPattern?, at place: Place) throws(ExpressionError) -> Items {
        guard let text = try string(input, at: place), let pattern else { return [] }
        try spend(1 + pattern.stepCount(for: text) / 16, at: place)
        guard text.unicodeScalars.count <= pattern.maximumTextLength else {
            throw wrong(
                "This text has more than \(pattern.maximumTextLength) characters: too many for that pattern.", place)
        }
        return one(pattern.matches(text))
    }

    private mutating func duration(
        _ input: Items, _ arguments: [Syntax], _ focus: Focus, at place: Place
    ) throws(ExpressionError) -> Items {
        let end = try value(try items(arguments[0], focus), at: arguments[0].place)
        let word = try string(try items(arguments[1], focus), at: arguments[1].place)
        guard let start = try value(input, at: place), let end, let word else { return [] }
        guard let unit = CalendarUnit(rawValue: word) else {
            throw wrong(
                "duration() counts in 'year', 'month', 'week', 'day' and so on, not in '\(word)'.", arguments[1].place)
        }
        do throws(WholePeriods.Failure) {
            let count: Int?
            switch (start, end) {
            case (.date(let start), .date(let end)): count = try WholePeriods.between(start, end, unit)
            case (.time(let start), .time(let end)): count = try WholePeriods.between(start, end, unit)
            case _:
                guard let first = start.moment, let last = end.moment else { throw .unit }
                count = try WholePeriods.between(first, last, unit)
            }
            return count.flatMap { Int32(exactly: $0) }.map { [.value(.integer($0))] } ?? []
        } catch {
            throw wrong("\(start.typeName) and \(end.typeName) have no duration in '\(word)'.", place)
        }
    }

    func one(_ isTrue: Bool) -> Items { [.value(.boolean(isTrue))] }
}

extension Syntax {
    /// The `x` of `linkId = 'x'`; `nil` if the expression has another form.
    var comparedLinkID: String? {
        guard case .binary(.equal, let left, let right) = kind else { return nil }
        switch (left.kind, right.kind) {
        case (.member(let input, "linkId"), .literal(.string(let linkID)?)),
            (.literal(.string(let linkID)?), .member(let input, "linkId")):
            guard let input else { return linkID }
            if case .this = input.kind { return linkID }
            return nil
        case _: return nil
        }
    }
}

/// Finds a text in a text by its bytes: in UTF-8, equal bytes are equal characters.
private enum ByteSearch {
    /// Uses the algorithm of Knuth, Morris and Pratt, whose time is linear for any input.
    static func contains(_ text: String, _ part: String) -> Bool {
        let part = Array(part.utf8)
        guard !part.isEmpty else { return true }
        var fallback = [0]
        var matched = 0
        for byte in part.dropFirst() {
            while matched > 0, part[matched] != byte { matched = fallback[matched - 1] }
            if part[matched] == byte { matched += 1 }
            fallback.append(matched)
        }
        matched = 0
        for byte in text.utf8 {
            while matched > 0, part[matched] != byte { matched = fallback[matched - 1] }
            if part[matched] == byte { matched += 1 }
            if matched == part.count { return true }
        }
        return false
    }
}
