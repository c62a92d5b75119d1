package import GateModel

/// One value of an expression, with its type.
package enum ExpressionValue: Sendable {
    /// A yes or no.
    case boolean(Bool)
    /// A text.
    case string(String)
    /// A whole number of 32 bits.
    case integer(Int32)
    /// A decimal number.
    case decimal(ExactDecimal)
    /// A date, as exact as it is known.
    case date(FormDate)
    /// A moment, as exact as it is known.
    case dateTime(CalendarMoment)
    /// A time of day, as exact as it is known.
    case time(ClockTime)
    /// A number with a unit.
    case quantity(ExpressionQuantity)
}

extension ExpressionValue {
    /// The name of its type in FHIRPath.
    package var typeName: String {
        switch self {
        case .boolean: "Boolean"
        case .string: "String"
        case .integer: "Integer"
        case .decimal: "Decimal"
        case .date: "Date"
        case .dateTime: "DateTime"
        case .time: "Time"
        case .quantity: "Quantity"
        }
    }

    /// As `toString()` writes it.
    package var text: String {
        switch self {
        case .boolean(let isTrue): isTrue ? "true" : "false"
        case .string(let text): text
        case .integer(let number): String(number)
        case .decimal(let number): number.text
        case .date(let date): date.text
        case .dateTime(let moment): moment.text
        case .time(let time): time.text
        case .quantity(let quantity): quantity.text
        }
    }

    /// The number that a whole or a decimal number is.
    var number: ExactDecimal? {
        switch self {
        case .integer(let number): ExactDecimal(Int(number))
        case .decimal(let number): number
        case .boolean, .string, .date, .dateTime, .time, .quantity: nil
        }
    }

    /// A quantity; of a number the one with the unit '1', which stands for none.
    var quantity: ExpressionQuantity? {
        switch self {
        case .quantity(let quantity): quantity
        case .integer, .decimal: number.map { ExpressionQuantity($0, .ucum("1")) }
        case .boolean, .string, .date, .dateTime, .time: nil
        }
    }

    /// A moment; of a date the one that is known to the day at most.
    var moment: CalendarMoment? {
        switch self {
        case .dateTime(let moment): moment
        case .date(let date): CalendarMoment(date)
        case .boolean, .string, .integer, .decimal, .time, .quantity: nil
        }
    }
}
