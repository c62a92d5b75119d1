package import GateModel

/// Answers of a form as the person writes and reads them.
package enum FormValueWords {
    /// On one line: `Yes`, `01.05.1979`, `1,5`.
    ///
    /// - Parameter visible: makes the words of others harmless for where they are shown.
    package static func shown(_ value: FormValue, visible: (String) -> String) -> String {
        let habits = WritingHabits.ofPerson
        return switch value {
        case .boolean(let isTrue): isTrue ? localized("Yes") : localized("No")
        case .decimal, .quantity: habits.decimal(visible(value.displayText))
        case .date, .dateTime: habits.date(atStartOf: visible(value.displayText))
        case .integer, .time, .string, .uri, .coding, .reference, .attachment: visible(value.displayText)
        }
    }

    /// An answer to this question: where it is one of its options, in the words of that.
    ///
    /// - Parameter item: `nil`: the question is not known.
    package static func shown(
        _ value: FormValue, of item: QuestionnaireItem?, visible: (String) -> String
    ) -> String {
        item?.options.first { $0.value == value }.map { shown($0, visible: visible) } ?? shown(value, visible: visible)
    }

    /// An option, in the language of the person where it is in that.
    package static func shown(_ option: QuestionnaireAnswerOption, visible: (String) -> String) -> String {
        option.translations.isEmpty ? shown(option.value, visible: visible) : visible(option.texts.ofPerson)
    }

    /// The answers of a group in one line, in its order: `Schmidt, Anna, Children: 2` (F-81).
    ///
    /// - Parameters:
    ///   - answers: the questions in it, with their answers. Those without any are left out.
    ///   - name: the words that people read of a question. They stand before an answer that says nothing without them.
    ///   - visible: makes the words of others harmless for where they are shown.
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
    /// Whether an answer can be understood without the question.
    fileprivate var saysWhatItIs: Bool {
        switch kind {
        case .boolean, .decimal, .integer, .time: false
        case .group, .display, .date, .dateTime, .string, .text, .url, .choice, .openChoice, .attachment, .reference,
            .quantity:
            true
        }
    }
}
