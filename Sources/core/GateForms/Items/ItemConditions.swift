import GateModel

extension QuestionnaireReading {
    mutating func conditions(of item: ItemInReading) -> [QuestionnaireEnableCondition] {
        let nodes = item.node["enableWhen"]?.elements ?? []
        guard nodes.count <= FormsLimits.conditions else {
            wrong(
                item.position.below("enableWhen"), item.node["enableWhen"]?.place,
                "An item has at most \(FormsLimits.conditions) conditions. Put it into a group that has some of them.")
            return []
        }
        var conditions: [QuestionnaireEnableCondition] = []
        for (index, node) in nodes.enumerated() {
            if let condition = condition(node, of: item, item.position.below("enableWhen", index)) {
                conditions.append(condition)
            }
        }
        return conditions
    }

    mutating func enableBehavior(of item: ItemInReading) -> QuestionnaireItem.EnableBehavior {
        let count = item.node["enableWhen"]?.elements.count ?? 0
        guard let node = item.node["enableBehavior"] else {
            // FHIR's rule que-12.
            if count > 1 {
                wrong(
                    item.position, item.node["enableWhen"]?.place,
                    "There are several conditions. Say by 'enableBehavior' whether 'all' or 'any' have to be true.")
            }
            return .all
        }
        guard let text = node.text(of: .code) else { return .all }
        guard let behavior = QuestionnaireItem.EnableBehavior(rawValue: text) else {
            wrong(
                item.position.below("enableBehavior"), node.place,
                "'enableBehavior' is 'all' or 'any', not '\(text.shortened)'.")
            return .all
        }
        return behavior
    }

    private mutating func condition(_ node: FHIRNode, of item: ItemInReading, _ position: FormPosition)
        -> QuestionnaireEnableCondition?
    {
        let comparison = comparison(node, position)
        guard let questionNode = node["question"], let question = questionNode.text,
            let entry = questioned(question, questionNode, of: item, position.below("question"))
        else { return nil }
        dependencies.add(item.linkID, hangsOn: question, by: .condition)
        guard let (type, value, valueNode) = choice("answer", in: node, position), let comparison, let value else {
            return nil
        }
        if comparison == .exists {
            // FHIR's rule que-7.
            guard case .boolean = value else {
                wrong(
                    position.below("answer"), valueNode.place, "'exists' needs 'answerBoolean', true or false.")
                return nil
            }
            return QuestionnaireEnableCondition(question: question, comparison: comparison, answer: value)
        }
        guard let kind = entry.kind, check(comparison, of: kind, question, node, position) else { return nil }
        guard let answer = answer(type, value, of: entry) else {
            let types = kind == .url ? ["String"] : entry.valueTypes
            wrong(
                position.below("answer"), valueNode.place,
                "'\(question.shortened)' is of type '\(kind.rawValue)'. Compare it with "
                    + "\(types.map { "answer\($0)" }.listed), not 'answer\(type)'.")
            return nil
        }
        return QuestionnaireEnableCondition(question: question, comparison: comparison, answer: answer)
    }

    private mutating func comparison(_ node: FHIRNode, _ position: FormPosition) -> QuestionnaireEnableCondition
        .Operator?
    {
        guard let node = node["operator"], let text = node.text(of: .code) else { return nil }
        if let comparison = QuestionnaireEnableCondition.Operator(rawValue: text) { return comparison }
        let words = QuestionnaireEnableCondition.Operator.allCases.map(\.rawValue)
        wrong(
            position.below("operator"), node.place,
            "There is no operator '\(text.shortened)'. There is \(words.listed).")
        return nil
    }

    /// Reports that no item has this linkId.
    mutating func dangles(_ linkID: String, _ node: FHIRNode, _ position: FormPosition) {
        // Only the first mistakes suggest the nearest linkId, since looking for it takes long in a large form.
        danglingCount += 1
        let words = danglingCount <= FormsLimits.suggestions ? directory.linkIDs : []
        wrong(
            position, node.place,
            "There is no item '\(linkID.shortened)'.\(NearestWord.question(linkID, among: words))")
    }

    /// The question that is named; `nil` if there is none, or it is the item itself or no question, which is reported.
    private mutating func questioned(
        _ question: String, _ node: FHIRNode, of item: ItemInReading, _ position: FormPosition
    ) -> ItemDirectory.Entry? {
        guard let entry = directory[question] else {
            dangles(question, node, position)
            return nil
        }
        guard question != item.linkID else {
            wrong(position, node.place, "An item can't depend on itself. Name another question.")
            return nil
        }
        if let kind = entry.kind, !kind.isQuestion {
            wrong(
                position, node.place,
                "'\(question.shortened)' is a \(kind.rawValue) and has no answer. Name a question.")
            return nil
        }
        return entry
    }

    /// Whether answers of this type can be compared in this way; if not, that is reported.
    private mutating func check(
        _ comparison: QuestionnaireEnableCondition.Operator, of kind: QuestionnaireItem.Kind, _ question: String,
        _ node: FHIRNode,
        _ position: FormPosition
    ) -> Bool {
        let isPossible =
            switch comparison {
            case .exists: true
            case .equal, .notEqual: kind != .attachment
            case .greater, .less, .greaterOrEqual, .lessOrEqual: kind.isOrdered || kind.isText || kind == .choice
            }
        if !isPossible {
            wrong(
                position.below("operator"), node["operator"]?.place,
                "'\(question.shortened)' is of type '\(kind.rawValue)', which has no '\(comparison.rawValue)'."
                    + (kind == .attachment ? " Ask whether it 'exists'." : " Write '=' or '!='."))
        }
        return isPossible
    }

    /// `nil` if the value is of another type than the answers.
    private func answer(_ type: String, _ value: FormValue, of entry: ItemDirectory.Entry) -> FormValue? {
        // R4's conditions have no type for addresses, so an address is compared with a string.
        if entry.kind == .url, case .string(let text) = value { return .uri(text) }
        return entry.valueTypes.contains(type) ? value : nil
    }

    // MARK: - Our parents

    mutating func parents(of item: ItemInReading, _ extensions: FoundExtensions) -> [String] {
        let found = extensions[.parents] ?? []
        if let first = found.first, let kind = item.kind, !kind.isQuestion {
            wrong(
                first.position, first.value.place,
                "\(item.noun) is not answered and has no parents. Put them at its questions, or use 'enableWhen'.")
            return []
        }
        guard found.count <= FormsLimits.parents else {
            wrong(item.position, found[0].value.place, "A question has at most \(FormsLimits.parents) parents.")
            return []
        }
        var parents: [String] = []
        for parent in found {
            guard let linkID = parent.value.text, questioned(linkID, parent.value, of: item, parent.position) != nil
            else { continue }
            guard !parents.contains(linkID) else {
                wrong(parent.position, parent.value.place, "The parent '\(linkID.shortened)' is there twice.")
                continue
            }
            dependencies.add(item.linkID, hangsOn: linkID, by: .parents)
            parents.append(linkID)
        }
        return parents
    }
}
