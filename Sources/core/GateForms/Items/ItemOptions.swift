import GateModel

extension QuestionnaireReading {
    /// The options from `answerOption`, or from the value set that `answerValueSet` names.
    mutating func options(of item: ItemInReading, repeats: Bool) -> [QuestionnaireAnswerOption] {
        let nodes = item.node["answerOption"]?.elements ?? []
        let valueSet = item.node["answerValueSet"]
        guard let kind = item.kind else { return [] }
        // FHIR's rule que-4.
        if item.node["answerOption"] != nil, valueSet != nil {
            refuse("answerValueSet", of: item, "There is 'answerOption', too. Keep one of them.")
            return []
        }
        if let valueSet { return options(in: valueSet, of: item, kind) }
        guard !nodes.isEmpty else {
            if kind == .choice {
                wrong(item.position, item.node.place, "A choice has nothing to choose from. Add 'answerOption'.")
            } else if kind == .openChoice {
                warn(item.position, item.node.place, "An open choice without options is a string. Add 'answerOption'.")
            }
            return []
        }
        // FHIR's rule que-5, and the types that R4 has for options.
        guard !kind.optionTypes.isEmpty else {
            refuse("answerOption", of: item, "\(item.noun) has no options to choose from. Leave them out.")
            return []
        }
        guard nodes.count <= FormsLimits.options else {
            refuse("answerOption", of: item, "An item has at most \(FormsLimits.options) options.")
            return []
        }
        return options(nodes, of: item, kind, repeats: repeats)
    }

    private mutating func options(
        _ nodes: [FHIRNode], of item: ItemInReading, _ kind: QuestionnaireItem.Kind, repeats: Bool
    ) -> [QuestionnaireAnswerOption] {
        var options: [QuestionnaireAnswerOption] = []
        var seen: Set<FormValue> = []
        for (index, node) in nodes.enumerated() {
            let position = item.position.below("answerOption", index)
            let extensions = extensions(of: node, .option, position)
            guard let (type, value, valueNode) = choice("value", in: node, position) else { continue }
            guard kind.optionTypes.contains(type) else {
                wrong(
                    position.below("value"), valueNode.place,
                    "\(item.noun) is answered with \(kind.optionTypes.map { "value\($0)" }.listed), not 'value\(type)'."
                )
                continue
            }
            guard let value else { continue }
            if let mistake = value.contentMistake { wrong(position.below("value"), valueNode.place, mistake) }
            if !seen.insert(value.key).inserted {
                wrong(position.below("value"), valueNode.place, "This is offered twice. Keep one of them.")
            }
            options.append(
                QuestionnaireAnswerOption(
                    value,
                    translations: translations(of: node, position.below("value"), among: .options(item.position.path)),
                    isInitiallySelected: node["initialSelected"]?.boolean ?? false,
                    isExclusive: extensions[.optionExclusive]?.first?.value.boolean ?? false))
        }
        let selected = options.filter(\.isInitiallySelected)
        if selected.count > 1, !repeats || selected.contains(where: \.isExclusive) {
            wrong(
                item.position.below("answerOption"), item.node["answerOption"]?.place,
                repeats
                    ? "An exclusive option is selected together with others. Select it alone."
                    : "Several options are selected, and only one may be. Select one, or add 'repeats'.")
        }
        return options
    }

    /// Reports offered texts that do not fit the mask, since they could not be chosen.
    mutating func checkMask(_ mask: TextMask?, of options: [QuestionnaireAnswerOption], _ item: ItemInReading) {
        guard let mask else { return }
        for case .string(let text) in options.map(\.value) where !mask.matches(text) {
            wrong(
                item.position.below("answerOption"), item.node["answerOption"]?.place,
                "The option '\(text.shortened)' does not fit the 'mask', and could not be chosen. Write it as a valueCoding, or "
                    + "as the mask says.")
        }
    }

    private mutating func translations(
        of node: FHIRNode, _ position: FormPosition, among siblings: TranslationReading.Siblings
    ) -> [LocalizedText.Translation] {
        let text =
            if let coding = node["valueCoding"] {
                translations.text("display", of: coding, position, among: siblings, &findings)
            } else {
                translations.text("valueString", of: node, position, among: siblings, &findings)
            }
        return text?.translations ?? []
    }

    private mutating func options(in node: FHIRNode, of item: ItemInReading, _ kind: QuestionnaireItem.Kind)
        -> [QuestionnaireAnswerOption]
    {
        guard kind == .choice || kind == .openChoice else {
            refuse("answerValueSet", of: item, "\(item.noun) has no value set to choose from. Leave it out.")
            return []
        }
        return options(in: node, item.position.below("answerValueSet"))
    }

