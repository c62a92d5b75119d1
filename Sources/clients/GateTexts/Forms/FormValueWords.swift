package import GateModel

/// Answers in a form, written as the person writes them.
package enum FormValueWords {
    /// The answer on one line: `Yes`, `01.05.1979`, `1,5`. `visible` makes other people's words harmless for the place
    /// where they are shown.
    package static func shown(_ value: FormValue, visible: (String) -> String) -> String {
        let habits = WritingHabits.ofPerson
        return switch value {
        case .boolean(let isTrue): isTrue ? localized("Yes") : localized("No")
        case .decimal, .quantity: habits.decimal(visible(value.displayText))
        case .date, .dateTime: habits.date(atStartOf: visible(value.displayText))
        case .integer, .time, .string, .uri, .coding, .reference, .attachment: visible(value.displayText)
        }
    }

    /// If the answer equals an option of the question (`nil`: unknown), the option's words are used.
    package static func shown(
        _ value: FormValue, of item: QuestionnaireItem?, visible: (String) -> String
    ) -> String {
        item?.options.first { $0.value == value }.map { shown($0, visible: visible) } ?? shown(value, visible: visible)
    }

    /// The option's text in the person's language if it has one, else its value.
    package static func shown(_ option: QuestionnaireAnswerOption, visible: (String) -> String) -> String {
        option.translations.isEmpty ? shown(option.value, visible: visible) : visible(option.texts.ofPerson)
    }

    /// The answers in a group on one line, in the group's order: `Schmidt, Anna, Children: 2`. Questions without
    /// answers are left out, and `name` stands only before an answer that can't be understood without its question.
    package static func line(
        _ answers: [(item: QuestionnaireItem, values: [FormValue])], name: (QuestionnaireItem) -> String,
        visible: (String) -> String
    ) -> String {
        ListText.things(
            answers.filter { !$0.values.isEmpty }.map { item, values in
                let words = values.map { value in
                    shown(value, of: item) { visible($0.split(whereSeparator: \.isNewline).joined(separator: " ")) }
                }
                let line = ListText.things(words)
                return item.saysWhatItIs ? line : ListText.pair(name(item), line)
            })
    }
}

extension QuestionnaireItem {
    /// Whether an answer can be understood without its question.
    fileprivate var saysWhatItIs: Bool {
        switch kind {
        case .boolean, .decimal, .integer, .time: false
        case .group, .display, .date, .dateTime, .string, .text, .url, .choice, .openChoice, .attachment, .reference,
            .quantity:
            true
        }
    }
}
