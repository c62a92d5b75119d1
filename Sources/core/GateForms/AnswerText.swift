public import GateModel

/// Turns text that a person typed into an answer of the item's type. The core decides whether the form takes that
/// answer (`AnswerRules.swift`).
public struct FormAnswerText {
    let item: QuestionnaireItem
    private let options: FormOptions
    private let habits: WritingHabits

    /// `languages`: the person's, the preferred one first. `habits`: how they write dates, numbers, yes and no.
    package init(item: QuestionnaireItem, for languages: [String] = [], habits: WritingHabits = WritingHabits()) {
        self.item = item
        options = FormOptions(item, for: languages)
        self.habits = habits
    }

    /// The answers from words of a command line. A question that takes one answer takes all words together as one text.
    ///
    /// - Throws: the errors of `value`.
    package func values(_ words: [String]) throws(GateError) -> [FormValue] {
        var values: [FormValue] = []
        for text in item.repeats || words.isEmpty ? words : [words.joined(separator: " ")] {
            values.append(try value(text))
        }
        return values
    }

    /// The answer from an argument of a command line. An option is named by its code or its text. If only options are
    /// allowed, it may also be named by its label.
    ///
    /// - Throws: `INVALID_ARGUMENT` (`badAnswer`) with a sentence that says how to write the answer.
    public func value(_ text: String) throws(GateError) -> FormValue {
        let text = read(text)
        let isClosed = item.kind == .choice || (!item.options.isEmpty && item.kind != .openChoice)
        if let value = options.value(text, byLabel: isClosed ? .last : .never) {
            return value
        }
        return try typed(text)
    }

    /// The answer of a person who sees the options with their labels, so that a label comes first.
    /// - Throws: the errors of `value`.
    public func labelled(_ text: String) throws(GateError) -> FormValue {
        let text = read(text)
        if let value = options.value(text, byLabel: .first) { return value }
        return try typed(text)
    }

    /// The text as English and ISO 8601 write it, if this person writes it in another way.
    private func read(_ text: String) -> String {
        let trimmed = Self.trimmed(text)
        return switch item.kind {
        case .boolean: habits.isYes(trimmed).map { $0 ? "yes" : "no" } ?? text
        case .date, .dateTime: habits.iso(dateAtStartOf: trimmed)
        case .decimal, .quantity: habits.point(inDecimal: trimmed)
        case .integer, .time, .string, .text, .url, .choice, .openChoice, .reference, .attachment, .group, .display:
            text
        }
    }

    /// Reads the text by the item's type, without looking for an option.
    private func typed(_ text: String) throws(GateError) -> FormValue {
        let trimmed = Self.trimmed(text)
        switch item.kind {
        case .boolean: return try boolean(trimmed)
        case .integer:
            guard let number = Int32(trimmed) else {
                throw mistake(trimmed, "no whole number that fits", "like 42")
            }
            return .integer(number)
        case .decimal:
            guard let number = FormDecimal(trimmed) else {
                throw mistake(trimmed, "no number", "like 1.5")
            }
            return .decimal(number)
        case .date:
            guard let date = FormDate(trimmed) else {
                throw mistake(trimmed, "no date", "year first: 2015-03-02, 2015-03 or 2015")
            }
            return .date(date)
        case .dateTime:
            guard let moment = FormDateTime(Self.dateTime(trimmed)) else {
                throw mistake(
                    trimmed, "no date with a time", "with the time zone: 2026-01-31 18:30+01:00, or Z for UTC"
                )
            }
            return .dateTime(moment)
        case .time:
            guard let time = FormTime(Self.withSeconds(trimmed)) else {
                throw mistake(trimmed, "no time of the day", "like 18:30")
            }
            return .time(time)
        case .string, .openChoice: return .string(item.constraints.textMask?.completed(text) ?? text)
        case .text: return .string(text)
        case .url:
            guard !trimmed.isEmpty, !trimmed.contains(where: \.isWhitespace) else {
                throw mistake(trimmed, "no address", "without spaces, like https://example.org/")
            }
            return .uri(trimmed)
        case .choice: throw notOffered(trimmed)
        case .reference: return .reference(FormReference(reference: trimmed))
        case .quantity: return .quantity(try quantity(trimmed))
        case .attachment:
            throw refusal(
                .value, "'\(item.linkID)' takes a document. Give it with `gatectl form attach NAME PATH FILE`.",
                ["type": item.kind.rawValue])
        case .group, .display:
            throw refusal(
                .structure, "'\(item.linkID)' is a \(item.kind == .group ? "group" : "text"), and takes no answer.",
                ["type": item.kind.rawValue])
        }
    }

