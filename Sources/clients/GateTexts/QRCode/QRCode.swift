/// A QR code (ISO/IEC 18004) of bytes, at error correction level M, in versions 1 to 10, to be scanned from the screen.
/// libqrencode is not used because Debian has it only as a shared library, and gatectl is one static file.
package struct QRCode: Hashable, Sendable {
    /// The number of modules on a side: 21 for version 1, and four more for each later version.
    package let size: Int
    /// The modules, row by row; `true` is dark.
    private var modules: [Bool]
    /// Whether a module is of a finder, timing, alignment, format or version: it holds no data, and is never masked.
    private var isFunction: [Bool]

    /// The most bytes that fit into version 10.
    package static let maximumBytes = 213

    /// Makes a code with the mask that is easiest to read; `nil` if there are more than `maximumBytes`.
    package init?(_ bytes: [UInt8]) {
        let masks = QRMask.allCases.compactMap { QRCode(bytes, mask: $0) }
        guard let best = masks.min(by: { $0.penalty < $1.penalty }) else { return nil }
        self = best
    }

    /// Makes a code with this mask; `nil` if there are more than `maximumBytes`.
    package init?(_ bytes: [UInt8], mask: QRMask) {
        guard let version = QRVersion.smallest(for: bytes.count) else { return nil }
        size = version.size
        modules = Array(repeating: false, count: size * size)
        isFunction = modules
        drawPatterns(of: version)
        drawFormat(mask)
        drawVersion(version)
        drawData(version.codewords(for: bytes), mask)
    }

    package subscript(column: Int, row: Int) -> Bool { modules[row * size + column] }

    private mutating func set(_ column: Int, _ row: Int, isDark: Bool) {
        modules[row * size + column] = isDark
        isFunction[row * size + column] = true
    }

    // MARK: What is the same in every code of a version

    private mutating func drawPatterns(of version: QRVersion) {
        for index in 0..<size {
            set(6, index, isDark: index.isMultiple(of: 2))
            set(index, 6, isDark: index.isMultiple(of: 2))
        }
        for (column, row) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(column, row) }
        let centres = version.alignmentCentres
        for column in centres {
            for row in centres where !isFinderCorner(column, row, last: centres.last ?? 0) {
                drawAlignment(column, row)
            }
        }
        // The standard's "dark module".
        set(8, size - 8, isDark: true)
    }

    private func isFinderCorner(_ column: Int, _ row: Int, last: Int) -> Bool {
        (column == 6 && row == 6) || (column == 6 && row == last) || (column == last && row == 6)
    }

    /// Rings from the centre outwards: two dark, one light, one dark, and the light margin.
    private mutating func drawFinder(_ column: Int, _ row: Int) {
        for down in -4...4 {
            for right in -4...4 {
                let (x, y) = (column + right, row + down)
                guard (0..<size).contains(x), (0..<size).contains(y) else { continue }
                let ring = max(abs(right), abs(down))
                set(x, y, isDark: ring != 2 && ring != 4)
            }
        }
    }

    private mutating func drawAlignment(_ column: Int, _ row: Int) {
        for down in -2...2 {
            for right in -2...2 {
                set(column + right, row + down, isDark: max(abs(right), abs(down)) != 1)
            }
        }
    }

    // MARK: What says how to read it

    /// The error correction level and the mask, protected by a BCH code, in two copies.
    private mutating func drawFormat(_ mask: QRMask) {
        // Level M is 00.
        let data = mask.rawValue
        var remainder = data
        for _ in 0..<10 { remainder = (remainder << 1) ^ ((remainder >> 9) * 0x537) }
        let bits = (data << 10 | remainder) ^ 0x5412
        func isSet(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
        for bit in 0...5 { set(8, bit, isDark: isSet(bit)) }
        set(8, 7, isDark: isSet(6))
        set(8, 8, isDark: isSet(7))
        set(7, 8, isDark: isSet(8))
        for bit in 9...14 { set(14 - bit, 8, isDark: isSet(bit)) }
        for bit in 0...7 { set(size - 1 - bit, 8, isDark: isSet(bit)) }
        for bit in 8...14 { set(8, size - 15 + bit, isDark: isSet(bit)) }
    }

    /// The version's number, in two copies; codes before version 7 don't contain it.
    private mutating func drawVersion(_ version: QRVersion) {
        guard version.number >= 7 else { return }
        var remainder = version.number
        for _ in 0..<12 { remainder = (remainder << 1) ^ ((remainder >> 11) * 0x1f25) }
        let bits = version.number << 12 | remainder
        for bit in 0..<18 {
            let (far, near) = (size - 11 + bit % 3, bit / 3)
            set(far, near, isDark: bits >> bit & 1 == 1)
            set(near, far, isDark: bits >> bit & 1 == 1)
        }
    }

    // MARK: What it says

    /// Draws in pairs of columns from the right, alternately upwards and downwards, around the function patterns.
    private mutating func drawData(_ codewords: [UInt8], _ mask: QRMask) {
        var bit = 0
        var isUpward = true
        for right in stride(from: size - 1, through: 1, by: -2) {
            // The vertical timing pattern in column 6 belongs to no pair.
            let pair = right <= 6 ? right - 1 : right
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in [pair, pair - 1] where !isFunction[row * size + column] {
                    let isOne = bit < codewords.count * 8 && codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
                    modules[row * size + column] = isOne != mask.inverts(column: column, row: row)
                    bit += 1
                }
            }
            isUpward.toggle()
        }
    }
}
