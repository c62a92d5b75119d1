/// A terminal, as far as gatectl draws on one: rows and columns, the cursor's address, what is cleared, and what happens at the
/// right edge. How wide it draws a character is the test's to say: real ones disagree.
struct EmulatedTerminal {
    /// The width that a terminal may give to characters outside ASCII.
    enum Drawing: CaseIterable {
        /// Everything takes two columns, marks and joiners one.
        case wide
        /// Everything takes one column, marks and joiners too.
        case narrow
        /// Letters one, pictures two, and what Unicode calls zero-width none, as most have it.
        case modern
    }

    let columns: Int
    let drawing: Drawing
    private(set) var cells: [[String]]
    private var row = 0
    private var column = 0
    private(set) var wraps = true

    init(columns: Int, rows: Int, drawing: Drawing) {
        self.columns = columns
        self.drawing = drawing
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// The rows without spaces at their end.
    var lines: [String] {
        cells.map { cells in
            let text = cells.joined()
            return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
        }
    }

    mutating func feed(_ text: String) {
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1b}":
                // gatectl sends control sequences of this form only.
                guard rest.popFirst() == "[" else { return put("!", 1) }
                let parameters = String(Substring(rest.prefix { $0.value < 0x40 }))
                rest = rest.dropFirst(parameters.unicodeScalars.count)
                if let command = rest.popFirst() { obey(command, parameters) }
            case "\r": column = 0
            case "\n": lineFeed()
            case _: put(scalar, width(of: scalar))
            }
        }
    }

    private mutating func obey(_ command: Unicode.Scalar, _ parameters: String) {
        let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
        switch command {
        case "H":
            row = min(max(1, numbers.first ?? 1), cells.count) - 1
            column = min(max(1, numbers.count > 1 ? numbers[1] : 1), columns) - 1
        case "J":
            clear(row, from: parameters == "2" ? 0 : column)
            for index in cells.indices where index > row || parameters == "2" { clear(index, from: 0) }
        case "K": clear(row, from: parameters == "2" ? 0 : column)
        case "h" where parameters == "?7": wraps = true
        case "l" where parameters == "?7": wraps = false
        case _: break
        }
    }

    private mutating func clear(_ row: Int, from column: Int) {
        for index in min(column, columns)..<columns { cells[row][index] = " " }
    }

    private mutating func put(_ scalar: Unicode.Scalar, _ width: Int) {
        guard width > 0 else {
            cells[row][max(0, column - 1)].unicodeScalars.append(scalar)
            return
        }
        if column + width > columns {
            if wraps {
                column = 0
                lineFeed()
            } else {
                column = columns - width
            }
        }
        cells[row][column] = String(scalar)
        if width == 2 { cells[row][column + 1] = "" }
        column += width
    }

    private mutating func lineFeed() {
        guard row == cells.count - 1 else {
            row += 1
            return
        }
        cells.removeFirst()
        cells.append(Array(repeating: " ", count: columns))
    }

    private func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        // These characters take no column of their own, if a terminal draws them at all.
        if (0x2066...0x2069).contains(scalar.value) { return 0 }
        let category = scalar.properties.generalCategory
        let isZeroWidth = [.nonspacingMark, .enclosingMark, .format].contains(category)
        switch drawing {
        case .wide: return isZeroWidth ? 1 : 2
        case .narrow: return 1
        case .modern: return isZeroWidth ? 0 : scalar.properties.isEmoji ? 2 : 1
        }
    }
}
