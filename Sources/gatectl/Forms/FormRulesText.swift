import GateForms
import GateModel

/// The rules for an answer, in a few words each.
struct FormRulesText {
    let item: QuestionnaireItem
    private var constraints: QuestionnaireItemConstraints { item.constraints }

    /// For who fills it in: what can be seen from the question is left out.
    var forAnswering: [String] {
        (item.isRequired ? ["required"] : []) + limits
    }

    /// For who looks at the form as such.
    func forOutline(name: (String) -> String = { $0 }) -> [String] {
        var rules = item.isRequired ? ["required"] : []
        if item.repeats { rules.append("repeats\(occurrence)") }
        if item.isReadOnly { rules.append("read-only") }
        if item.isHidden { rules.append("hidden") }
        rules += limits
        if let pattern = constraints.pattern { rules.append("matches \(VisibleText.line(pattern))") }
        if !item.initial.isEmpty { rules.append("at first \(Self.list(item.initial))") }
        if !item.parents.isEmpty { rules.append("after \(item.parents.joined(separator: ", "))") }
        if !item.enableWhen.isEmpty { rules.append("if \(conditions)") }
        return rules
    }

    private var limits: [String] {
        var rules: [String] = []
        if let format = constraints.entryFormat { rules.append("written like \(VisibleText.line(format))") }
        switch (constraints.minimum, constraints.maximum) {
        case (let minimum?, let maximum?): rules.append("from \(Self.text(minimum)) to \(Self.text(maximum))")
        case (let minimum?, nil): rules.append("at least \(Self.text(minimum))")
        case (nil, let maximum?): rules.append("at most \(Self.text(maximum))")
        case (nil, nil): break
        }
        if let length = constraints.minimumLength, length > 0 { rules.append("at least \(Self.characters(length))") }
        if let length = constraints.maximumLength { rules.append("at most \(Self.characters(length))") }
        if let places = constraints.maximumDecimalPlaces {
            rules.append(places == 1 ? "at most 1 decimal place" : "at most \(places) decimal places")
        }
        if let bytes = constraints.maximumBytes { rules.append("at most \(FormBytesText.text(bytes))") }
        if !constraints.mediaTypes.isEmpty {
            rules.append(constraints.mediaTypes.map(VisibleText.line).joined(separator: " or "))
        }
        if !constraints.units.isEmpty {
            rules.append(
                "in \(constraints.units.map { VisibleText.line(FormAnswerText.name($0)) }.joined(separator: " or "))")
        }
        return rules
    }

    /// ` 1 to 5 times`
    private var occurrence: String {
        switch (constraints.minimumOccurs, constraints.maximumOccurs) {
        case (let minimum?, let maximum?): " \(minimum) to \(maximum) times"
        case (let minimum?, nil): " \(minimum) times or more"
        case (nil, let maximum?): " up to \(maximum) times"
        case (nil, nil): ""
        }
    }

    /// `has-car = Yes and age > 17`
    private var conditions: String {
        item.enableWhen.map { condition in
            switch condition.comparison {
            case .exists:
                condition.answer == .boolean(false)
                    ? "\(condition.question) is not answered" : "\(condition.question) is answered"
            case .equal, .notEqual, .greater, .less, .greaterOrEqual, .lessOrEqual:
                "\(condition.question) \(condition.comparison.rawValue) \(Self.text(condition.answer))"
            }
        }
        .joined(separator: item.enableBehavior == .any ? " or " : " and ")
    }

    private static func characters(_ count: Int) -> String { count == 1 ? "1 character" : "\(count) characters" }

    static func text(_ value: FormValue) -> String { VisibleText.line(value.displayText) }

    /// The list that people read of several answers.
    static func list(_ values: [FormValue]) -> String { values.map(text).joined(separator: ", ") }
}

/// Sizes, for people.
enum FormBytesText {
    /// `1.5 MB`, `800 kB`, `12 bytes`; in thousands, as FHIR's megabytes are.
    static func text(_ count: Int) -> String {
        func tenths(_ unit: Int) -> String {
            let (whole, rest) = (count / unit, count % unit * 10 / unit)
            return rest == 0 ? "\(whole)" : "\(whole).\(rest)"
        }
        switch count {
        case 1: return "1 byte"
        case ..<1000: return "\(count) bytes"
        case ..<1_000_000: return "\(tenths(1000)) kB"
        case _: return "\(tenths(1_000_000)) MB"
        }
    }
}
