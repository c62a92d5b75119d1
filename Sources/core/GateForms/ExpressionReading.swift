import GateExpressions
import GateModel

/// What an expression may refer to at its place.
struct ExpressionScope {
    /// The item that the expression is at; `nil` if it is about the response.
    var linkID: String?
    /// The variables, each with everything that it reads, also through other variables.
    var variables: [String: ExpressionReads] = [:]
}

extension QuestionnaireReading {
    /// The elements of a response that expressions may name.
    private static let elements: Set<String> = [
        "QuestionnaireResponse", "questionnaire", "status", "authored", "item", "linkId", "text", "answer", "value",
        "system", "version", "code",
        "display", "unit", "comparator", "reference", "type", "contentType", "title", "size",
    ]

    /// Everything that an expression reads, also through its variables. `nil` if it is not valid, or names items that
    /// don't exist, which is reported.
    mutating func reads(of source: String, _ node: FHIRNode, _ position: FormPosition, in scope: ExpressionScope)
        -> ExpressionReads?
    {
        do throws(ExpressionError) {
            let vocabulary = ExpressionVocabulary(variables: Set(scope.variables.keys), elements: Self.elements)
            let expression = try FormExpression(source, knowing: vocabulary)
            guard hasRoomForPatterns(expression.patternCount, node, position) else { return nil }
            expressionPatternCount += expression.patternCount
            var reads = expression.reads(contextLinkID: scope.linkID)
            let unknown = Set(reads.named.map(\.linkID)).filter { directory[$0] == nil }
            for other in unknown.sorted() { dangles(other, node, position) }
            warnOfMisplaced(reads.named, node, position)
            for name in reads.variables {
                guard var variable = scope.variables[name] else { continue }
                // Misplaced items of a variable were reported at the variable.
                variable.named = []
                reads.formUnion(variable)
            }
            return unknown.isEmpty ? reads : nil
        } catch {
            wrong(
                position, node.place,
                "The expression is wrong in line \(error.place.line), column \(error.place.column): \(error.message)")
            return nil
        }
    }

    /// The text of an Expression element; `nil` if it is not FHIRPath or has no text, which is reported.
    mutating func source(of expression: FHIRNode, _ position: FormPosition) -> (text: String, node: FHIRNode)? {
        guard let language = expression["language"]?.text, language == "text/fhirpath" else {
            wrong(
                position, expression["language"]?.place ?? expression.place,
                "Gate evaluates expressions whose 'language' is text/fhirpath, and no others.")
            return nil
        }
        guard let node = expression["expression"], let text = node.text else {
            wrong(position, expression.place, "This has no 'expression'. Write it, or the value itself.")
            return nil
        }
        return (text, node)
    }

    /// Reports items that the expression looks for in the wrong place, because nobody would see why none is found.
    private mutating func warnOfMisplaced(
        _ named: Set<ExpressionReads.NamedItem>, _ node: FHIRNode, _ position: FormPosition
    ) {
        for item in named.sorted(by: { $0.linkID < $1.linkID }) {
            guard let entry = directory[item.linkID] else { continue }
            let sought: String?
            switch item.owner {
            case .unknown: continue
            case .response: sought = nil
            case .item(let owner): sought = owner
            }
            guard sought != entry.owner else { continue }
            let place = entry.owner.map { "in '\($0.shortened)'" } ?? "directly in the questionnaire"
            warn(
                position, node.place,
                "The expression looks for '\(item.linkID.shortened)' where it is not: it is \(place). Name what is around it, too."
            )
        }
    }
}

// MARK: - Variables

extension QuestionnaireReading {
    /// The variables of an element in order. They are added to `scope`.
    mutating func variables(_ extensions: FoundExtensions, in scope: inout ExpressionScope) -> [QuestionnaireVariable] {
        var variables: [QuestionnaireVariable] = []
        for found in extensions[.variable] ?? [] {
            guard let (source, node) = source(of: found.value, found.position),
                let name = variableName(found, scope),
                let reads = reads(of: source, node, found.position, in: scope)
            else { continue }
            variableCount += 1
            if variableCount == FormsLimits.variables + 1 {
                wrong(found.position, node.place, "A form has at most \(FormsLimits.variables) variables.")
            }
            scope.variables[name] = reads
            variables.append(QuestionnaireVariable(name: name, expression: source))
        }
        return variables
    }

