import GateClient
import GateForms
import GateModel
import GateScreens
import GateTexts

/// A question of a form as a person who fills it in reads it, and how to answer it.
struct FormQuestionText {
    let question: FormWalk.Question
    let questionCount: Int
    let colours: Colours

    private var item: QuestionnaireItem { question.item }

    /// `[3/12] Date of birth (required)`, then the options, the format, the present answer, and the suggestion.
    var lines: [String] {
        let heading = "[\(question.number)/\(questionCount)] \(colours.bold(QuestionnaireText.name(of: item)))"
        var lines = [item.isRequired ? FormWords.required(heading) : heading]
        if item.isReadOnly {
            return lines + ["    \(question.values.isEmpty ? "-" : FormRulesText.list(question.values, of: item))"]
        }
        let options = FormOptions(item, for: Localization.languages)
        lines += zip(options.labels, options.all).map { "    \($0)) \(VisibleText.line($1))" }
        let how = ([Self.format(of: item)] + FormRulesText(item: item.limited(at: .now())).limits)
            .compactMap(\.self)
        if !how.isEmpty { lines.append(colours.dim("    \(ListText.remarks(how))")) }
        if !question.values.isEmpty {
            lines.append("    " + localized("now: {values}", ["values": FormRulesText.list(question.values, of: item)]))
        }
        if let pending = question.pending {
            let words = Self.words(pending, of: item)
            lines.append(
                "    " + (pending.isBeingFetched ? words : ListText.remarks([words, localized(":take accepts it")])))
        }
        return lines
    }

    /// `being looked up…`, or `suggested: 75 kW`.
    static func words(_ suggestion: PendingSuggestion, of item: QuestionnaireItem) -> String {
        guard !suggestion.isBeingFetched else { return FormWords.beingFetched }
        return localized("suggested: {values}", ["values": FormRulesText.list(suggestion.answers, of: item)])
    }

    /// If one option is the whole answer: the text to type for it, by the index of its line, after `count` others.
    func choices(after count: Int) -> [Int: String] {
        guard !item.isReadOnly, !Self.takesList(item) else { return [:] }
        let letters = FormOptions(item).labels.enumerated().map { (count + $0 + 1, "\($1)") }
        return Dictionary(uniqueKeysWithValues: letters)
    }

    var request: String {
        question.values.isEmpty
            ? Self.noun(for: item) : localized("{answer}, Return keeps it", ["answer": Self.noun(for: item)])
    }

    /// How to write an answer; `nil` if that is obvious.
    static func format(of item: QuestionnaireItem) -> String? {
        guard item.options.isEmpty else {
            if takesList(item) { return localized("one or more, with commas between them") }
            return item.kind == .openChoice ? localized("one of these, or your own words") : nil
        }
        let format = formatOfOne(item)
        guard item.repeats, item.kind != .boolean else { return format }
        return ListText.remarks([format, localized("one after the other")].compactMap(\.self))
    }

    private static func formatOfOne(_ item: QuestionnaireItem) -> String? {
        switch item.kind {
        case .boolean: localized("yes or no")
        case .dateTime:
            localized(
                "date and time with the time zone: {example}",
                ["example": WritingHabits.ofPerson.date(atStartOf: "2026-01-31 18:30+01:00")])
        case .attachment: localized("the path of a file")
        case .integer, .decimal, .date, .time, .url, .quantity, .reference, .string, .text, .openChoice, .choice,
            .group, .display:
            FormRuleWords.format(of: item.kind)
        }
    }

    private static func noun(for item: QuestionnaireItem) -> String {
        guard item.options.isEmpty else { return localized("your choice") }
        return item.kind == .attachment
            ? localized("file") : item.kind == .boolean ? localized("yes or no") : localized("answer")
    }

    /// Whether one line may hold several answers, separated by commas.
    static func takesList(_ item: QuestionnaireItem) -> Bool {
        item.repeats && item.kind == .choice && !item.options.isEmpty
    }

    static func heading(of section: FormWalk.Section, locale: TextLocale, colours: Colours) -> String {
        let number =
            section.number.map { number in
                guard section.count > 1 else { return " \(number)" }
                return " " + localized("{number} of {count}", ["number": "\(number)", "count": "\(section.count)"])
            } ?? ""
        let rule = locale.isUTF8 ? "──" : "--"
        return "\(rule) \(colours.bold(QuestionnaireText.name(of: section.item) + number)) \(rule)"
    }
}
