/// How a person writes dates, numbers, yes and no. What ISO 8601 and English write is always understood too, so that the same
/// command works everywhere.
///
/// A client knows the habits of the person in front of it (`WritingHabits.ofPerson` in GateTexts), and tells them to the daemon with
/// answers as they were typed.
package struct WritingHabits: Hashable, Sendable {
    private enum Part: Hashable {
        case year
        case month
        case day
        case literal(String)
    }

    /// As `strftime(3)` has it: `%d.%m.%Y`.
    package let dateFormat: String
    private let date: [Part]
    /// The separator between whole and tenths.
    package let decimalSeparator: String
    /// The word for yes, beside the English one.
    package let yes: String
    /// The word for no, beside the English one.
    package let no: String

    /// - Parameters:
    ///   - dateFormat: one that is empty, or says more than year, month and day, gives way to ISO's.
    ///   - decimalSeparator: empty: a point.
    package init(dateFormat: String = "", decimalSeparator: String = "", yes: String = "yes", no: String = "no") {
        let parts = Self.parts(of: dateFormat)
        self.dateFormat = parts == nil ? "%Y-%m-%d" : dateFormat
        date = parts ?? Self.iso
        self.decimalSeparator = decimalSeparator.isEmpty ? "." : decimalSeparator
        self.yes = yes
        self.no = no
    }

    /// Whether a date can be written by this format: it says year, month and day, and nothing else.
    package static func isDateFormat(_ format: String) -> Bool { parts(of: format) != nil }

    /// A number of a date.
    package enum DatePart: Hashable, Sendable {
        case year
        case month
        case day
    }

    /// The numbers of a date, in the order in which they are written.
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

    /// The text with the date at its beginning as the person writes it; as it is where it begins with none.
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

    /// A decimal number, which may have a unit behind it, as the person writes it.
    package func decimal(_ text: String) -> String { text.replacing(".", with: decimalSeparator, maxReplacements: 1) }

    // MARK: Reading

    /// The text with the date at its beginning as ISO writes it; as it is where it begins with none.
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

    /// A decimal number, which may have a unit behind it, with a point.
    package func point(inDecimal text: String) -> String {
        guard decimalSeparator != ".", !text.contains(".") else { return text }
        return text.replacing(decimalSeparator, with: ".", maxReplacements: 1)
    }

    /// Yes or no, in English or as the person says it; `nil`: neither.
    package func isYes(_ text: some StringProtocol) -> Bool? {
        switch text.lowercased() {
        case "y", "yes", yes: true
        case "n", "no", no: false
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

    /// The groups of digits in a text that has nothing else but what stands between them in dates; `nil` where there is more.
    private static func numbers(_ text: String) -> [String]? {
        guard text.allSatisfy({ ("0"..."9").contains($0) || "-./年月日".contains($0) }) else { return nil }
        return text.split { !("0"..."9").contains($0) }.map(String.init)
    }
}
