package import GateModel

/// The limits of an answer in a few words each, for the person who fills in the form.
package struct FormRuleWords {
    private let constraints: QuestionnaireItemConstraints
    /// Whether the form calculates the answer, and a person may replace it.
    private let isCalculated: Bool
    private let visible: (String) -> String

    /// - Parameter visible: makes other people's words harmless for the place where they are shown.
    package init(item: QuestionnaireItem, visible: @escaping (String) -> String) {
        constraints = item.constraints
        isCalculated = item.expressions.calculated != nil && !item.isReadOnly
        self.visible = visible
    }

    /// How to write an answer; `nil` if that is obvious, or depends on the screen.
    package static func format(of kind: QuestionnaireItem.Kind) -> String? {
        switch kind {
        case .integer: localized("a whole number")
        case .decimal: localized("a number")
        case .date:
            localized("a date: {example}", ["example": WritingHabits.ofPerson.date(atStartOf: "2015-03-02")])
        case .time: localized("a time: 18:30")
        case .url: localized("an address")
        case .quantity: localized("a number and its unit")
        case .reference: localized("what it refers to: Patient/17")
        case .boolean, .dateTime, .string, .text, .choice, .openChoice, .attachment, .group, .display: nil
        }
    }

    /// All limits, except those that the question itself shows.
    package var limits: [String] {
        var rules: [String] = []
        if isCalculated {
            rules.append(localized("calculated from other answers; leave it empty to calculate it again"))
        }
        if let format = constraints.entryFormats?.ofPerson ?? constraints.textMask?.picture {
            rules.append(localized("written like {example}", ["example": visible(format)]))
        }
        switch (constraints.minimum, constraints.maximum) {
        case (let minimum?, let maximum?):
            rules.append(
                localized("from {minimum} to {maximum}", ["minimum": text(minimum), "maximum": text(maximum)]))
        case (let minimum?, nil): rules.append(localized("at least {minimum}", ["minimum": text(minimum)]))
        case (nil, let maximum?): rules.append(localized("at most {maximum}", ["maximum": text(maximum)]))
        case (nil, nil): break
        }
        if let length = constraints.minimumLength, length > 0, constraints.textMask == nil {
            rules.append(
                localized("at least {count} character", plural: "at least {count} characters", count: length))
        }
        if let length = constraints.maximumLength, constraints.textMask == nil {
            rules.append(localized("at most {count} character", plural: "at most {count} characters", count: length))
        }
        if let places = constraints.maximumDecimalPlaces {
            rules.append(
                localized("at most {count} decimal place", plural: "at most {count} decimal places", count: places))
        }
        return rules + documentLimits + unitLimits
    }

    /// Only the limits of documents: their size and their types.
    package var documentLimits: [String] {
        var rules: [String] = []
        if let bytes = constraints.maximumBytes {
            rules.append(localized("at most {maximum}", ["maximum": FormSizeWords.text(bytes)]))
        }
        if !constraints.mediaTypes.isEmpty {
            rules.append(ListText.alternatives(constraints.mediaTypes.map(visible)))
        }
        return rules
    }

    private var unitLimits: [String] {
        guard !constraints.units.isEmpty else { return [] }
        let units = constraints.units.map { visible($0.display ?? $0.code ?? "") }
        return [localized("in {units}", ["units": ListText.alternatives(units)])]
    }

    private func text(_ value: FormValue) -> String { FormValueWords.shown(value, visible: visible) }
}

package enum FormSizeWords {
    /// For example `1.5 MB`, `800 kB` or `12 bytes`. The units are powers of 1,000, as in FHIR.
    package static func text(_ count: Int) -> String {
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
