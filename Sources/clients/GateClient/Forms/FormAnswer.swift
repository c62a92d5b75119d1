public import GateModel

/// A type that a program can answer questions with, and read answers as: `String`, `Bool`, `Int`, `FormDate` and
/// others. The question's type decides which of them it takes. If a question takes several answers, each is one value.
public protocol FormAnswer: Sendable {
    /// The type in words, for error messages: "a date".
    static var answerTypeName: String { get }

    /// The value as the question's type requires it.
    /// - Throws: `INVALID_ARGUMENT` (`badAnswer`) if the question takes no value of this type.
    func formValue(for item: QuestionnaireItem) throws(GateError) -> FormValue

    /// `nil` if the value is of another type.
    init?(formValue: FormValue)
}

extension FormAnswer {
    func refused(by item: QuestionnaireItem) -> GateError {
        GateError(
            .invalidArgument, .badAnswer,
            "\(item.spokenName) takes \(item.kind.answerName), not \(Self.answerTypeName).")
    }
}

extension QuestionnaireItem {
    /// The item in an error message: the text that people read, and the linkId.
    var spokenName: String {
        text.map { text in "\"\(text)\" (\(linkID))" } ?? "\"\(linkID)\""
    }
}

extension QuestionnaireItem.Kind {
    /// The kind of answer that the item takes, for error messages.
    var answerName: String {
        switch self {
        case .group: "no answer of its own, as a group"
        case .display: "no answer, as a text to read"
        case .boolean: "a yes or no"
        case .decimal: "a decimal number"
        case .integer: "a whole number"
        case .date: "a date"
        case .dateTime: "a date and time"
        case .time: "a time"
        case .string, .text: "a text"
        case .url: "a web address"
        case .choice, .openChoice: "one of what is offered"
        case .attachment: "an attachment"
        case .reference: "a reference"
        case .quantity: "a quantity"
        }
    }
}

// MARK: Any

extension FormValue: FormAnswer {
    public static var answerTypeName: String { "a value" }

    /// Returns the value unchanged; the daemon checks whether the question takes it.
    public func formValue(for item: QuestionnaireItem) -> FormValue { self }

    public init?(formValue: FormValue) { self = formValue }
}

// MARK: Of Swift

/// A text, a web address, or an option of a choice, by its code or its text. An open choice takes any other text too.
extension String: FormAnswer {
    public static var answerTypeName: String { "a text" }

    public func formValue(for item: QuestionnaireItem) throws(GateError) -> FormValue {
        switch item.kind {
        case .string, .text: return .string(self)
        case .url: return .uri(self)
        case .choice:
            guard let offered = item.offered(self) else { throw notOffered(by: item) }
            return offered
        case .openChoice: return item.offered(self) ?? .string(self)
        case .group, .display, .boolean, .decimal, .integer, .date, .dateTime, .time, .attachment, .reference,
            .quantity:
            throw refused(by: item)
        }
    }

    private func notOffered(by item: QuestionnaireItem) -> GateError {
        let shown = 20
        let offers = item.options.prefix(shown).map(\.value.offeredText).joined(separator: ", ")
        let more = item.options.count > shown ? ", …" : ""
        return GateError(
            .invalidArgument, .badAnswer,
            "\"\(prefix(80))\" is not offered by \(item.spokenName); choose one of \(offers)\(more).")
    }

    public init?(formValue: FormValue) {
        switch formValue {
        case .string(let text), .uri(let text): self = text
        case .coding(let coding): self = coding.code ?? coding.displayText
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .quantity, .reference, .attachment: return nil
        }
    }
}

extension QuestionnaireItem {
    fileprivate func offered(_ text: String) -> FormValue? {
        options.first { $0.value.offeredText == text }?.value ?? options.first { $0.value.displayText == text }?.value
    }
}

extension FormValue {
    /// The text that a program names an offered value by.
    fileprivate var offeredText: String { String(formValue: self) ?? displayText }
}

extension Bool: FormAnswer {
    public static var answerTypeName: String { "a yes or no" }

    public func formValue(for item: QuestionnaireItem) throws(GateError) -> FormValue {
        guard item.kind == .boolean else { throw refused(by: item) }
        return .boolean(self)
    }

    public init?(formValue: FormValue) {
        guard case .boolean(let value) = formValue else { return nil }
        self = value
    }
}

/// A whole number. It can answer a question for a decimal number, but that answer is read as `FormDecimal`.
extension Int: FormAnswer {
    public static var answerTypeName: String { "a whole number" }

