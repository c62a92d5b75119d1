/// A time of day.
public struct FormTime: Hashable, Sendable {
    /// The time as hh:mm:ss, perhaps with a fraction of the second.
    public let text: String

    package static let maximumByteCount = 32

    /// `nil` if the text is not hh:mm:ss, perhaps with a fraction. 24:00:00 is not allowed; second 60 is.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        var reader = CalendarTextReader(text)
        guard Parts(reading: &reader) != nil, reader.isAtEnd else { return nil }
        self.text = text
    }

    /// Negative if `left` is earlier, positive if it is later, 0 if both are the same: 10:30:00 is 10:30:00.0.
    package static func compare(_ left: FormTime, _ right: FormTime) -> Int? {
        guard let left = left.parts, let right = right.parts else { return nil }
        return left < right ? -1 : right < left ? 1 : 0
    }

    var parts: Parts? {
        var reader = CalendarTextReader(text)
        return Parts(reading: &reader)
    }

    struct Parts: Comparable {
        /// Seconds since midnight.
        var seconds: Int
        /// The digits after the decimal point, as ASCII, without zeros at the end.
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
