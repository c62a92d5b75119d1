import GateForms
import GateModel

/// The text that a person is shown who fills a form in, and how they are to answer.
struct FormQuestionText {
    let question: FormWalk.Question
    let questionCount: Int
    let colours: Colours

    private var item: QuestionnaireItem { question.item }

    /// `[3/12] Date of birth (required)`, how to write it, what there is to choose from, and what it is now.
    var lines: [String] {
        let heading = "[\(question.number)/\(questionCount)] \(colours.bold(QuestionnaireText.name(of: item)))"
        var lines = [item.isRequired ? "\(heading) (required)" : heading]
        if item.isReadOnly {
            return lines + ["    \(question.values.isEmpty ? "-" : FormRulesText.list(question.values))"]
        }
        let options = FormOptions(item)
        lines += zip(options.labels, options.all).map { "    \($0)) \(VisibleText.line($1))" }
        let how = ([Self.format(of: item)] + FormRulesText(item: item).forAnswering.filter { $0 != "required" })
            .compactMap(\.self)
        if !how.isEmpty { lines.append(colours.dim("    \(how.joined(separator: "; "))")) }
        if !question.values.isEmpty { lines.append("    now: \(FormRulesText.list(question.values))") }
        return lines
    }

    /// In a few words, before the cursor.
    var request: String { question.values.isEmpty ? Self.noun(for: item) : "\(Self.noun(for: item)), Return keeps it" }

    /// How an answer is written; `nil` where that goes without saying.
    static func format(of item: QuestionnaireItem) -> String? {
        guard item.options.isEmpty else {
            if takesList(item) { return "one or more, with commas between them" }
            return item.kind == .openChoice ? "one of these, or your own words" : nil
        }
        let several = item.repeats ? "; one after the other" : ""
        switch item.kind {
        case .boolean: return "yes or no"
        case .integer: return "a whole number\(several)"
        case .decimal: return "a number\(several)"
        case .date: return "a date, year first: 2015-03-02\(several)"
        case .dateTime: return "date and time with the time zone: 2026-01-31 18:30+01:00\(several)"
        case .time: return "a time: 18:30\(several)"
        case .url: return "an address\(several)"
        case .quantity: return "a number and its unit\(several)"
        case .reference: return "what it refers to: Patient/17\(several)"
        case .attachment: return "the path of a file\(several)"
        case .string, .text, .openChoice, .choice: return item.repeats ? "one after the other" : nil
        case .group, .display: return nil
        }
    }

    private static func noun(for item: QuestionnaireItem) -> String {
        guard item.options.isEmpty else { return "your choice" }
        return item.kind == .attachment ? "file" : item.kind == .boolean ? "yes or no" : "answer"
    }

    /// Whether one line may have several answers, with commas between them.
    static func takesList(_ item: QuestionnaireItem) -> Bool {
        item.repeats && item.kind == .choice && !item.options.isEmpty
    }

    static func heading(of section: FormWalk.Section, locale: TextLocale, colours: Colours) -> String {
        let number = section.number.map { section.count > 1 ? " \($0) of \(section.count)" : " \($0)" } ?? ""
        let rule = locale.isUTF8 ? "──" : "--"
        return "\(rule) \(colours.bold(QuestionnaireText.name(of: section.item) + number)) \(rule)"
    }
}
