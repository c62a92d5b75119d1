public import GateModel

/// The options of an item, with labels to choose them by.
public struct FormOptions {
    public enum LabelUse: Hashable {
        /// A label comes before anything else, because the person who types sees the labels.
        case first
        /// A text counts as a label only if it is no option's code or text.
        case last
        case never
    }

    private let values: [FormValue]
    /// The options' texts in a language of the person, in the order of `values`.
    private let words: [String]
    public let labels: [String]
    /// The options' texts, as they are shown.
    public let all: [String]

    /// - Parameter languages: the person's, the preferred one first.
    public init(_ item: QuestionnaireItem, for languages: [String] = []) {
        values = item.options.map(\.value)
        words = item.options.map { $0.texts.text(for: languages) }
        all = words.map(\.replacingHidden)
        // If an option is itself a number, labels are letters, so that the two can be told apart.
        let isNumeric = all.contains { Int($0) != nil } && values.count <= Self.letters.count
        labels = values.indices.map { isNumeric ? String(Self.letters[$0]) : "\($0 + 1)" }
    }

    private static let letters = Array("abcdefghijklmnopqrstuvwxyz")

    /// A line for each option, like `1) Red`.
    public var lines: [String] { zip(labels, all).map { "\($0)) \($1)" } }

    /// The option that a text names; `nil` if it names none.
    public func value(_ text: String, byLabel labelUse: LabelUse) -> FormValue? {
        let text = FormAnswerText.trimmed(text)
        guard !text.isEmpty else { return nil }
        switch labelUse {
        case .first: return labelled(text) ?? written(text)
        case .last: return written(text) ?? labelled(text)
        case .never: return written(text)
        }
    }

    private func labelled(_ text: String) -> FormValue? {
        labels.firstIndex(of: text.lowercased()).map { values[$0] }
    }

    /// A code has to match exactly, a text regardless of case. A text that fits several options names none of them.
    private func written(_ text: String) -> FormValue? {
        let small = text.lowercased()
        let ways: [(Int) -> Bool] = [
            { Self.code(values[$0]) == text }, { words[$0] == text }, { values[$0].displayText == text },
            { words[$0].lowercased() == small }, { values[$0].displayText.lowercased() == small },
        ]
        for way in ways {
            let found = values.indices.filter(way)
            if found.count == 1 { return values[found[0]] }
        }
        return values.first { Self.systemAndCode($0) == text }
    }

    private static func code(_ value: FormValue) -> String? {
        switch value {
        case .coding(let coding): coding.code
        case .reference(let reference): reference.reference
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .uri, .quantity,
            .attachment:
            nil
        }
    }

    /// `system|code`, for codes that two systems have.
    private static func systemAndCode(_ value: FormValue) -> String? {
        switch value {
        case .coding(let coding):
            coding.system.flatMap { system in coding.code.map { "\(system)|\($0)" } }
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .uri, .quantity,
            .reference, .attachment:
            nil
        }
    }
}
