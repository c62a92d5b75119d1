import GateModel

/// Checks that a tree is built as R4 requires of its type: known elements, of the right JSON type, written right,
/// nothing empty, nothing missing, and one value where only one is allowed.
///
/// What R4 has and Gate does not use is reported, never ignored: extensions, except for those that a reader handles
/// itself, and the siblings of primitive elements whose keys begin with an underscore.
struct StructureCheck {
    /// The shapes whose extensions the caller handles.
    let readsExtensionsOf: Set<String>
    /// By shape, the elements whose siblings with an underscore the caller handles.
    let readsSiblingsOf: [String: Set<String>]
    var findings = FormFindings()

    init(readsExtensionsOf: Set<String> = [], readsSiblingsOf: [String: Set<String>] = [:]) {
        self.readsExtensionsOf = readsExtensionsOf
        self.readsSiblingsOf = readsSiblingsOf
    }

    mutating func check(_ node: FHIRNode, as shape: String, at position: FormPosition) {
        guard let shape = FHIRShape.named(shape) else { return }
        guard case .object(let entries) = node.content else {
            report(position, node.place, "An object in braces is expected here, not \(node.found).")
            return
        }
        guard !entries.isEmpty else {
            report(position, node.place, "An object may not be empty. Leave it out.")
            return
        }
        // FHIR's rule ele-1.
        guard entries.contains(where: { $0.key != "id" }) else {
            report(position, node.place, "There is nothing but an 'id' here. Leave it out.")
            return
        }
        var position = position
        if shape.elements["linkId"] != nil { position.linkID = node["linkId"]?.text }
        for entry in entries { check(entry, of: node, shape, position) }
        checkPresence(in: node, shape, position)
        if shape.name == "Extension" { checkExtension(node, position) }
    }

    // MARK: - Elements

    private mutating func check(
        _ entry: FHIRNode.Entry, of node: FHIRNode, _ shape: FHIRShape, _ position: FormPosition
    ) {
        if entry.key.first == "_" { return checkSibling(entry, of: node, shape, position) }
        guard let element = shape.elements[entry.key] else {
            return report(position, entry.keyPlace, unknown(entry.key, in: shape))
        }
        let name = element.choice.map { String($0.dropLast(3)) } ?? entry.key
        switch entry.key {
        case "modifierExtension":
            report(
                position, entry.keyPlace, as: .notSupported,
                "Gate does not know this modifier extension, which could change the meaning of everything else. "
                    + "Leave it out.")
        case "implicitRules":
            report(
                position, entry.keyPlace, as: .notSupported,
                "Gate does not know these implicit rules, which could change the meaning of everything else. "
                    + "Leave 'implicitRules' out.")
        case "extension" where shape.name != "Extension" && !readsExtensionsOf.contains(shape.name):
            warnOfExtensions(entry.value, position)
        default: break
        }
        guard element.isList else {
            if case .array = entry.value.content {
                return report(position.below(name), entry.value.place, "There is only one '\(entry.key)', not a list.")
            }
            return check(entry.value, key: entry.key, element, position.below(name))
        }
        guard case .array(let elements) = entry.value.content else {
            return report(
                position.below(name), entry.value.place, "'\(entry.key)' is a list, even of one. Put it in brackets.")
        }
        guard !elements.isEmpty else {
            return report(position.below(name), entry.value.place, "'\(entry.key)' is an empty list. Leave it out.")
        }
        let siblings = node["_\(entry.key)"]?.elements ?? []
        for (index, value) in elements.enumerated() {
            // A `null` stands for an element without a value, about which the sibling's list has something instead.
            if value.content == .null, siblings.indices.contains(index), siblings[index].content != .null { continue }
            check(value, key: entry.key, element, position.below(name, index))
        }
    }

    private mutating func check(_ value: FHIRNode, key: String, _ element: FHIRShape.Element, _ position: FormPosition)
    {
        switch element.kind {
        case .primitive(let primitive):
            if let mistake = primitive.mistake(in: value) { report(position, value.place, "'\(key)' \(mistake)") }
        case .shape(let name): check(value, as: name, at: position)
        case .anything:
            if value.entries.isEmpty { report(position, value.place, "'\(key)' is an object that is not empty.") }
        }
    }

