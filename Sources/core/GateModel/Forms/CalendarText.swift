/// Reads the numbers of a fixed number of digits that dates and times are written with.
struct CalendarTextReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { place == bytes.count }

    /// Whether it stood there.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard place < bytes.count, UInt32(bytes[place]) == character.value else { return false }
        place += 1
        return true
    }

    /// Exactly so many digits, and a number in this range.
    mutating func number(digitCount: Int, in range: ClosedRange<Int>) -> Int? {
        guard bytes.count - place >= digitCount else { return nil }
        let digits = bytes[place..<place + digitCount]
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard range.contains(number) else { return nil }
        place += digitCount
        return number
    }

    /// As many digits as there are.
    mutating func digits() -> ArraySlice<UInt8> {
        let start = place
        while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
        return bytes[start..<place]
    }
}
