import GateModel

extension ExpressionParser {
    /// Parses a text, a number, a quantity, a date, a moment, a time, `true` or `false`.
    mutating func literal() throws(ExpressionError) -> Syntax {
        let token = next()
        let value: ExpressionValue?
        switch token.kind {
        case .string(let text): value = .string(text)
        case .name(let word, _): value = .boolean(word == "true")
        case .number(let text): value = try number(text, at: token.place)
        case .date(let text): value = try date(text, at: token.place)
        case .special, .symbol, .end: value = nil
        }
        return try syntax(.literal(value), at: token.place)
    }

    private mutating func number(_ text: String, at place: ExpressionError.Place) throws(ExpressionError)
        -> ExpressionValue
    {
        guard let decimal = ExactDecimal(text: text) else {
            throw ExpressionError(
                .syntax, at: place,
                "This number has more than 36 digits, or more than 18 after the decimal point. Write fewer.")
        }
        if let unit {
            _ = next()
            return .quantity(ExpressionQuantity(decimal, unit))
        }
        if text.utf8.contains(UInt8(ascii: ".")) { return .decimal(decimal) }
        guard let integer = decimal.whole.flatMap({ Int32(exactly: $0) }) else {
            throw ExpressionError(.syntax, at: place, "This whole number is too large. Write \(text).0 for a decimal.")
        }
        return .integer(integer)
    }

    private var unit: ExpressionQuantity.Unit? {
        switch peek.kind {
        // 'month' in quotes is a calendar unit too, since UCUM's own code is 'mo'.
        case .string(let code): CalendarUnit(rawValue: code).map { .calendar($0) } ?? .ucum(code)
        case .name(let word, isDelimited: false): CalendarUnit(word: word).map { .calendar($0) }
        case .name, .number, .date, .special, .symbol, .end: nil
        }
    }

    private func date(_ text: String, at place: ExpressionError.Place) throws(ExpressionError) -> ExpressionValue {
        if text.hasPrefix("T") {
            if let time = ClockTime(text: text.dropFirst()) { return .time(time) }
        } else if text.utf8.contains(UInt8(ascii: "T")) {
            if let moment = CalendarMoment(text: text) { return .dateTime(moment) }
        } else if let date = FormDate(text) {
            return .date(date)
        }
        throw ExpressionError(
            .syntax, at: place, "'@\(text)' is no date. Write @2024-05-31, @2024-05-31T12:30:00+02:00 or @T12:30.")
    }
}
