package import GateModel

/// A value of one of FHIRPath's types.
package enum ExpressionValue: Sendable {
    case boolean(Bool)
    case string(String)
    case integer(Int32)
    case decimal(ExactDecimal)
    case date(FormDate)
    case dateTime(CalendarMoment)
    case time(ClockTime)
    case quantity(ExpressionQuantity)
}

extension ExpressionValue {
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

    /// `nil` if it is not an Integer or Decimal.
    var number: ExactDecimal? {
        switch self {
        case .integer(let number): ExactDecimal(Int(number))
        case .decimal(let number): number
        case .boolean, .string, .date, .dateTime, .time, .quantity: nil
        }
    }

    /// A number counts as a quantity with the unit '1'. `nil` for other types.
    var quantity: ExpressionQuantity? {
        switch self {
        case .quantity(let quantity): quantity
        case .integer, .decimal: number.map { ExpressionQuantity($0, .ucum("1")) }
        case .boolean, .string, .date, .dateTime, .time: nil
        }
    }

    /// A date counts as a moment without a time. `nil` for other types.
    var moment: CalendarMoment? {
        switch self {
        case .dateTime(let moment): moment
        case .date(let date): CalendarMoment(date)
        case .boolean, .string, .integer, .decimal, .time, .quantity: nil
        }
    }
}