    private mutating func variableName(_ found: FoundExtension, _ scope: ExpressionScope) -> String? {
        guard let node = found.value["name"], let name = node.text else {
            wrong(found.position, found.value.place, "A variable needs a 'name', which expressions write as '%name'.")
            return nil
        }
        let isWord = name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || UInt8.isLetterOrDigit($0) }
        guard isWord, let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            wrong(
                found.position, node.place,
                "A variable's name has letters, digits and '_' alone, and no digit first. Rename '\(name.shortened)'.")
            return nil
        }
        guard !ExpressionVocabulary.isBuiltIn(name) else {
            wrong(found.position, node.place, "'%\(name)' is FHIR's own. Give the variable another name.")
            return nil
        }
        guard scope.variables[name] == nil else {
            wrong(
                found.position, node.place,
                "There is a variable '\(name.shortened)' already, here or around this. Give it another name.")
            return nil
        }
        return name
    }
}

// MARK: - Values that follow

extension QuestionnaireReading {
    /// Reads the expressions of an item. `scope` includes the item's own variables, `outer` does not: they exist only
    /// while the item is enabled, so they can't decide whether it is.
    mutating func expressions(
        of item: ItemInReading, _ extensions: FoundExtensions, outer: ExpressionScope, in scope: ExpressionScope,
        options: [QuestionnaireAnswerOption], isReadOnly: Bool
    ) -> QuestionnaireItemExpressions {
        var expressions = QuestionnaireItemExpressions()
        expressions.enableWhen = following(.enableWhenExpression, of: item, extensions, in: outer)
        if expressions.enableWhen != nil, let other = item.node["enableWhen"] {
            wrong(
                item.position.below("enableWhen"), other.place,
                "'enableWhen' and 'enableWhenExpression' say both when the item is asked. Keep one of them.")
        }
        guard let kind = item.kind else { return expressions }
        let takesValues = kind.isQuestion && kind != .attachment
        if suitable(.calculatedExpression, extensions, item, takesValues) != nil {
            expressions.calculated = following(.calculatedExpression, of: item, extensions, in: scope)
            checkCalculated(item, extensions)
        }
        if let found = suitable(.initialExpression, extensions, item, takesValues),
            let (source, node) = source(of: found.value, found.position),
            reads(of: source, node, found.position, in: scope) != nil
        {
            expressions.initial = source
            checkInitial(item, found, isReadOnly: isReadOnly)
        }
        if expressions.calculated ?? expressions.initial != nil, options.contains(where: \.isInitiallySelected) {
            wrong(
                item.position.below("answerOption"), item.node["answerOption"]?.place,
                "An option is selected from the start, and an expression says what is answered. Keep one of them.")
        }
        return expressions
    }

    /// An expression that is evaluated again whenever an item changes that it reads. If it does not say which items it
    /// reads, that is reported.
    private mutating func following(
        _ which: FormExtension, of item: ItemInReading, _ extensions: FoundExtensions, in scope: ExpressionScope
    ) -> String? {
        guard let found = extensions[which]?.first, let (source, node) = source(of: found.value, found.position),
            let reads = reads(of: source, node, found.position, in: scope)
        else { return nil }
        guard let linkIDs = reads.linkIDs else {
            wrong(
                found.position, node.place,
                "Gate can't tell from this expression when its result changes. Name each item that it reads, as "
                    + "item.where(linkId = '…').")
            return nil
        }
        for linkID in linkIDs.sorted() { dependencies.add(item.linkID, hangsOn: linkID, by: .expression) }
        return source
    }

    private mutating func checkCalculated(_ item: ItemInReading, _ extensions: FoundExtensions) {
        let others = [
            ("initial", item.node["initial"]), ("initialExpression", extensions[.initialExpression]?.first?.node),
            ("parents", extensions[.parents]?.first?.node),
        ]
        for case (let name, let node?) in others {
            wrong(
                item.position, node.place,
                "A calculated item does not use '\(name)': its answers follow from the expression. Leave it out.")
        }
    }

    private mutating func checkInitial(_ item: ItemInReading, _ found: FoundExtension, isReadOnly: Bool) {
        if let other = item.node["initial"] {
            wrong(
                item.position.below("initial"), other.place,
                "'initial' and 'initialExpression' say both what the item begins with. Keep one of them.")
        }
        if isReadOnly, isForGrownUps {
            wrong(
                found.position, found.node.place,
                "A read-only item in a form for grown-ups keeps the answer that is shown. Write 'calculatedExpression' instead of "
                    + "'initialExpression'.")
        }
    }
}

extension UInt8 {
    fileprivate static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case _: false
        }
    }
}