    public func formValue(for item: QuestionnaireItem) throws(GateError) -> FormValue {
        if item.kind == .decimal { return .decimal(FormDecimal(self)) }
        // If a choice offers numbers, a number names an option.
        let isNumberOffered = item.kind == .choice && item.options.contains { $0.value.isWholeNumber }
        guard item.kind == .integer || isNumberOffered else { throw refused(by: item) }
        guard let number = Int32(exactly: self) else {
            throw GateError(
                .invalidArgument, .badAnswer,
                "\(item.spokenName) takes a whole number from \(Int32.min) to \(Int32.max).")
        }
        return .integer(number)
    }

    public init?(formValue: FormValue) {
        guard case .integer(let number) = formValue else { return nil }
        self = Int(number)
    }
}

extension FormValue {
    fileprivate var isWholeNumber: Bool { Int(formValue: self) != nil }
}

// MARK: Of Gate

extension FormDecimal: FormAnswer {
    public static var answerTypeName: String { "a decimal number" }

    public func formValue(for item: QuestionnaireItem) throws(GateError) -> FormValue {
        guard item.kind == .decimal else { throw refused(by: item) }
        return .decimal(self)
    }

    public init?(formValue: FormValue) {
        switch formValue {
        case .decimal(let number): self = number
        case .integer(let number): self.init(Int(number))
        case .boolean, .date, .dateTime, .time, .string, .uri, .coding, .quantity, .reference, .attachment: return nil
        }
    }
}

/// A date. It can answer a question for a date and time, to the day, but that answer is read as `FormDateTime`.
extension FormDate: FormAnswer {
    public static var answerTypeName: String { "a date" }

    public func formValue(for item: QuestionnaireItem) throws(GateError) -> FormValue {
        if item.kind == .dateTime { return .dateTime(FormDateTime(self)) }
        guard item.kind == .date else { throw refused(by: item) }
        return .date(self)
    }

    public init?(formValue: FormValue) {
        guard case .date(let date) = formValue else { return nil }
        self = date
    }
}

extension FormDateTime: FormAnswer {
    public static var answerTypeName: String { "a date and time" }

    public func formValue(for item: QuestionnaireItem) throws(GateError) -> FormValue {
        guard item.kind == .dateTime else { throw refused(by: item) }
        return .dateTime(self)
    }

    public init?(formValue: FormValue) {
        guard case .dateTime(let moment) = formValue else { return nil }
        self = moment
    }
}

extension FormTime: FormAnswer {
    public static var answerTypeName: String { "a time" }

    public func formValue(for item: QuestionnaireItem) throws(GateError) -> FormValue {
        guard item.kind == .time else { throw refused(by: item) }
        return .time(self)
    }

    public init?(formValue: FormValue) {
        guard case .time(let time) = formValue else { return nil }
        self = time
    }
}

extension FormCoding: FormAnswer {
    public static var answerTypeName: String { "a coding" }

    public func formValue(for item: QuestionnaireItem) throws(GateError) -> FormValue {
        guard item.kind == .choice || item.kind == .openChoice else { throw refused(by: item) }
        return .coding(self)
    }

    public init?(formValue: FormValue) {
        guard case .coding(let coding) = formValue else { return nil }
        self = coding
    }
}

extension FormQuantity: FormAnswer {
    public static var answerTypeName: String { "a quantity" }

    public func formValue(for item: QuestionnaireItem) throws(GateError) -> FormValue {
        guard item.kind == .quantity else { throw refused(by: item) }
        return .quantity(self)
    }

    public init?(formValue: FormValue) {
        guard case .quantity(let quantity) = formValue else { return nil }
        self = quantity
    }
}

extension FormReference: FormAnswer {
    public static var answerTypeName: String { "a reference" }

    public func formValue(for item: QuestionnaireItem) throws(GateError) -> FormValue {
        guard item.kind == .reference else { throw refused(by: item) }
        return .reference(self)
    }

    public init?(formValue: FormValue) {
        guard case .reference(let reference) = formValue else { return nil }
        self = reference
    }
}

extension FormAttachment: FormAnswer {
    public static var answerTypeName: String { "an attachment" }

    public func formValue(for item: QuestionnaireItem) throws(GateError) -> FormValue {
        guard item.kind == .attachment else { throw refused(by: item) }
        return .attachment(self)
    }

    public init?(formValue: FormValue) {
        guard case .attachment(let attachment) = formValue else { return nil }
        self = attachment
    }
}
