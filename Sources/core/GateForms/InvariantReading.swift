import GateModel

extension QuestionnaireReading {
    /// The rules that are expressions. `scope` is that of the item or response that they are about.
    mutating func invariants(_ extensions: FoundExtensions, in scope: ExpressionScope) -> [QuestionnaireInvariant] {
        (extensions[.constraint] ?? []).compactMap { invariant($0, in: scope) }
    }

    private mutating func invariant(_ found: FoundExtension, in scope: ExpressionScope) -> QuestionnaireInvariant? {
        var parts: [InvariantPart: FHIRNode] = [:]
        for (index, node) in (found.node["extension"]?.elements ?? []).enumerated() {
            let url = node["url"]?.text ?? ""
            guard let part = InvariantPart(rawValue: url) else {
                let words = InvariantPart.allCases.map(\.rawValue)
                wrong(
                    found.position.below("extension", index), node.place,
                    "'questionnaire-constraint' has no '\(url.shortened)'.\(NearestWord.question(url, among: words))")
                continue
            }
            guard parts[part] == nil || part == .location else {
                wrong(found.position, node.place, "'\(url)' is there twice. Keep one of them.")
                continue
            }
            parts[part] = node
        }
        if let location = parts[.location] {
            warn(
                found.position, location.place,
                "Gate does not use 'location': the mistake is shown at the item that has the rule.")
        }
        guard let key = value(.key, of: parts, found), let severity = value(.severity, of: parts, found),
            let expression = value(.expression, of: parts, found), value(.human, of: parts, found) != nil,
            let human = parts[.human].flatMap({
                translations.text("valueString", of: $0, found.position, &findings)
            })
        else { return nil }
        guard !human.text.allSatisfy(\.isWhitespace) else {
            wrong(found.position, parts[.human]?.place, "'human' has no text. Say what is wrong, and what to do.")
            return nil
        }
        guard invariantKeys.insert(key.text ?? "").inserted else {
            wrong(
                found.position, key.place,
                "The key '\((key.text ?? "").shortened)' is there twice. Give each rule its own.")
            return nil
        }
        if invariantKeys.count == FormsLimits.invariants + 1 {
            wrong(found.position, key.place, "A form has at most \(FormsLimits.invariants) rules that are expressions.")
        }
        guard let word = severity.text, let severity = QuestionnaireInvariant.Severity(rawValue: word) else {
            wrong(found.position, severity.place, "'severity' is error or warning, not \(severity.found).")
            return nil
        }
        guard let source = expression.text, reads(of: source, expression, found.position, in: scope) != nil else {
            return nil
        }
        return QuestionnaireInvariant(key: key.text ?? "", severity: severity, expression: source, human: human)
    }

    /// The value of a part; `nil` if there is none, which is reported.
    private mutating func value(_ part: InvariantPart, of parts: [InvariantPart: FHIRNode], _ found: FoundExtension)
        -> FHIRNode?
    {
        if let value = parts[part]?[part.valueKey], value.text != nil { return value }
        wrong(
            found.position, parts[part]?.place ?? found.node.place,
            "'questionnaire-constraint' needs an extension '\(part.rawValue)' with a '\(part.valueKey)'.")
        return nil
    }
}

private enum InvariantPart: String, CaseIterable {
    case key
    case requirements
    case severity
    case expression
    case human
    case location

    var valueKey: String {
        switch self {
        case .key: "valueId"
        case .severity: "valueCode"
        case .requirements, .expression, .human, .location: "valueString"
        }
    }
}