    /// `node` is the reference to a contained value set: `#` and its id.
    mutating func options(in node: FHIRNode, _ position: FormPosition) -> [QuestionnaireAnswerOption] {
        guard let text = node.text(of: .canonical) else { return [] }
        guard text.hasPrefix("#") else {
            switch purpose {
            case .validating:
                warn(
                    position, node.place,
                    "Gate asks no terminology server: whether answers are of this value set can't be checked.")
            case .filling:
                wrong(
                    position, node.place,
                    "Gate asks no terminology server. Put the value set into 'contained', and name it '#' and its id.")
            }
            return []
        }
        let id = String(text.dropFirst())
        guard let options = valueSets.options(of: id) else {
            wrong(
                position, node.place,
                "There is no value set '\(id.shortened)' in 'contained'."
                    + NearestWord.question(id, among: valueSets.ids))
            return []
        }
        return options
    }

    /// The address of a value set that is not in the form; `nil` if the item names none.
    func unknownValueSet(of item: ItemInReading, _ extensions: FoundExtensions) -> String? {
        let named = [item.node["answerValueSet"], extensions[.unitValueSet]?.first?.value]
        return named.lazy.compactMap { $0?.text(of: .canonical) }.first { !$0.hasPrefix("#") }
    }

    // MARK: - Initial values

    mutating func initial(of item: ItemInReading, _ read: QuestionnaireItem) -> [FormValue] {
        checkSelected(read, of: item)
        guard let entry = item.node.entries.first(where: { $0.key == "initial" }), let kind = item.kind else {
            return []
        }
        let nodes = entry.value.elements
        // FHIR's rules que-8, que-11 and que-13.
        guard kind.isQuestion else {
            refuse("initial", of: item, "\(item.noun) has no answer, and no initial one. Leave it out.")
            return []
        }
        guard item.node["answerOption"] == nil else {
            refuse("initial", of: item, "There are options. Write 'initialSelected' at one of them instead.")
            return []
        }
        if nodes.count > 1, !read.repeats {
            refuse("initial", of: item, "There are several initial values, and only one may be. Add 'repeats'.")
        }
        if nodes.count > FormsLimits.occurs {
            refuse("initial", of: item, "An item has at most \(FormsLimits.occurs) initial values.")
        }
        if let most = read.constraints.maximumOccurs, nodes.count > most {
            refuse("initial", of: item, "There are more initial values than 'questionnaire-maxOccurs' allows.")
        }
        var values: [FormValue] = []
        for (index, node) in nodes.enumerated() {
            let outer = item.position.below("initial", index)
            let position = outer.below("value")
            guard let (type, value, valueNode) = choice("value", in: node, outer) else { continue }
            guard kind.valueTypes.contains(type) else {
                wrong(
                    position, valueNode.place,
                    "\(item.noun) is answered with \(kind.valueTypes.map { "value\($0)" }.listed), not 'value\(type)'.")
                continue
            }
            guard kind != .attachment else {
                wrong(position, valueNode.place, "An attachment has no initial value in Gate. Leave it out.")
                continue
            }
            guard let value else { continue }
            let quantityMistakes = kind == .quantity ? QuantityCheck.mistakes(in: valueNode) : []
            for mistake in quantityMistakes {
                wrong(mistake.key.map { position.below($0) } ?? position, mistake.place, mistake.message)
            }
            if quantityMistakes.isEmpty, let mistake = read.mistake(inInitial: value) {
                wrong(position, valueNode.place, mistake)
            }
            values.append(value)
        }
        if let mistake = read.mistake(inAllInitial: values) { refuse("initial", of: item, mistake) }
        return values
    }

    /// Options that are selected from the start are initial values like others.
    private mutating func checkSelected(_ read: QuestionnaireItem, of item: ItemInReading) {
        let selected = read.options.filter(\.isInitiallySelected)
        for option in selected {
            // `contentMistake` was already checked for all options.
            guard option.value.contentMistake == nil, let mistake = read.mistake(inInitial: option.value) else {
                continue
            }
            refuse("answerOption", of: item, "In the selected option: \(mistake)")
        }
        if let most = read.constraints.maximumOccurs, read.repeats, selected.count > most {
            refuse("answerOption", of: item, "More options are selected than 'questionnaire-maxOccurs' allows.")
        }
    }
}
