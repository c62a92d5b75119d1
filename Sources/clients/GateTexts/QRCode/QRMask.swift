/// The patterns that data is inverted by, so that it has no large areas of one colour, and nothing that looks like the
/// squares in the code's corners.
package enum QRMask: Int, CaseIterable, Sendable {
    case checkerboard
    case rows
    case columns
    case diagonals
    case bricks
    case crosses
    case diamonds
    case meadow

    func inverts(column: Int, row: Int) -> Bool {
        switch self {
        case .checkerboard: (row + column).isMultiple(of: 2)
        case .rows: row.isMultiple(of: 2)
        case .columns: column.isMultiple(of: 3)
        case .diagonals: (row + column).isMultiple(of: 3)
        case .bricks: (row / 2 + column / 3).isMultiple(of: 2)
        case .crosses: row * column % 2 + row * column % 3 == 0
        case .diamonds: (row * column % 2 + row * column % 3).isMultiple(of: 2)
        case .meadow: ((row + column) % 2 + row * column % 3).isMultiple(of: 2)
        }
    }
}

extension QRCode {
    /// How hard the code is to read, by the standard's four rules. The mask with the lowest penalty is chosen.
    package var penalty: Int {
        let rows = (0..<size).map { row in (0..<size).map { self[$0, row] } }
        let columns = (0..<size).map { column in (0..<size).map { self[column, $0] } }
        let lines = rows + columns
        return lines.reduce(0) { $0 + Self.runPenalty($1) + Self.finderPenalty($1) } + blockPenalty + balancePenalty
    }

    /// The penalty for five or more modules of one colour in a line.
    private static func runPenalty(_ line: [Bool]) -> Int {
        var (penalty, length) = (0, 1)
        for index in line.indices.dropFirst() {
            length = line[index] == line[index - 1] ? length + 1 : 1
            if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
        }
        return penalty
    }

    /// The penalty for what looks like a finder: dark and light in the ratio 1:1:3:1:1, with four light modules on one
    /// side. Everything outside the code is light.
    private static func finderPenalty(_ line: [Bool]) -> Int {
        let finder = [true, false, true, true, true, false, true]
        let light = Array(repeating: false, count: 4)
        let wide = light + line + light
        return wide.indices.dropLast(10).reduce(0) { penalty, start in
            let part = wide[start..<start + 11]
            let matches = [finder + light, light + finder].count { part.elementsEqual($0) }
            return penalty + 40 * matches
        }
    }

    /// The penalty for squares of two by two modules of one colour.
    private var blockPenalty: Int {
        var penalty = 0
        for row in 1..<size {
            for column in 1..<size {
                let others = [self[column - 1, row], self[column, row - 1], self[column - 1, row - 1]]
                if others.allSatisfy({ $0 == self[column, row] }) { penalty += 3 }
            }
        }
        return penalty
    }

    /// The penalty for an imbalance: 10 for each 5 % that the share of dark modules differs from half.
    private var balancePenalty: Int {
        var dark = 0
        for row in 0..<size {
            for column in 0..<size where self[column, row] { dark += 1 }
        }
        let total = size * size
        return abs(dark * 20 - total * 10) / total * 10
    }
}
