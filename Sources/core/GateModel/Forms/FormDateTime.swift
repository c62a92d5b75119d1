/// A moment as exactly as it is known: a date, perhaps without day or month, or a date with a time and a time zone.
public struct FormDateTime: Hashable, Sendable {
    /// The moment as FHIR writes it, like "2024-05-17T10:30:00+02:00", "2024-05-17", "2024-05" or "2024".
    public let text: String

    package static let maximumByteCount = 64

    /// `nil` if the text is not a dateTime as FHIR writes it. A time has to have seconds and a time zone.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount, Parts(text) != nil else { return nil }
        self.text = text
    }

    /// Writes the moment in UTC, to the millisecond. `nil` before year 1 and after year 9999.
    public init?(_ moment: WallTime) {
        guard let date = FormDate(CivilDate(moment)) else { return nil }
        text = "\(date.text)T\(moment.utcTimeOfDay)Z"
    }

    /// A moment of which only the date is known.
    public init(_ date: FormDate) {
        text = date.text
    }

    /// The date as it is written, in the moment's own time zone.
    public var date: FormDate? { parts?.date }

    /// Whether the time is known, not only the date.
    public var hasTime: Bool { text.utf8.contains(UInt8(ascii: "T")) }

    /// Negative if `left` is earlier, positive if it is later, 0 if both are the same. `nil` if one of them is not
    /// exact enough to tell. Two moments with a time are compared across time zones. One without a time is taken to be
    /// in the time zone of the other.
    package static func compare(_ left: FormDateTime, _ right: FormDateTime) -> Int? {
        guard let left = left.parts, let right = right.parts else { return nil }
        switch (left.moment, right.moment) {
        case (.some(let ours), .some(let theirs)): return ours < theirs ? -1 : theirs < ours ? 1 : 0
        case (nil, nil): return FormDate.compare(left.date, right.date)
        case (.some, nil), (nil, .some):
            // The same day does not mean the same moment, since one of them has a time.
            let order = FormDate.compare(left.date, right.date)
            return order == 0 ? nil : order
        }
    }

    var parts: Parts? { Parts(text) }

    struct Parts {
        var date: FormDate
        var time: FormTime.Parts?
        /// Minutes east of UTC.
        var offsetMinutes = 0

        init?(_ text: String) {
            var reader = CalendarTextReader(text)
            guard let date = FormDate(reading: &reader) else { return nil }
            self.date = date
            if reader.skip("T") {
                guard date.day != nil, let time = FormTime.Parts(reading: &reader) else { return nil }
                self.time = time
                guard let offsetMinutes = Self.offset(reading: &reader) else { return nil }
                self.offsetMinutes = offsetMinutes
            }
            guard reader.isAtEnd else { return nil }
        }

        /// Reads a time zone: at most 14 hours away from UTC.
        private static func offset(reading reader: inout CalendarTextReader) -> Int? {
            if reader.skip("Z") { return 0 }
            let isWest = reader.skip("-")
            guard isWest || reader.skip("+"), let hours = reader.number(digitCount: 2, in: 0...14),
                reader.skip(":"), let minutes = reader.number(digitCount: 2, in: 0...(hours == 14 ? 0 : 59))
            else { return nil }
            return (hours * 60 + minutes) * (isWest ? -1 : 1)
        }

        /// `nil` if the time is not known.
        var moment: Moment? {
            guard let time, let day = date.civilDate else { return nil }
            let seconds = day.daysSince1970 * 86_400 + Int64(time.seconds - offsetMinutes * 60)
            return Moment(seconds: seconds, fraction: time.fraction)
        }
    }

    struct Moment: Comparable {
        /// Seconds since 1970-01-01T00:00:00Z.
        var seconds: Int64
        /// The digits after the decimal point, as ASCII, without zeros at the end.
        var fraction: ArraySlice<UInt8>

        static func == (left: Moment, right: Moment) -> Bool {
            left.seconds == right.seconds && left.fraction.elementsEqual(right.fraction)
        }

        static func < (left: Moment, right: Moment) -> Bool {
            left.seconds != right.seconds
                ? left.seconds < right.seconds : left.fraction.lexicographicallyPrecedes(right.fraction)
        }
    }
}

extension FormDateTime: CustomStringConvertible {
    public var description: String { text }
}
