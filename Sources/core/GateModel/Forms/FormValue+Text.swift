extension FormValue {
    /// The type of the value, for an English sentence: "a date".
    package var typeName: String {
        switch self {
        case .boolean: "a yes or no"
        case .decimal: "a decimal number"
        case .integer: "a whole number"
        case .date: "a date"
        case .dateTime: "a date and time"
        case .time: "a time"
        case .string: "a text"
        case .uri: "a web address"
        case .coding: "a coding"
        case .quantity: "a quantity"
        case .reference: "a reference"
        case .attachment: "an attachment"
        }
    }

    /// The name of FHIR's element for a value of this type, like "valueDate".
    package var fhirElement: String {
        switch self {
        case .boolean: "valueBoolean"
        case .decimal: "valueDecimal"
        case .integer: "valueInteger"
        case .date: "valueDate"
        case .dateTime: "valueDateTime"
        case .time: "valueTime"
        case .string: "valueString"
        case .uri: "valueUri"
        case .coding: "valueCoding"
        case .quantity: "valueQuantity"
        case .reference: "valueReference"
        case .attachment: "valueAttachment"
        }
    }

    /// The value as it is written in FHIR, by which its length and its form are checked; `nil` for a yes or no, and for
    /// types that are more than one text.
    package var lexicalText: String? {
        switch self {
        case .string(let text), .uri(let text): text
        case .integer(let number): String(number)
        case .decimal(let number): number.text
        case .date(let date): date.text
        case .dateTime(let moment): moment.text
        case .time(let time): time.text
        case .boolean, .coding, .quantity, .reference, .attachment: nil
        }
    }

    /// The value for an English reader, like "Yes", "75 kW" or "passport.png (120 kB)". A text keeps all its lines.
    public var displayText: String {
        switch self {
        case .boolean(let isTrue): isTrue ? "Yes" : "No"
        case .decimal(let number): number.text
        case .integer(let number): String(number)
        case .date(let date): date.text
        case .dateTime(let moment): moment.displayText
        case .time(let time): time.displayText
        case .string(let text), .uri(let text): text
        case .coding(let coding): coding.displayText
        case .quantity(let quantity): quantity.displayText
        case .reference(let reference): reference.displayText
        case .attachment(let attachment): attachment.displayText
        }
    }
}

extension FormTime {
    /// The time as "10:30", or as "10:30:05" if the seconds are not zero.
    public var displayText: String {
        text.utf8.count == 8 && text.hasSuffix(":00") ? String(text.dropLast(3)) : text
    }
}

extension FormDateTime {
    /// The moment as "2024-05-17 10:30 +02:00", with "UTC" for a Z.
    public var displayText: String {
        guard let separator = text.firstIndex(of: "T") else { return text }
        let behind = text[text.index(after: separator)...]
        guard let zone = behind.firstIndex(where: { "Z+-".contains($0) }) else { return text }
        let time = FormTime(String(behind[..<zone]))?.displayText ?? String(behind[..<zone])
        return "\(text[..<separator]) \(time) \(behind[zone...] == "Z" ? "UTC" : behind[zone...])"
    }
}

extension FormCoding {
    /// The text that people read; the code, or else the system, if there is none.
    public var displayText: String { display ?? code ?? system ?? "" }
}

extension FormQuantity {
    /// The amount as "75 kW" or "< 5 mg".
    public var displayText: String {
        [comparator, value?.text, unit ?? code].compactMap(\.self).joined(separator: " ")
    }
}

extension FormReference {
    /// The text that people read, followed by what the reference points to in brackets.
    public var displayText: String {
        guard let display else { return reference ?? type ?? "" }
        return reference.map { "\(display) [\($0)]" } ?? display
    }
}

extension FormAttachment {
    /// The title and size, like "passport.png (120 kB)". Without a title: the type, like "image/png (120 kB)".
    public var displayText: String {
        "\(title ?? mediaType ?? "document") (\(Self.sizeText(byteCount)))"
    }

    /// A size as "999 bytes", "1.5 kB", "120 kB" or "2.4 MB". A kB is 1,000 bytes, a MB 1,000,000. Below 100 of a unit
    /// there is one digit after the point, unless it is 0.
    package static func sizeText(_ byteCount: Int) -> String {
        if byteCount == 1 { return "1 byte" }
        if byteCount < 1_000 { return "\(byteCount) bytes" }
        let (unit, name) = byteCount < 999_500 ? (1_000, "kB") : (1_000_000, "MB")
        let (whole, rest) = byteCount.quotientAndRemainder(dividingBy: unit)
        let tenths = whole >= 100 ? 0 : (rest + unit / 20) / (unit / 10)
        if (1...9).contains(tenths) { return "\(whole).\(tenths) \(name)" }
        return "\(whole + (rest >= unit / 2 ? 1 : 0)) \(name)"
    }
}