    private func boolean(_ text: String) throws(GateError) -> FormValue {
        switch text.lowercased() {
        case "y", "yes", "true", "on": return .boolean(true)
        case "n", "no", "false", "off": return .boolean(false)
        case _: throw mistake(text, "neither yes nor no", "yes or no")
        }
    }

    // MARK: Quantities

    /// `75 kW`, `75kW`, `<= 5 mg`, `75`. A unit is named by code or text, and may be left out if only one is offered.
    private func quantity(_ text: String) throws(GateError) -> FormQuantity {
        let comparator = ["<=", ">=", "<", ">"].first { text.hasPrefix($0) }
        let rest = text.dropFirst(comparator?.count ?? 0).drop(while: \.isWhitespace)
        let unit: String
        guard let (number, unitText) = Self.split(rest), let value = FormDecimal(number) else {
            throw mistake(text, "no amount", "a number and its unit: 75 \(unitExample)")
        }
        unit = unitText
        let units = item.constraints.units
        guard !units.isEmpty else {
            return FormQuantity(value: value, comparator: comparator, unit: unit.isEmpty ? nil : unit)
        }
        guard
            let coding = unit.isEmpty
                ? (units.count == 1 ? units.first : nil) : Self.unit(unit, among: units)
        else {
            let names = units.map(Self.name).joined(separator: ", ")
            throw refusal(
                .codeInvalid,
                (unit.isEmpty ? "'\(text)' lacks its unit." : "'\(unit)' is no unit that is asked for.")
                    + " Give one of: \(names).", ["units": names])
        }
        // A code means nothing without its system.
        return FormQuantity(
            value: value, comparator: comparator, unit: coding.display ?? coding.code, system: coding.system,
            code: coding.system == nil ? nil : coding.code)
    }

    private var unitExample: String { item.constraints.units.first.map(Self.name) ?? "kW" }

    public static func name(_ unit: FormCoding) -> String { unit.display ?? unit.code ?? "" }

    private static func unit(_ text: String, among units: [FormCoding]) -> FormCoding? {
        units.first { $0.code == text || $0.display == text }
            ?? units.first { name($0).lowercased() == text.lowercased() }
    }

    /// Cuts after the longest beginning that is a number: `1e3 m` begins with `1e3`, and `75 eggs` with `75`.
    private static func split(_ text: Substring) -> (number: String, unit: String)? {
        let signs = text.prefix(FormDecimal.maximumByteCount + 1).prefix {
            $0.isASCII && ($0.isNumber || ".+-eE".contains($0))
        }
        guard signs.count <= FormDecimal.maximumByteCount else { return nil }
        for count in stride(from: signs.count, to: 0, by: -1)
        where FormDecimal(String(signs.prefix(count))) != nil {
            return (String(signs.prefix(count)), trimmed(String(text.dropFirst(count))))
        }
        return nil
    }

    // MARK: Times

    /// Writes a space as T, and adds missing seconds.
    private static func dateTime(_ text: String) -> String {
        guard let gap = text.firstIndex(where: { $0 == "T" || $0 == " " }) else { return text }
        let date = text[..<gap]
        let rest = text[text.index(after: gap)...].filter { !$0.isWhitespace }
        let zone = rest.firstIndex { "Zz+-".contains($0) } ?? rest.endIndex
        return "\(date)T\(withSeconds(String(rest[..<zone])))\(rest[zone...].uppercased())"
    }

    /// `18:30` as `18:30:00`, and `8:30` as `08:30:00`.
    private static func withSeconds(_ text: String) -> String {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1 else { return text }
        if parts[0].count == 1 { parts[0] = "0\(parts[0])" }
        return (parts + (parts.count == 2 ? ["00"] : [])).joined(separator: ":")
    }

    // MARK: What is wrong

    private func notOffered(_ text: String) -> GateError {
        let some = options.all.prefix(10).map { $0.isEmpty ? "''" : $0 }.joined(separator: ", ")
        let rest = options.all.count > 10 ? " and \(options.all.count - 10) more" : ""
        return refusal(.codeInvalid, "'\(text.shortened)' is not offered. Choose from: \(some)\(rest).")
    }

    private func mistake(_ text: String, _ what: String, _ how: String) -> GateError {
        refusal(.value, "'\(text.shortened)' is \(what). Write it \(how).", ["type": item.kind.rawValue])
    }

    private func refusal(
        _ kind: FormIssue.Code, _ message: String, _ parameters: [String: String] = [:]
    ) -> GateError {
        let issue = ErrorIssue(
            .form(linkID: item.linkID, expression: ""), kind: kind,
            parameters: parameters.merging(item.namingParameters) { ours, _ in ours }, message)
        return GateError(.invalidArgument, .badAnswer, message, all: [issue])
    }

    public static func trimmed(_ text: String) -> String {
        let rest = text.drop(while: \.isWhitespace)
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(rest[...last])
    }
}
