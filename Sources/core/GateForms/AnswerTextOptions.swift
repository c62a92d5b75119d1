public import GateModel

/// The answers that an item offers, with labels to choose them by.
public struct FormOptions {
    /// The ways in which something stands for a label.
    public enum LabelUse: Hashable {
        /// A label before anything else: anyone who types has them before their eyes.
        case first
        /// A label where it is nothing else.
        case last
        case never
    }

    private let values: [FormValue]
    /// The words of the options in a language of the person, in the same order.
    private let words: [String]
    public let labels: [String]
    /// The labels that people read.
    public let all: [String]

    /// - Parameter languages: those of the person, the preferred one first.
    public init(_ item: QuestionnaireItem, for languages: [String] = []) {
        values = item.options.map(\.value)
        words = item.options.map { $0.texts.text(for: languages) }
        all = words.map(\.replacingHidden)
        // Numbers among the options and numbers in front of them would not be told apart.
        let isNumeric = all.contains { Int($0) != nil } && values.count <= Self.letters.count
        labels = values.indices.map { isNumeric ? String(Self.letters[$0]) : "\($0 + 1)" }
    }

    private static let letters = Array("abcdefghijklmnopqrstuvwxyz")

    public var isEmpty: Bool { values.isEmpty }

    /// `1) Red`, an option a line.
    public var lines: [String] { zip(labels, all).map { "\($0)) \($1)" } }

    /// `nil`: that is none of them.
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

    /// A code is exact; what people read is not looked at so closely. What several options say names none of them.
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
