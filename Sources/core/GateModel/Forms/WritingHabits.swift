/// How a person writes dates, numbers, yes and no. The ISO 8601 and English ways are always understood, too, so that a
/// command works the same everywhere.
///
/// A client knows the habits of the person who uses it (`WritingHabits.ofPerson` in GateTexts). It sends them to the
/// daemon together with answers as they were typed.
package struct WritingHabits: Hashable, Sendable {
    private enum Part: Hashable {
        case year
        case month
        case day
        case literal(String)
    }

    /// A format of `strftime(3)`, like `%d.%m.%Y`.
    package let dateFormat: String
    private let date: [Part]
    package let decimalSeparator: String
    /// The person's words for yes and no, in addition to the English ones.
    package let yes: String
    package let no: String

    /// Uses ISO's date format if `dateFormat` is not a date format (`isDateFormat`), and a point as decimal separator
    /// if `decimalSeparator` is empty.
    package init(dateFormat: String = "", decimalSeparator: String = "", yes: String = "yes", no: String = "no") {
        let parts = Self.parts(of: dateFormat)
        self.dateFormat = parts == nil ? "%Y-%m-%d" : dateFormat
        date = parts ?? Self.iso
        self.decimalSeparator = decimalSeparator.isEmpty ? "." : decimalSeparator
        self.yes = yes.isEmpty ? "yes" : yes
        self.no = no.isEmpty ? "no" : no
    }

    /// Whether a date can be written in this format: it contains year, month and day, each once, and no other field.
    package static func isDateFormat(_ format: String) -> Bool { parts(of: format) != nil }

    package enum DatePart: Hashable, Sendable {
        case year
        case month
        case day
    }

    /// The numbers of a date, in the order in which the person writes them.
    package var dateOrder: [DatePart] {
        date.compactMap { part in
            switch part {
            case .year: .year
            case .month: .month
            case .day: .day
            case .literal: nil
            }
        }
    }

    private static let iso: [Part] = [.year, .literal("-"), .month, .literal("-"), .day]

    // MARK: Writing

    /// Replaces an ISO date at the start of the text, if there is one, with the date as the person writes it.
    package func date(atStartOf text: String) -> String {
        let digits = Array(text.utf8.prefix(10))
        guard digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-"),
            let numbers = Self.numbers(String(text.prefix(10))), numbers.count == 3
        else { return text }
        return date.map { part in
            switch part {
            case .year: numbers[0]
            case .month: numbers[1]
            case .day: numbers[2]
            case .literal(let literal): literal
            }
        }.joined() + text.dropFirst(10)
    }

    /// A decimal number, perhaps followed by a unit, with the person's decimal separator.
    package func decimal(_ text: String) -> String { text.replacing(".", with: decimalSeparator, maxReplacements: 1) }

    // MARK: Reading

    /// Replaces a date in the person's format at the start of the text, if there is one, with an ISO date.
    package func iso(dateAtStartOf text: String) -> String {
        let first = text.prefix { !$0.isWhitespace && $0 != "T" }
        guard let numbers = Self.numbers(String(first)), numbers.count == 3, numbers[0].count < 4 || date[0] == .year
        else { return text }
        let order = date.filter { [.year, .month, .day].contains($0) }
        let values = Dictionary(uniqueKeysWithValues: zip(order, numbers))
        guard let year = values[.year], let month = values[.month], let day = values[.day], year.count == 4,
            month.count <= 2, day.count <= 2
        else { return text }
        func two(_ digits: String) -> String { digits.count == 1 ? "0\(digits)" : digits }
        return "\(year)-\(two(month))-\(two(day))" + text.dropFirst(first.count)
    }

    /// A decimal number, perhaps followed by a unit, with a point instead of the person's decimal separator.
    package func point(inDecimal text: String) -> String {
        guard decimalSeparator != ".", !text.contains(".") else { return text }
        return text.replacing(decimalSeparator, with: ".", maxReplacements: 1)
    }

    /// True for yes, false for no, in English or in the person's language, in upper or lower case; `nil` if it is
    /// neither.
    package func isYes(_ text: some StringProtocol) -> Bool? {
        switch text.lowercased() {
        case "y", "yes", yes.lowercased(): true
        case "n", "no", no.lowercased(): false
        case _: nil
        }
    }

    // MARK: Formats

    private static func parts(of format: String) -> [Part]? {
        var parts: [Part] = []
        var rest = format.replacing("%F", with: "%Y-%m-%d").replacing("%D", with: "%m/%d/%Y")[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                parts.append(.literal(String(character)))
                continue
            }
            if rest.first == "-" || rest.first == "O" { rest.removeFirst() }
            switch rest.popFirst() {
            case "Y", "y": parts.append(.year)
            case "m": parts.append(.month)
            case "d", "e": parts.append(.day)
            case _: return nil
            }
        }
        return [.year, .month, .day].allSatisfy { part in parts.count { $0 == part } == 1 } ? parts : nil
    }

    /// The groups of digits in a text; `nil` if it contains anything but digits and what separates them in dates.
    private static func numbers(_ text: String) -> [String]? {
        guard text.allSatisfy({ ("0"..."9").contains($0) || "-./年月日".contains($0) }) else { return nil }
        return text.split { !("0"..."9").contains($0) }.map(String.init)
    }
}
