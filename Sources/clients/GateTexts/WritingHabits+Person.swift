import CGettext
package import GateModel

extension WritingHabits {
    /// How the person at this program writes dates and numbers, determined at the first use: as their locale does if
    /// the device has it, else as their language does.
    package static let ofPerson: WritingHabits = {
        guard Localization.hasBegun else { return WritingHabits() }
        let dateFormat = texts_date_format().map { String(cString: $0) }
        let separator = texts_decimal_separator().map { String(cString: $0) }
        // Translators give the language's date format, as for strftime, and how it writes 1.5.
        return WritingHabits(
            dateFormat: dateFormat.flatMap { isDateFormat($0) ? $0 : nil } ?? localized("%Y-%m-%d"),
            decimalSeparator: separator ?? String(localized("1.5").dropFirst().dropLast()), yes: localized("yes"),
            no: localized("no"))
    }()
}
