import GateModel

/// The reading of one questionnaire. The rules for its items are in the files beside this one.
struct QuestionnaireReading {
    let root: FHIRNode
    var findings = FormFindings()
    /// All items, entered before any is read.
    var directory = ItemDirectory()
    var valueSets = ContainedValueSets()
    var translations: TranslationReading
    /// The regular expressions by their text, so that one that is used a thousand times is kept once.
    var patterns: [String: TextPattern] = [:]
    /// How many regular expressions are within expressions, and so not in `patterns`.
    var expressionPatternCount = 0
    var dependencies = ItemDependencies()
    /// How many items there are when the form is opened.
    var openingCount = 0
    var invariantKeys: Set<String> = []
    var variableCount = 0
    var isForGrownUps = false
    /// How often a linkId was named that no item has.
    var danglingCount = 0

    let purpose: QuestionnaireReader.Purpose

    init(root: FHIRNode, for purpose: QuestionnaireReader.Purpose) {
        self.root = root
        self.purpose = purpose
        translations = TranslationReading(language: root["language"]?.text(of: .code))
    }

    /// The form. If there are errors, it may be `nil` or incomplete.
    mutating func questionnaire(fallbackName: String) -> Questionnaire? {
        let position = FormPosition(path: "Questionnaire")
        guard case .object = root.content else {
            wrong(position, root.place, "A Questionnaire is an object with elements, not \(root.found).")
            return nil
        }
        guard root["resourceType"]?.text == "Questionnaire" else {
            let found = root["resourceType"]?.text.map { ", not '\($0.shortened)'" } ?? ""
            wrong(position, root["resourceType"]?.place ?? root.place, "Its 'resourceType' is 'Questionnaire'\(found).")
            return nil
        }
        var check = StructureCheck(
            readsExtensionsOf: [
                "Questionnaire", "Questionnaire.item", "Questionnaire.answerOption", "ValueSet.concept",
            ], readsSiblingsOf: TranslationReading.keys)
        check.check(root, as: "Questionnaire", at: position)
        findings = check.findings
        guard enter(root, position, depth: 0) else { return nil }

        let name = name(fallbackName, position)
        checkMetadata(position)
        let titles = translations.text("title", of: root, position, &findings)
        let descriptions = translations.text("description", of: root, position, &findings)
        valueSets.read(root, &translations, &findings)
        let extensions = extensions(of: root, .questionnaire, position)
        let completedBy = completedBy(extensions)
        if case .grownUp = completedBy { isForGrownUps = true }
        var scope = ExpressionScope()
        let variables = variables(extensions, in: &scope)
        let invariants = invariants(extensions, in: scope)
        let items = items(of: root, position, ItemContext(scope: scope))
        if items.isEmpty { wrong(position, root.place, "The form has no items. Put in what it asks.") }
        let label = label(extensions, in: scope)
        checkDependencies()
        if openingCount > FormsLimits.items {
            wrong(
                position, root.place,
                "With its repeated groups, the form would begin with more than \(FormsLimits.items) "
                    + "items. Lower 'questionnaire-minOccurs'.")
        }
        valueSets.reportUnused(&findings)
        translations.reportMissing(&findings)
        return Questionnaire(
            name: name, url: root["url"]?.text(of: .uri), version: root["version"]?.text,
            title: titles ?? LocalizedText(root["name"]?.text ?? name), description: descriptions,
            completedBy: completedBy, standing: standing(position), invariants: invariants, variables: variables,
            label: label, items: items)
    }

    // MARK: - The resource itself

    private mutating func name(_ fallbackName: String, _ position: FormPosition) -> String {
        if let id = root["id"]?.text { return id }
        if !PrimitiveText.isID(fallbackName) {
            wrong(
                position, root.place,
                "The form has no 'id', and '\(fallbackName.shortened)' can't be one. Give it one, of at most 64 "
                    + "letters, digits, hyphens and dots.")
        }
        return fallbackName
    }

