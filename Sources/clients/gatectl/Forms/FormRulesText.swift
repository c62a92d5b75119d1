import GateModel
import GateTexts

/// The rules for the answers to an item, in a few words each.
struct FormRulesText {
    let item: QuestionnaireItem
    private var constraints: QuestionnaireItemConstraints { item.constraints }

    /// All rules, for people who look at the form itself.
    func forOutline(name: (String) -> String = { $0 }) -> [String] {
        var rules = item.isRequired ? [localized("required")] : []
        if item.repeats { rules.append(occurrence) }
        if item.isReadOnly { rules.append(localized("read-only")) }
        if item.isHidden { rules.append(localized("hidden")) }
        if item.isInOneLine ?? false { rules.append(localized("in one line")) }
        rules += limits
        if let minimum = constraints.minimumExpression {
            rules.append(localized("at least {minimum}", ["minimum": VisibleText.line(minimum)]))
        }
        if let maximum = constraints.maximumExpression {
            rules.append(localized("at most {maximum}", ["maximum": VisibleText.line(maximum)]))
        }
        if let calculated = item.expressions.calculated {
            rules.append(localized("calculated: {expression}", ["expression": VisibleText.line(calculated)]))
        }
        if let initial = item.expressions.initial {
            rules.append(localized("at first {values}", ["values": VisibleText.line(initial)]))
        }
        if let condition = item.expressions.enableWhen {
            rules.append(localized("if {condition}", ["condition": VisibleText.line(condition)]))
        }
        if let mask = constraints.mask, constraints.entryFormats != nil {
            rules.append(localized("fits {mask}", ["mask": VisibleText.line(mask)]))
        }
        if let pattern = constraints.pattern {
            rules.append(localized("matches {pattern}", ["pattern": VisibleText.line(pattern)]))
        }
        if !item.initial.isEmpty {
            rules.append(localized("at first {values}", ["values": Self.list(item.initial, of: item)]))
        }
        if !item.parents.isEmpty {
            rules.append(localized("after {items}", ["items": ListText.things(item.parents)]))
        }
        if !item.enableWhen.isEmpty { rules.append(localized("if {condition}", ["condition": conditions])) }
        return rules + Self.texts(item.invariants)
    }

    /// What the form says about its rules that are expressions.
    static func texts(_ invariants: [QuestionnaireInvariant]) -> [String] {
        invariants.map { VisibleText.line($0.humans.ofPerson) }
    }

    /// The limits, for a person who fills in the form. What the question shows anyway is left out.
    var limits: [String] { FormRuleWords(item: item, visible: VisibleText.line).limits }

    /// `repeats 1 to 5 times`
    private var occurrence: String {
        switch (constraints.minimumOccurs, constraints.maximumOccurs) {
        case (let minimum?, let maximum?):
            localized(
                "repeats {minimum} to {count} time", plural: "repeats {minimum} to {count} times", count: maximum,
                ["minimum": "\(minimum)"])
        case (let minimum?, nil):
            localized("repeats {count} time or more", plural: "repeats {count} times or more", count: minimum)
        case (nil, let maximum?):
            localized("repeats up to {count} time", plural: "repeats up to {count} times", count: maximum)
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

    /// `item` is the question, whose options name the answers; `nil` if it is not known.
    static func list(_ values: [FormValue], of item: QuestionnaireItem?) -> String {
        ListText.things(values.map { FormValueText.shown($0, of: item) })
    }
}
