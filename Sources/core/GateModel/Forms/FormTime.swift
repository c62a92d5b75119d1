/// A time of the day.
public struct FormTime: Hashable, Sendable {
    /// hh:mm:ss, with or without a fraction of the second.
    public let text: String

    /// The most bytes of `text`.
    package static let maximumByteCount = 32

    /// `nil`: not a time as FHIR writes it: hh:mm:ss, with or without a fraction. 24:00:00 is none; there is a second 60.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        var reader = CalendarTextReader(text)
        guard Parts(reading: &reader) != nil, reader.isAtEnd else { return nil }
        self.text = text
    }

    /// Below zero: `left` is earlier. Above: it is later. 0: they are the same, however many digits the seconds have.
    package static func compare(_ left: FormTime, _ right: FormTime) -> Int? {
        guard let left = left.parts, let right = right.parts else { return nil }
        return left < right ? -1 : right < left ? 1 : 0
    }

    var parts: Parts? {
        var reader = CalendarTextReader(text)
        return Parts(reading: &reader)
    }

    /// A time taken apart.
    struct Parts: Comparable {
        /// Since midnight.
        var seconds: Int
        /// Behind the point, without the zeros at its end. As ASCII.
        var fraction: ArraySlice<UInt8>

        init?(reading reader: inout CalendarTextReader) {
            guard let hour = reader.number(digitCount: 2, in: 0...23), reader.skip(":"),
                let minute = reader.number(digitCount: 2, in: 0...59), reader.skip(":"),
                let second = reader.number(digitCount: 2, in: 0...60)
            else { return nil }
            seconds = (hour * 60 + minute) * 60 + second
            fraction = []
            guard reader.skip(".") else { return }
            let digits = reader.digits()
            guard !digits.isEmpty else { return nil }
            fraction = digits.dropLast(digits.reversed().prefix { $0 == UInt8(ascii: "0") }.count)
        }

        static func == (left: Parts, right: Parts) -> Bool {
            left.seconds == right.seconds && left.fraction.elementsEqual(right.fraction)
        }

        static func < (left: Parts, right: Parts) -> Bool {
            left.seconds != right.seconds
                ? left.seconds < right.seconds : left.fraction.lexicographicallyPrecedes(right.fraction)
        }
    }
}

extension FormTime: CustomStringConvertible {
    public var description: String { text }
}
