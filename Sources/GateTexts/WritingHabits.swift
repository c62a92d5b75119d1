import CGettext

/// How a person writes dates and numbers (L-04): as their locale does where the device has it, else as their language does. ISO's own
/// writing is always read too.
package struct WritingHabits: Hashable, Sendable {
    private enum Part: Hashable {
        case year
        case month
        case day
        case literal(String)
    }

    private let date: [Part]
    /// The separator between whole and tenths.
    package let decimalSeparator: String

    /// - Parameters:
    ///   - dateFormat: as strftime has it: `%d.%m.%Y`. One that says more than year, month and day is passed over.
    ///   - decimalSeparator: empty: a point.
    package init(dateFormat: String, decimalSeparator: String) {
        date = Self.parts(of: dateFormat) ?? Self.iso
        self.decimalSeparator = decimalSeparator.isEmpty ? "." : decimalSeparator
    }

    /// The habits of the person at this program, learned at their first use.
    package static let ofPerson: WritingHabits = {
        guard Localization.hasBegun else { return WritingHabits(dateFormat: "%Y-%m-%d", decimalSeparator: ".") }
        let dateFormat = texts_date_format().map { String(cString: $0) }
        let separator = texts_decimal_separator().map { String(cString: $0) }
        // How the language writes a date, as strftime has it, and one and a half.
        return WritingHabits(
            dateFormat: dateFormat.flatMap { parts(of: $0) == nil ? nil : $0 } ?? localized("%Y-%m-%d"),
            decimalSeparator: separator ?? String(localized("1.5").dropFirst().dropLast()))
    }()

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
