import GateModel

/// The answers that a question offers, to be looked up: a question has many options, and may get many answers.
struct OfferedAnswers: Sendable {
    /// A key that equal values share; not all types have one.
    private enum Key: Hashable {
        case whole(Int32)
        case text(element: String, String)
        case time(seconds: Int, fraction: [UInt8])
        case coding(system: String?, code: String?, display: String?)
        case reference(String?, type: String?, display: String?)

        init?(_ value: FormValue) {
            switch value {
            case .integer(let number): self = .whole(number)
            case .date(let date): self = .text(element: value.fhirElement, date.text)
            case .string(let text), .uri(let text): self = .text(element: value.fhirElement, text)
            case .time(let time): self.init(time)
            case .coding(let coding):
                self = .coding(
                    system: coding.system, code: coding.code, display: coding.code == nil ? coding.display : nil)
            case .reference(let reference):
                let isNamed = reference.reference != nil
                self = .reference(
                    reference.reference, type: isNamed ? nil : reference.type,
                    display: isNamed ? nil : reference.display)
            case .boolean, .decimal, .dateTime, .quantity, .attachment: return nil
            }
        }

        /// The key of hh:mm:ss and the fraction without the zeros at its end.
        private init?(_ time: FormTime) {
            let bytes = Array(time.text.utf8)
            guard bytes.count >= 8 else { return nil }
            var seconds = 0
            for place in [0, 3, 6] {
                let number = Int(bytes[place]) * 10 + Int(bytes[place + 1]) - 11 * 0x30
                seconds = seconds * 60 + number
            }
            var fraction = Array(bytes.dropFirst(9))
            while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
            self = .time(seconds: seconds, fraction: fraction)
        }
    }

    private var keyed: [Key: QuestionnaireAnswerOption] = [:]
    /// The options of other types: each is compared.
    private var others: [QuestionnaireAnswerOption] = []
    /// As all options are of a type without key, or the value is.
    private let all: [QuestionnaireAnswerOption]
    /// Their types, as FHIR names the elements.
    let elements: Set<String>

    init(_ options: [QuestionnaireAnswerOption]) {
        all = options
        elements = Set(options.map(\.value.fhirElement))
        for option in options {
            guard let key = Key(option.value) else {
                others.append(option)
                continue
            }
            if keyed[key] == nil { keyed[key] = option }
        }
    }

    var isEmpty: Bool { all.isEmpty }

    /// The first that is the same; `nil`: the value is not offered.
    func option(for value: FormValue) -> QuestionnaireAnswerOption? {
        guard let key = Key(value) else { return all.first { $0.value.isSame(as: value) } }
        return keyed[key] ?? others.first { $0.value.isSame(as: value) }
    }
}

extension CompiledItem {
    /// Whether the value is one of those that are offered. Into an open choice anything may be typed.
    func offerFlaw(of value: FormValue) -> AnswerFlaw? {
        if case .quantity(let quantity) = value { return item.unitFlaw(of: quantity) }
        if item.kind == .openChoice, case .string = value { return nil }
        guard !offered.isEmpty, offered.option(for: value) == nil else { return nil }
        return AnswerFlaw(.codeInvalid, "\(item.label) does not offer this. Choose \(item.choices).")
    }

    /// The stored form of an answer: the option or the unit that it names, with the words of the form (F-33). Anyone
    /// who answers chooses among them, and does not word them: a person who consents reads the form's words.
    func worded(_ value: FormValue) -> FormValue {
        switch value {
        case .quantity(var quantity):
            guard let offered = item.constraints.units.first(where: quantity.isIn) else {
                // Where the form names no units, a code that nobody reads is none.
                if quantity.unit != nil, quantity.unit != quantity.code {
                    (quantity.system, quantity.code) = (nil, nil)
                }
                return .quantity(quantity)
            }
            (quantity.unit, quantity.system, quantity.code) = (offered.displayText, offered.system, offered.code)
            return .quantity(quantity)
        case .coding, .reference:
            return offered.option(for: value)?.value ?? value
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .uri, .attachment: return value
        }
    }
}

extension QuestionnaireItem {
    fileprivate func unitFlaw(of quantity: FormQuantity) -> AnswerFlaw? {
        guard !constraints.units.isEmpty, !constraints.units.contains(where: quantity.isIn) else { return nil }
        let names = constraints.units.map(\.displayText)
        return AnswerFlaw(
            .codeInvalid, "\(label) is measured in \(Self.list(names)).", ["units": names.joined(separator: ", ")])
    }

    fileprivate var choices: String {
        options.count > 8 ? "one of the \(options.count) that it offers" : Self.list(options.map(\.value.displayText))
    }

    private static func list(_ names: [String]) -> String {
        names.count < 2 ? names.joined() : "\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])"
    }
}

extension FormQuantity {
    /// Whether it is offered, by the code of the unit, or else by its text.
    fileprivate func isIn(_ offered: FormCoding) -> Bool {
        if let code { return code == offered.code && system == offered.system }
        return unit != nil && (unit == offered.display || unit == offered.code)
    }
}
