import GateExpressions
import GateModel

extension QuestionnaireReading {
    /// The names of elements that a response has, for expressions.
    private static let elements: Set<String> = [
        "QuestionnaireResponse", "questionnaire", "status", "authored", "item", "linkId", "text", "answer", "value",
        "system", "version", "code",
        "display", "unit", "comparator", "reference", "type", "contentType", "title", "size",
    ]

    /// The rules that are expressions (F-79).
    ///
    /// - Parameter linkID: of the item that they stand at; `nil`: they are about the response.
    mutating func invariants(_ extensions: FoundExtensions, at linkID: String?) -> [QuestionnaireInvariant] {
        (extensions[.constraint] ?? []).compactMap { invariant($0, at: linkID) }
    }

    private mutating func invariant(_ found: FoundExtension, at linkID: String?) -> QuestionnaireInvariant? {
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
                found.position, location.place, "Gate does not use 'location': it is told at the item that this is at.")
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
        guard let source = expression.text, checks(source, expression, found, at: linkID) else { return nil }
        return QuestionnaireInvariant(key: key.text ?? "", severity: severity, expression: source, human: human)
    }

    /// The value of a part; without one, that is reported.
    private mutating func value(_ part: InvariantPart, of parts: [InvariantPart: FHIRNode], _ found: FoundExtension)
        -> FHIRNode?
    {
        if let value = parts[part]?[part.valueKey], value.text != nil { return value }
        wrong(
            found.position, parts[part]?.place ?? found.node.place,
            "'questionnaire-constraint' needs an extension '\(part.rawValue)' with a '\(part.valueKey)'.")
        return nil
    }

    /// Whether it is an expression, about items that there are; if not, that is reported.
    mutating func checks(_ source: String, _ node: FHIRNode, _ found: FoundExtension, at linkID: String?)
        -> Bool
    {
        do throws(ExpressionError) {
            let expression = try FormExpression(source, knowing: ExpressionVocabulary(elements: Self.elements))
            guard hasRoomForPatterns(expression.patternCount, node, found.position) else { return false }
            expressionPatternCount += expression.patternCount
            let named = expression.reads(contextLinkID: linkID).named
            let unknown = Set(named.map(\.linkID)).filter { directory[$0] == nil }
            for other in unknown.sorted() { dangles(other, node, found.position) }
            warnOfMisplaced(named, node, found.position)
            return unknown.isEmpty
        } catch {
            wrong(
                found.position, node.place,
                "The expression is wrong in line \(error.place.line), column \(error.place.column): \(error.message)")
            return false
        }
    }
}

extension QuestionnaireReading {
    /// Reports what is looked for where it can't be: it is never found, and nobody would see why.
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

/// The extensions within `questionnaire-constraint`.
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
