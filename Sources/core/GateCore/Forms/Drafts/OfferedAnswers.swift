import GateModel

/// A question's options, arranged for lookup, because a question can have many options and many answers.
struct OfferedAnswers: Sendable {
    /// A key that equal values share. Some types have none.
    private enum Key: Hashable {
        /// For types whose values are the same only if they are written alike. Texts are compared byte by byte, so the
        /// time grows only with their length.
        case itself(FormValue)
        case time(seconds: Int, fraction: [UInt8])
        case coding(system: String?, code: String?, display: String?)
        case reference(String?, type: String?, display: String?)

        init?(_ value: FormValue) {
            switch value {
            case .integer, .date, .string, .uri: self = .itself(value)
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

        /// The key consists of hh:mm:ss in seconds and of the fraction without trailing zeros.
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
    /// The options whose type has no key. Each is compared.
    private var others: [QuestionnaireAnswerOption] = []
    private let all: [QuestionnaireAnswerOption]
    /// The types of the options, as FHIR's element names.
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

    func option(for value: FormValue) -> QuestionnaireAnswerOption? {
        guard let key = Key(value) else { return all.first { $0.value.isSame(as: value) } }
        return keyed[key] ?? others.first { $0.value.isSame(as: value) }
    }
}

extension CompiledItem {
    /// The flaw of a value that is not offered; `nil` if there is none. An open choice takes any text.
    func offerFlaw(of value: FormValue) -> AnswerFlaw? {
        if case .quantity(let quantity) = value { return item.unitFlaw(of: quantity) }
        if item.kind == .openChoice, case .string = value { return nil }
        guard !offered.isEmpty, offered.option(for: value) == nil else { return nil }
        return AnswerFlaw(.codeInvalid, "\(item.label) does not offer this. Choose \(item.choices).")
    }

    /// The form in which an answer is stored: an option or a unit has the form's own words. The person chooses among
    /// those and can't reword them, so a person who consents has consented to the form's words.
    func worded(_ value: FormValue) -> FormValue {
        switch value {
        case .quantity(var quantity):
            guard let offered = item.constraints.units.first(where: quantity.isIn) else {
                // If the form names no units, a code beside another text is dropped, because people would not see it.
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
    /// Whether it is in this unit, by its code, or else by its text.
    fileprivate func isIn(_ offered: FormCoding) -> Bool {
        if let code { return code == offered.code && system == offered.system }
        return unit != nil && (unit == offered.display || unit == offered.code)
    }
}