    /// Status and period of the questionnaire, which are reported when a response is validated.
    private mutating func standing(_ position: FormPosition) -> QuestionnaireStanding {
        var standing = QuestionnaireStanding()
        if let status = root["status"], let text = status.text {
            let words = QuestionnaireStanding.Status.allCases.map(\.rawValue)
            if let known = QuestionnaireStanding.Status(rawValue: text) {
                standing.status = known
            } else {
                wrong(
                    position.below("status"), status.place,
                    "A questionnaire's status is \(words.listed), not '\(text.shortened)'."
                        + NearestWord.question(text, among: words))
            }
            if standing.status == .retired {
                warn(
                    position.below("status"), status.place, "The questionnaire is retired; Gate shows it all the same.")
            }
        }
        guard let period = root["effectivePeriod"] else { return standing }
        standing.start = period["start"]?.text.flatMap { FormDateTime($0) }
        standing.end = period["end"]?.text.flatMap { FormDateTime($0) }
        if let start = standing.start, let end = standing.end, FormDateTime.compare(start, end) ?? 0 > 0 {
            wrong(position.below("effectivePeriod"), period.place, "The period ends before it begins.")
        }
        return standing
    }

    private mutating func checkMetadata(_ position: FormPosition) {
        // FHIR's rule que-0.
        if let name = root["name"], let text = name.text, !isIdentifier(text) {
            warn(
                position.below("name"), name.place,
                "'name' is for programs: a capital letter, then letters, digits and '_'. 'title' is for people.")
        }
        for key in ["title", "version", "name"] {
            if let text = root[key]?.text, text.utf8.count > FormsLimits.titleBytes {
                wrong(position.below(key), root[key]?.place, "'\(key)' is longer than \(FormsLimits.titleBytes) bytes.")
            }
        }
        // Responses name the form by url|version, which is an address.
        if let version = root["version"],
            version.text?.unicodeScalars.contains(where: {
                $0 == "|" || $0.properties.isWhitespace || $0.properties.generalCategory == .control
            }) ?? false
        {
            wrong(
                position.below("version"), version.place,
                "A version is without spaces and '|': responses name the form by its URL, '|' and its version. "
                    + "Write it like '2026-05'.")
        }
    }

    private func isIdentifier(_ text: String) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return false }
        return text.utf8.count <= 255
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_")
            }
    }

    private mutating func completedBy(_ extensions: FoundExtensions) -> Questionnaire.CompletedBy {
        guard let code = extensions[.completedBy]?.first else { return .anybody }
        let words = Questionnaire.CompletedBy.allCases.map(\.rawValue)
        guard let text = code.value.text else { return .anybody }
        guard let completedBy = Questionnaire.CompletedBy(rawValue: text) else {
            wrong(
                code.position, code.value.place,
                "'completed-by' is \(words.listed), not '\(text.shortened)'." + NearestWord.question(text, among: words)
            )
            return .anybody
        }
        return completedBy
    }

    // MARK: - Limits

    /// Enters all items into the directory, before any is read. Returns false, and reports why, if they exceed limits.
    private mutating func enter(_ node: FHIRNode, _ position: FormPosition, depth: Int) -> Bool {
        for (index, element) in (node["item"]?.elements ?? []).enumerated() {
            let position = position.below("item", index)
            guard depth < FormsLimits.itemDepth else {
                wrong(
                    position, element.place,
                    "Items are at most \(FormsLimits.itemDepth) inside one another. Take some groups away.")
                return false
            }
            guard directory.count < FormsLimits.items else {
                wrong(
                    position, element.place, "A form has at most \(FormsLimits.items) items. Make several forms of it.")
                return false
            }
            directory.enter(element, in: depth > 0 ? node["linkId"]?.text : nil)
            guard enter(element, position, depth: depth + 1) else { return false }
        }
        return true
    }

    // MARK: - Values

    /// The value of an option, an initial value or a condition, at a key like `valueString` that begins with `prefix`.
    /// `nil` if there is none, or if Gate keeps nothing of it, which is reported.
    mutating func choice(
        _ prefix: String, in node: FHIRNode, _ position: FormPosition
    ) -> (type: String, value: FormValue?, node: FHIRNode)? {
        guard let choice = node.choice(prefix) else { return nil }
        guard choice.node.saysNothing(as: choice.type) else { return choice }
        wrong(position.below(prefix), choice.node.place, FHIRNode.saysNothing)
        return nil
    }

    // MARK: - Reports

    mutating func wrong(_ position: FormPosition, _ place: FHIRNode.Place?, _ message: String) {
        findings.add(position.finding(.error, .structure, place, message))
    }

    mutating func warn(_ position: FormPosition, _ place: FHIRNode.Place?, _ message: String) {
        findings.add(position.finding(.warning, .notSupported, place, message))
    }
}