    /// `_text` says more of `text`: it is FHIR's place for the extensions of a primitive.
    private mutating func checkSibling(
        _ entry: FHIRNode.Entry, of node: FHIRNode, _ shape: FHIRShape, _ position: FormPosition
    ) {
        let key = String(entry.key.dropFirst())
        guard let element = shape.elements[key], case .primitive = element.kind, key != "resourceType" else {
            return report(position, entry.keyPlace, unknown(entry.key, in: shape))
        }
        let siblings = element.isList ? entry.value.elements : [entry.value]
        guard !siblings.isEmpty, siblings.contains(where: { $0.content != .null }) else {
            return report(position, entry.keyPlace, "'\(entry.key)' says nothing. Leave it out.")
        }
        for sibling in siblings where sibling.content != .null || !element.isList {
            guard case .object(let entries) = sibling.content, !entries.isEmpty,
                entries.allSatisfy({ $0.key == "id" || $0.key == "extension" })
            else {
                report(position, sibling.place, "'\(entry.key)' is an object with 'id' or 'extension', nothing else.")
                continue
            }
            if !element.isList, node[key] == nil, sibling["extension"] == nil {
                report(position, sibling.place, "There is nothing but an 'id' here. Leave it out.")
            }
            for (index, node) in (sibling["extension"]?.elements ?? []).enumerated() {
                check(node, as: "Extension", at: position.below("extension", index))
            }
        }
        let isRead = readsSiblingsOf[shape.name]?.contains(key) ?? false
        // Without a value, only a sibling with the expression that gives the value is used.
        let isExpression = shape.name == "Extension" && siblings.allSatisfy(\.isExpression)
        guard node[key] == nil ? !(isExpression && readsSiblingsOf["Extension"] != nil) : !isRead else { return }
        findings.add(
            position.finding(
                .warning, .notSupported, entry.keyPlace, "Gate does not use what '\(entry.key)' says of '\(key)'."))
    }

    // MARK: - What has to be there

    private mutating func checkPresence(in node: FHIRNode, _ shape: FHIRShape, _ position: FormPosition) {
        for key in shape.requiredKeys where node[key] == nil && !isMisspelt(key, in: node, shape) {
            report(position, node.place, as: .required, "'\(key)' is missing. Add it.")
        }
        let choices = node.entries.compactMap { entry in
            shape.elements[entry.key]?.choice.map { (choice: $0, entry: entry) }
        }
        for choice in shape.requiredChoices where !choices.contains(where: { $0.choice == choice }) {
            let name = choice.dropLast(3)
            // An element with a wrong name has been reported.
            if node.entries.contains(where: { $0.key.hasPrefix(name) && shape.elements[$0.key] == nil }) { continue }
            report(position, node.place, as: .required, "The \(name) is missing. Add it, like '\(name)String'.")
        }
        for (index, one) in choices.enumerated() {
            guard let first = choices[..<index].first(where: { $0.choice == one.choice }) else { continue }
            report(
                position, one.entry.keyPlace,
                "There is '\(first.entry.key)' and '\(one.entry.key)' here, and may be only one. Keep one of them.")
        }
    }

    /// Whether the element is there under a wrong name, which has been reported. Also true if no more errors are kept.
    private mutating func isMisspelt(_ key: String, in node: FHIRNode, _ shape: FHIRShape) -> Bool {
        guard !findings.isFull else { return true }
        let unknown = node.entries.lazy.map(\.key).filter { shape.elements[$0] == nil }
        for other in unknown where findings.mayLookForWords() {
            if NearestWord.of(other, among: [key]) == key { return true }
        }
        return false
    }

    private mutating func checkExtension(_ node: FHIRNode, _ position: FormPosition) {
        let hasValue = node.entries.contains { $0.key.hasPrefix("value") || $0.key.hasPrefix("_value") }
        if hasValue == (node["extension"] != nil) {
            report(position, node.place, as: .invariant, "An extension has either a value or extensions of its own.")
        }
    }

    private mutating func warnOfExtensions(_ node: FHIRNode, _ position: FormPosition) {
        for (index, element) in node.elements.enumerated() {
            findings.add(
                position.below("extension", index).finding(
                    .warning, .notSupported, element.place,
                    "Gate does not use the extension '\(element["url"]?.text?.shortenedAddress ?? "")'."))
        }
    }

    // MARK: - Reports

    private mutating func unknown(_ key: String, in shape: FHIRShape) -> String {
        guard !findings.isFull else { return "" }
        let choices = shape.elements.filter { $0.value.choice.map { key.hasPrefix($0.dropLast(3)) } ?? false }
        let question = findings.suggestion(key, among: Array(shape.elements.keys))
        guard question.isEmpty, !choices.isEmpty, shape.name != "Extension" else {
            return "FHIR R4 has no element '\(key.shortened)' here.\(question)"
        }
        return "FHIR R4 has no element '\(key.shortened)' here. There is \(choices.keys.sorted().listed)."
    }

    private mutating func report(
        _ position: FormPosition, _ place: FHIRNode.Place?, as code: FormIssue.Code = .structure, _ message: String
    ) { findings.add(position.finding(.error, code, place, message)) }
}

extension FHIRNode {
    /// Whether it has, in place of a value, the expression that gives one.
    fileprivate var isExpression: Bool {
        guard let extensions = self["extension"]?.elements, extensions.count == 1 else { return false }
        return extensions[0]["url"]?.text == FormExtension.expressionURL
    }
}

extension [String] {
    /// Like "'a', 'b' or 'c'".
    var listed: String {
        let words = map { "'\($0.shortened)'" }
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) or \(last)"
    }
}
