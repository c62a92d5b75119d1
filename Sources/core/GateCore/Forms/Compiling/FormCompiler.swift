import GateModel

/// Computes what does not depend on answers, in a time that depends only on the form's size.
struct FormCompiler {
    private(set) var items: [CompiledItem] = []
    private(set) var positions: [String: Int] = [:]
    private(set) var roots: [Int] = []
    /// For each item the items that decide whether it and its contents are enabled. Only for forms with expressions.
    private(set) var gatekeepers: [Int: [Int]] = [:]

    static func outline(of questionnaire: Questionnaire) -> CompiledOutline {
        var compiler = FormCompiler()
        compiler.roots = compiler.add(questionnaire.items, in: nil, containers: [], isReadOnly: false)
        compiler.resolve()
        compiler.markCircles(questionnaire)
        compiler.findGatekeepers()
        let invariants = questionnaire.hasExpressions ? compiler.readExpressions(questionnaire) : []
        let label = compiler.label(questionnaire)
        compiler.computeInitialContents(isForGrownUps: questionnaire.completedBy == .grownUp)
        return CompiledOutline(
            questionnaire: questionnaire, items: compiler.items, positions: compiler.positions, roots: compiler.roots,
            invariants: invariants, label: label)
    }

    /// - Returns: the positions of the added items. A second item with the same linkId is not added.
    private mutating func add(
        _ added: [QuestionnaireItem], in parent: Int?, containers: [Int], isReadOnly: Bool
    ) -> [Int] {
        var siblings: [Int] = []
        for item in added where positions[item.linkID] == nil {
            let position = items.count
            positions[item.linkID] = position
            let isReadOnly = isReadOnly || item.isReadOnly
            items.append(
                CompiledItem(
                    item, position: position, parent: parent, rank: siblings.count, containers: containers,
                    path: containers.isEmpty ? FormPath(item.linkID) : nil, isReadOnly: isReadOnly))
            let children = add(
                item.items, in: position, containers: item.isContainer ? containers + [position] : containers,
                isReadOnly: isReadOnly)
            items[position].children = children
            items[position].end = items.count
            siblings.append(position)
        }
        return siblings
    }

    // MARK: - Dependencies

    private mutating func resolve() {
        for position in items.indices {
            let item = items[position].item
            items[position].conditions = item.enableWhen.map { condition in
                CompiledItem.Condition(
                    condition: condition, question: positions[condition.question].map { sight(from: position, of: $0) })
            }
            // An item can't wait for the answer of an item below itself.
            for parent in item.parents {
                guard let other = positions[parent], !(position..<items[position].end).contains(other) else { continue }
                items[position].parents.append(sight(from: position, of: other))
                items[other].dependants.append(sight(from: other, of: position))
            }
        }
    }

    private func sight(from position: Int, of other: Int) -> Sight {
        let ours = items[position].containers
        let theirs = items[other].containers
        let shared = zip(ours, theirs).prefix { $0 == $1 }.count
        let isOfOwnAnswer = theirs.count == shared && ours.count > shared && ours[shared] == other
        return Sight(
            item: other, shared: shared, isOfOwnAnswer: isOfOwnAnswer, isSingle: theirs.isEmpty && !isOfOwnAnswer,
            isBelowOwnAnswers: ours.count == shared && theirs.count > shared && theirs[shared] == position)
    }

    // MARK: - Circles

    /// Marks items whose conditions form a circle. An item waits for its parent and for the questions of its
    /// conditions. Items that wait for nothing are removed repeatedly; what is left waits for itself.
    private mutating func markCircles(_ questionnaire: Questionnaire) {
        let read = readByConditions(questionnaire)
        var waiters = [[Int]](repeating: [], count: items.count)
        var waits = [Int](repeating: 0, count: items.count)
        for (position, item) in items.enumerated() {
            let named = item.conditions.compactMap(\.question?.item) + (read[position] ?? [])
            for other in [item.parent].compactMap(\.self) + named {
                waiters[other].append(position)
                waits[position] += 1
            }
        }
        var ready = items.indices.filter { waits[$0] == 0 }
        var isFree = [Bool](repeating: false, count: items.count)
        while let next = ready.popLast() {
            isFree[next] = true
            for waiter in waiters[next] {
                waits[waiter] -= 1
                if waits[waiter] == 0 { ready.append(waiter) }
            }
        }
        for position in items.indices where !isFree[position] {
            items[position].isNeverEnabled = true
        }
    }

    private mutating func findGatekeepers() {
        var count = 0
        for position in items.indices {
            let item = items[position]
            let isGatekeeper =
                !item.conditions.isEmpty || item.item.expressions.enableWhen != nil || item.isNeverEnabled
            if isGatekeeper {
                items[position].gatekeeperNumber = count
                count += 1
            }
            items[position].gatekeeper = isGatekeeper ? position : item.parent.flatMap { items[$0].gatekeeper }
        }
    }

    // MARK: - Expressions

    /// The scope of each item: its own variables and those of the items around it.
    private func scopes(_ questionnaire: Questionnaire) -> [CompiledScope] {
        let outer = scope(questionnaire.variables, of: nil, within: CompiledScope())
        var scopes: [CompiledScope] = []
        for (position, compiled) in items.enumerated() {
            let around = compiled.parent.map { scopes[$0] } ?? outer
            scopes.append(scope(compiled.item.expressions.variables, of: position, within: around))
        }
        return scopes
    }

