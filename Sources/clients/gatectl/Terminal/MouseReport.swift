/// A terminal's report of what the mouse did.
struct MouseReport: Hashable {
    private let button: Int
    private let column: Int
    private let row: Int
    private let isRelease: Bool

    /// No screen has more rows or columns.
    private static let maximumPlace = 9999

    /// Reads the text between `ESC [ <` and `M` or `m`: `0;12;3`. Columns and rows begin at 1.
    init?(_ bytes: [UInt8], isRelease: Bool) {
        let fields = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let numbers = fields.compactMap { field in
            (1...4).contains(field.count) ? Int(String(decoding: field, as: UTF8.self)) : nil
        }
        guard fields.count == 3, numbers.count == 3 else { return nil }
        self.init(button: numbers[0], column: numbers[1], row: numbers[2], isRelease: isRelease)
    }

    /// Reads the three bytes after `ESC [ M`, which older terminals send. Each byte is 32 more than its value.
    init?(short bytes: [UInt8]) {
        guard bytes.count == 3, bytes.allSatisfy({ $0 >= 32 }) else { return nil }
        let numbers = bytes.map { Int($0) - 32 }
        // This report does not say which button was released.
        self.init(
            button: numbers[0] == 3 ? 0 : numbers[0], column: numbers[1], row: numbers[2],
            isRelease: numbers[0] == 3)
    }

    private init?(button: Int, column: Int, row: Int, isRelease: Bool) {
        guard (1...Self.maximumPlace).contains(column), (1...Self.maximumPlace).contains(row) else { return nil }
        self.button = button
        self.column = column
        self.row = row
        self.isRelease = isRelease
    }

    /// A press or release of the first button without Shift and the like, or a turn of the wheel; otherwise `nil`.
    var key: Key? {
        switch (button, isRelease) {
        case (0, false): .press(column: column - 1, row: row - 1)
        case (0, true): .release
        case (64, false): .up
        case (65, false): .down
        case _: nil
        }
    }
}
