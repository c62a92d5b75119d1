import GateForms
import GateModel
import GateTexts

/// The rules for an answer, in a few words each.
struct FormRulesText {
    let item: QuestionnaireItem
    private var constraints: QuestionnaireItemConstraints { item.constraints }

    /// For who looks at the form as such.
    func forOutline(name: (String) -> String = { $0 }) -> [String] {
        var rules = item.isRequired ? [localized("required")] : []
        if item.repeats { rules.append(occurrence) }
        if item.isReadOnly { rules.append(localized("read-only")) }
        if item.isHidden { rules.append(localized("hidden")) }
        rules += limits
        if let pattern = constraints.pattern {
            rules.append(localized("matches {pattern}", ["pattern": VisibleText.line(pattern)]))
        }
        if !item.initial.isEmpty {
            rules.append(localized("at first {values}", ["values": Self.list(item.initial, of: item)]))
        }
        if !item.parents.isEmpty {
            rules.append(localized("after {items}", ["items": item.parents.joined(separator: ", ")]))
        }
        if !item.enableWhen.isEmpty { rules.append(localized("if {condition}", ["condition": conditions])) }
        return rules
    }

    /// For the person who fills it in: what can be seen from the question is left out.
    var limits: [String] {
        var rules: [String] = []
        if let format = constraints.entryFormats?.ofPerson {
            rules.append(localized("written like {example}", ["example": VisibleText.line(format)]))
        }
        switch (constraints.minimum, constraints.maximum) {
        case (let minimum?, let maximum?):
            rules.append(
                localized(
                    "from {minimum} to {maximum}", ["minimum": Self.text(minimum), "maximum": Self.text(maximum)]))
        case (let minimum?, nil): rules.append(localized("at least {minimum}", ["minimum": Self.text(minimum)]))
        case (nil, let maximum?): rules.append(localized("at most {maximum}", ["maximum": Self.text(maximum)]))
        case (nil, nil): break
        }
        if let length = constraints.minimumLength, length > 0 {
            rules.append(
                localized("at least {count} character", plural: "at least {count} characters", count: length))
        }
        if let length = constraints.maximumLength {
            rules.append(localized("at most {count} character", plural: "at most {count} characters", count: length))
        }
        if let places = constraints.maximumDecimalPlaces {
            rules.append(
                localized("at most {count} decimal place", plural: "at most {count} decimal places", count: places))
        }
        if let bytes = constraints.maximumBytes {
            rules.append(localized("at most {maximum}", ["maximum": FormBytesText.text(bytes)]))
        }
        if !constraints.mediaTypes.isEmpty {
            rules.append(AlternativesText.joined(constraints.mediaTypes.map(VisibleText.line)))
        }
        if !constraints.units.isEmpty {
            let units = constraints.units.map { VisibleText.line(FormAnswerText.name($0)) }
            rules.append(localized("in {units}", ["units": AlternativesText.joined(units)]))
        }
        return rules
    }

    /// `repeats 1 to 5 times`
    private var occurrence: String {
        switch (constraints.minimumOccurs, constraints.maximumOccurs) {
        case (let minimum?, let maximum?):
            localized("repeats {minimum} to {maximum} times", ["minimum": "\(minimum)", "maximum": "\(maximum)"])
        case (let minimum?, nil): localized("repeats {minimum} times or more", ["minimum": "\(minimum)"])
        case (nil, let maximum?): localized("repeats up to {maximum} times", ["maximum": "\(maximum)"])
        case (nil, nil): localized("repeats")
        }
    }

    /// `has-car = Yes and age > 17`
    private var conditions: String {
        item.enableWhen.map { condition in
            switch condition.comparison {
            case .exists:
                condition.answer == .boolean(false)
                    ? localized("{question} is not answered", ["question": condition.question])
                    : localized("{question} is answered", ["question": condition.question])
            case .equal, .notEqual, .greater, .less, .greaterOrEqual, .lessOrEqual:
                "\(condition.question) \(condition.comparison.rawValue) \(Self.text(condition.answer))"
            }
        }
        .joined(separator: item.enableBehavior == .any ? " \(localized("or")) " : " \(localized("and")) ")
    }

    static func text(_ value: FormValue) -> String { FormValueText.shown(value) }

    /// The list that people read of several answers.
    ///
    /// - Parameter item: the question; `nil`: it is not known, and neither are the words of its options.
    static func list(_ values: [FormValue], of item: QuestionnaireItem?) -> String {
        values.map { FormValueText.shown($0, of: item) }.joined(separator: ", ")
    }
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
        case ..<1000: return localized("{count} byte", plural: "{count} bytes", count: count)
        case ..<1_000_000: return "\(tenths(1000)) kB"
        case _: return "\(tenths(1_000_000)) MB"
        }
    }
}
