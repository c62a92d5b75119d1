/// Reads dates and times, whose numbers have a fixed number of digits, from left to right.
struct CalendarTextReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { place == bytes.count }

    /// Skips the character if it comes next, and returns whether it did.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard place < bytes.count, UInt32(bytes[place]) == character.value else { return false }
        place += 1
        return true
    }

    /// Reads exactly this many digits. `nil`, with nothing read, if they don't follow, or are outside the range.
    mutating func number(digitCount: Int, in range: ClosedRange<Int>) -> Int? {
        guard bytes.count - place >= digitCount else { return nil }
        let digits = bytes[place..<place + digitCount]
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard range.contains(number) else { return nil }
        place += digitCount
        return number
    }

    /// Reads as many digits as follow, perhaps none.
    mutating func digits() -> ArraySlice<UInt8> {
        let start = place
        while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
        return bytes[start..<place]
    }
}
