import GateModel

/// The value sets that a questionnaire contains. They have to list all codes, because Gate asks no server for them.
struct ContainedValueSets {
    private struct ValueSet {
        var options: [QuestionnaireAnswerOption]
        var place: FHIRNode.Place?
        var position: FormPosition
        var isUsed = false
    }

    private var all: [String: ValueSet] = [:]

    var ids: [String] { Array(all.keys) }

    /// The options of a value set, which counts as used from now on; `nil` if there is none. A value set that can't be
    /// read is reported, and has no options.
    mutating func options(of id: String) -> [QuestionnaireAnswerOption]? {
        all[id]?.isUsed = true
        return all[id]?.options
    }

    mutating func read(
        _ root: FHIRNode, _ translations: inout TranslationReading, _ findings: inout FormFindings
    ) {
        for (index, node) in (root["contained"]?.elements ?? []).enumerated() {
            let position = FormPosition(path: "Questionnaire.contained[\(index)]")
            guard let type = node["resourceType"]?.text else {
                findings.add(position.finding(.error, .structure, node.place, "Its 'resourceType' is missing. Add it."))
                continue
            }
            guard type == "ValueSet" else {
                findings.add(
                    position.finding(.warning, .notSupported, node.place, "Gate does not use a '\(type.shortened)'."))
                continue
            }
            var check = StructureCheck(
                readsExtensionsOf: ["ValueSet.concept"], readsSiblingsOf: TranslationReading.keys)
            check.findings = findings
            check.check(node, as: "ValueSet", at: position)
            findings = check.findings
            guard let id = node["id"]?.text else {
                findings.add(position.finding(.error, .required, node.place, "'id' is missing. Give it one."))
                continue
            }
            var reading = ValueSetReading(findings: findings, translations: translations)
            let options = reading.options(node, position)
            findings = reading.findings
            translations = reading.translations
            if all[id] != nil {
                findings.add(
                    position.finding(
                        .error, .structure, node["id"]?.place, "There are two '\(id.shortened)'. Give each its own id.")
                )
            }
            all[id] = ValueSet(options: options, place: node.place, position: position)
        }
    }

    func reportUnused(_ findings: inout FormFindings) {
        for (id, valueSet) in all.sorted(by: { $0.key < $1.key }) where !valueSet.isUsed {
            findings.add(
                valueSet.position.finding(
                    .warning, .structure, valueSet.place,
                    "No item uses the value set '\(id.shortened)'. Name it in an 'answerValueSet' or a 'questionnaire-unitValueSet', or leave it out."
                ))
        }
    }
}

/// Reads the codes of one value set.
private struct ValueSetReading {
    var findings: FormFindings
    var translations: TranslationReading
    private var options: [QuestionnaireAnswerOption] = []
    private var path = ""

    init(findings: FormFindings, translations: TranslationReading) {
        self.findings = findings
        self.translations = translations
    }

    mutating func options(_ node: FHIRNode, _ position: FormPosition) -> [QuestionnaireAnswerOption] {
        path = position.path
        // An expansion lists the codes that the rest of the value set results in.
        if let expansion = node["expansion"] {
            expand(expansion, position.below("expansion"))
        } else if let compose = node["compose"] {
            self.compose(compose, position.below("compose"))
        }
        if options.isEmpty, !findings.hasErrors {
            wrong(position, node.place, "The value set has no codes. Put them into 'compose.include.concept'.")
        }
        if options.count > FormsLimits.options {
            wrong(position, node.place, "A value set has at most \(FormsLimits.options) codes here.")
        }
        return Array(options.prefix(FormsLimits.options))
    }

    private mutating func compose(_ node: FHIRNode, _ position: FormPosition) {
        if let exclude = node["exclude"] {
            wrong(position, exclude.place, "Gate does not read 'exclude'. Include only the codes that are meant.")
        }
        for (index, include) in (node["include"]?.elements ?? []).enumerated() {
            let position = position.below("include", index)
            for key in ["filter", "valueSet"] {
                guard let other = include[key] else { continue }
                wrong(position, other.place, "Gate asks no terminology server. Write the codes into 'concept'.")
            }
            guard let concepts = include["concept"]?.elements else {
                if include["filter"] == nil, include["valueSet"] == nil {
                    wrong(position, include.place, "Gate asks no terminology server. Write the codes into 'concept'.")
                }
                continue
            }
            for (index, concept) in concepts.enumerated() {
                add(
                    concept, position.below("concept", index), system: include["system"]?.text(of: .uri),
                    version: include["version"]?.text, isExclusive: isExclusive(concept, position))
            }
        }
    }

    private mutating func isExclusive(_ concept: FHIRNode, _ position: FormPosition) -> Bool {
        var isExclusive = false
        for element in concept["extension"]?.elements ?? [] {
            let url = element["url"]?.text ?? ""
            if url == FormExtension.optionExclusive.url {
                isExclusive = element["valueBoolean"]?.boolean ?? false
            } else {
                findings.add(
                    position.finding(
                        .warning, .notSupported, element.place,
                        "Gate does not use the extension '\(url.shortenedAddress)'."))
            }
        }
        return isExclusive
    }

    private mutating func expand(_ node: FHIRNode, _ position: FormPosition) {
        for (index, element) in (node["contains"]?.elements ?? []).enumerated() {
            // An abstract code only groups others.
            if !(element["abstract"]?.boolean ?? false), !(element["inactive"]?.boolean ?? false) {
                add(
                    element, position.below("contains", index), system: element["system"]?.text(of: .uri),
                    version: element["version"]?.text)
            }
            expand(element, position.below("contains", index))
        }
    }

    private mutating func add(
        _ node: FHIRNode, _ position: FormPosition, system: String?, version: String?, isExclusive: Bool = false
    ) {
        guard let code = node["code"]?.text(of: .code) else { return }
        let display = translations.text("display", of: node, position, among: .options(path), &findings)
        let coding = FormCoding(system: system, version: version, code: code, display: display?.text)
        options.append(
            QuestionnaireAnswerOption(
                .coding(coding), translations: display?.translations ?? [], isExclusive: isExclusive))
    }

    private mutating func wrong(_ position: FormPosition, _ place: FHIRNode.Place?, _ message: String) {
        findings.add(position.finding(.error, .structure, place, message))
    }
}
