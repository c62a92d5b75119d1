import CGettext
package import GateModel

extension WritingHabits {
    /// The habits of the person at this program, learned at their first use: those of their locale if the device has it, else those
    /// of their language (L-04).
    package static let ofPerson: WritingHabits = {
        guard Localization.hasBegun else { return WritingHabits() }
        let dateFormat = texts_date_format().map { String(cString: $0) }
        let separator = texts_decimal_separator().map { String(cString: $0) }
        // How the language writes a date, as strftime has it, and one and a half.
        return WritingHabits(
            dateFormat: dateFormat.flatMap { isDateFormat($0) ? $0 : nil } ?? localized("%Y-%m-%d"),
            decimalSeparator: separator ?? String(localized("1.5").dropFirst().dropLast()), yes: localized("yes"),
            no: localized("no"))
    }()
}
