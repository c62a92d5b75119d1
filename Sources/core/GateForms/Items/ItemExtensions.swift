import GateModel

/// The value of one extension that was found.
struct FoundExtension {
    var value: FHIRNode
    /// Like "Integer" for `valueInteger`.
    var type: String
    var position: FormPosition
    var node: FHIRNode
    /// Whether `value` is an Expression whose result is the extension's value.
    var isExpression = false
}

typealias FoundExtensions = [FormExtension: [FoundExtension]]

extension QuestionnaireReading {
    /// The extensions of an element that Gate knows and that belong there. All others are reported.
    mutating func extensions(of node: FHIRNode, _ owner: FormExtension.Owner, _ position: FormPosition)
        -> FoundExtensions
    {
        var found: FoundExtensions = [:]
        for (index, element) in (node["extension"]?.elements ?? []).enumerated() {
            let position = position.below("extension", index)
            guard let url = element["url"]?.text else { continue }
            guard let known = FormExtension.byURL[url] else {
                reportUnknown(url, element, position)
                continue
            }
            guard known.owners.contains(owner) else {
                let nouns = known.owners.map(\.noun).joined(separator: " or ")
                warn(position, element.place, "'\(known.rawValue)' does nothing here. It belongs to \(nouns).")
                continue
            }
            guard known.isRepeated || found[known] == nil else {
                wrong(position, element.place, "'\(known.rawValue)' is there twice. Keep one of them.")
                continue
            }
            if known.isComplex {
                found[known, default: []].append(
                    FoundExtension(value: element, type: "", position: position, node: element))
                continue
            }
            if known != .entryFormat,
                let said = element.entries.first(where: { $0.key.hasPrefix("_value") && $0.value["extension"] != nil })
            {
                if let expression = limitExpression(said.value, known, of: element) {
                    found[known, default: []].append(
                        FoundExtension(
                            value: expression, type: String(said.key.dropFirst("_value".count)), position: position,
                            node: element, isExpression: true))
                    continue
                }
                wrong(
                    position, said.keyPlace ?? said.value.place,
                    "Gate does not read '\(said.key)' of '\(known.rawValue)', so it would apply another rule than the "
                        + "form has. Write the value itself.")
                continue
            }
            guard let entry = element.entries.first(where: { $0.key.hasPrefix("value") }) else {
                wrong(
                    position, element.place,
                    "'\(known.rawValue)' has no value, and without one it does nothing. "
                        + (known.valueKey.map { "Write '\($0)'." } ?? "Write it."))
                continue
            }
            if let key = known.valueKey, entry.key != key {
                wrong(
                    position, entry.keyPlace ?? entry.value.place,
                    "'\(known.rawValue)' has its value in '\(key)', not in '\(entry.key)'.")
                continue
            }
            found[known, default: []].append(
                FoundExtension(
                    value: entry.value, type: String(entry.key.dropFirst("value".count)), position: position,
                    node: element))
        }
        return found
    }

    /// The Expression that gives a limit in place of a value; `nil` if there is something else.
    private func limitExpression(_ sibling: FHIRNode, _ known: FormExtension, of element: FHIRNode) -> FHIRNode? {
        guard known == .minValue || known == .maxValue, let said = sibling["extension"]?.elements, said.count == 1,
            said[0]["url"]?.text == FormExtension.expressionURL,
            !element.entries.contains(where: { $0.key.hasPrefix("value") })
        else { return nil }
        return said[0]["valueExpression"]
    }

    private mutating func reportUnknown(_ url: String, _ element: FHIRNode, _ position: FormPosition) {
        // An unknown extension under Gate's own address is a mistake, since no other program uses it. Any other may be
        // for another program, or mistyped.
        let question = question(url)
        if url.hasPrefix(FormExtension.gateBase) {
            wrong(position, element.place, "Gate has no extension '\(url.shortenedAddress)'.\(question)")
        } else {
            warn(position, element.place, "Gate does not use the extension '\(url.shortenedAddress)'.\(question)")
        }
    }

    /// Asks whether a known extension was meant, comparing only the last parts of the addresses. Empty if none is near.
    private mutating func question(_ url: String) -> String {
        guard findings.mayLookForWords() else { return "" }
        let name = String(url.split(separator: "/").last ?? "")
        let near = NearestWord.of(name, among: FormExtension.allCases.map(\.rawValue))
        return near.flatMap(FormExtension.init).map { " Did you mean '\($0.url)'?" } ?? ""
    }
}

extension FormExtension.Owner {
    fileprivate var noun: String {
        switch self {
        case .questionnaire: "the questionnaire"
        case .item: "an item"
        case .option: "an option"
        }
    }
}