    private func scope(
        _ variables: [QuestionnaireVariable], of item: Int?, within around: CompiledScope
    ) -> CompiledScope {
        var scope = CompiledScope(item: item, variables: around.variables)
        for variable in variables {
            let expression = expression(variable.expression, in: scope)
            scope.variables.append(CompiledVariable(variable.name, owner: item, expression: expression))
        }
        return scope
    }

    /// For each item with `enableWhenExpression`, the items that have to be decided before it.
    private func readByConditions(_ questionnaire: Questionnaire) -> [Int: [Int]] {
        guard items.contains(where: { $0.item.expressions.enableWhen != nil }) else { return [:] }
        let scopes = scopes(questionnaire)
        var read: [Int: [Int]] = [:]
        for (position, compiled) in items.enumerated() {
            guard let source = compiled.item.expressions.enableWhen else { continue }
            let scope = CompiledScope(item: position, variables: scopes[position].variables)
            for items in expression(source, in: scope)?.reads.map(\.items) ?? [] {
                // Items without conditions are left out, since they are decided with their parents.
                let deciding = items.dropFirst().filter { self.items[$0].isConditional }
                read[position, default: []] += [items.lowerBound] + deciding
            }
        }
        return read
    }

    /// - Returns: the rules about the whole response.
    private mutating func readExpressions(_ questionnaire: Questionnaire) -> [CompiledInvariant] {
        gatherGatekeepers()
        let scopes = scopes(questionnaire)
        for (position, compiled) in items.enumerated() {
            let (item, scope) = (compiled.item, scopes[position])
            func read(_ source: String?) -> CompiledExpression? { source.flatMap { expression($0, in: scope) } }
            let expressions = CompiledExpressions(
                invariants: item.invariants.map { CompiledInvariant($0, expression($0.expression, in: scope)) },
                movingLimits: MovingLimits(
                    minimum: read(item.constraints.minimumExpression),
                    maximum: read(item.constraints.maximumExpression)),
                calculated: item.kind.isQuestion ? read(item.expressions.calculated) : nil,
                initial: item.kind.isQuestion ? read(item.expressions.initial) : nil,
                enableWhen: read(item.expressions.enableWhen))
            if !expressions.isEmpty { items[position].expressions = expressions }
        }
        let scope = scope(questionnaire.variables, of: nil, within: CompiledScope())
        return questionnaire.invariants.map { CompiledInvariant($0, expression($0.expression, in: scope)) }
    }

    private func label(_ questionnaire: Questionnaire) -> [CompiledLabelPart] {
        let scope = scope(questionnaire.variables, of: nil, within: CompiledScope())
        return questionnaire.label.compactMap { part in
            switch part {
            case .answers(let linkID): positions[linkID].map { .question($0) }
            case .result(let source): expression(source, in: scope).map { .expression($0) }
            }
        }
    }

    /// Fills `gatekeepers`, from the innermost items outwards. A form's depth is limited, so these lists stay small.
    private mutating func gatherGatekeepers() {
        var inside: [Int: [Int]] = [:]
        for position in items.indices.reversed() {
            let own = items[position].gatekeeper == position ? [position] : []
            inside[position] = own + items[position].children.flatMap { inside[$0] ?? [] }
        }
        for position in items.indices {
            let around = items[position].gatekeeper.flatMap { $0 == position ? nil : [$0] } ?? []
            gatekeepers[position] = around + (inside[position] ?? [])
        }
    }

    // MARK: - Initial contents

    /// Computes initial values and sizes, from the innermost items outwards.
    private mutating func computeInitialContents(isForGrownUps: Bool) {
        for position in items.indices.reversed() {
            items[position].initial = InitialAnswers.fitting(items[position])
            items[position].isFixed =
                isForGrownUps && items[position].isReadOnly && !items[position].initial.isEmpty
                && items[position].calculated == nil
            measure(position)
            items[position].hasInitialContents =
                !items[position].initial.isEmpty || items[position].initialExpression != nil
                || items[position].openingCount > 1
                || items[position].children.contains { items[$0].hasInitialContents }
            guard items[position].item.kind == .group, !items[position].item.repeats else { continue }
            items[position].isDemanding =
                items[position].item.isRequired || items[position].children.contains { items[$0].isDemanded }
        }
    }

    private mutating func measure(_ position: Int) {
        let own = FilledSize(items: 1, byteCount: items[position].item.writtenByteCount)
        items[position].size = items[position].children.reduce(own) { $0 + items[$1].size }
        items[position].openingSize = items[position].children.reduce(own) { sum, child in
            sum + items[child].openingSize * items[child].openingTimes
        }
    }
}

extension Questionnaire {
    fileprivate var hasExpressions: Bool {
        !invariants.isEmpty || !variables.isEmpty
            || label.contains { if case .result = $0 { true } else { false } }
            || items.contains(where: \.hasExpressions)
    }
}

extension QuestionnaireItem {
    fileprivate var hasExpressions: Bool {
        !invariants.isEmpty || expressions != QuestionnaireItemExpressions() || constraints.minimumExpression != nil
            || constraints.maximumExpression != nil || items.contains(where: \.hasExpressions)
    }
}

extension CompiledItem {
    fileprivate var isConditional: Bool { !conditions.isEmpty || item.expressions.enableWhen != nil }
}

extension QuestionnaireItem {
    /// The bytes of an item in a response, without answers. About 48 are for element names and punctuation.
    fileprivate var writtenByteCount: Int {
        (text ?? "").utf8.reduce(48 + linkID.utf8.count) { sum, byte in
            // Escaped in JSON, as \n or \u0001.
            sum + (byte < 0x20 ? 6 : byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? 2 : 1)
        }
    }
}
