/// A version of QR codes, which means a size, and how it divides data into blocks at level M.
struct QRVersion: Hashable, Sendable {
    let number: Int
    /// The number of data codewords in each block, shorter blocks first.
    private let blocks: [Int]
    private let correctionCodewordsPerBlock: Int
    /// The coordinates of the centres of the alignment patterns; the same for columns and rows.
    let alignmentCentres: [Int]

    var size: Int { 17 + 4 * number }

    private init(_ number: Int, _ blocks: [Int], _ correctionCodewordsPerBlock: Int, _ alignmentCentres: [Int]) {
        self.number = number
        self.blocks = blocks
        self.correctionCodewordsPerBlock = correctionCodewordsPerBlock
        self.alignmentCentres = alignmentCentres
    }

    private static let all = [
        QRVersion(1, [16], 10, []),
        QRVersion(2, [28], 16, [6, 18]),
        QRVersion(3, [44], 26, [6, 22]),
        QRVersion(4, [32, 32], 18, [6, 26]),
        QRVersion(5, [43, 43], 24, [6, 30]),
        QRVersion(6, [27, 27, 27, 27], 16, [6, 34]),
        QRVersion(7, [31, 31, 31, 31], 18, [6, 22, 38]),
        QRVersion(8, [38, 38, 39, 39], 22, [6, 24, 42]),
        QRVersion(9, [36, 36, 36, 37, 37], 22, [6, 26, 46]),
        QRVersion(10, [43, 43, 43, 43, 44], 26, [6, 28, 50]),
    ]

    /// The smallest version that has room for these bytes; `nil` if none has.
    static func smallest(for byteCount: Int) -> QRVersion? {
        all.first { byteCount <= $0.maximumBytes }
    }

    /// The header of mode and length takes 12 bits up to version 9, and 20 from version 10.
    private var maximumBytes: Int { dataCodewordCount - (number < 10 ? 2 : 3) }

    private var dataCodewordCount: Int { blocks.reduce(0, +) }

    /// The data and error correction codewords, in the order of drawing. The bytes must fit into this version.
    func codewords(for bytes: [UInt8]) -> [UInt8] {
        var rest = dataCodewords(for: bytes)[...]
        let data = blocks.map { length in
            defer { rest = rest.dropFirst(length) }
            return Array(rest.prefix(length))
        }
        let corrections = data.map { ReedSolomon.remainder(of: $0, count: correctionCodewordsPerBlock) }
        return Self.interleaved(data) + Self.interleaved(corrections)
    }

    /// The data codewords: byte mode (0100), the length, the bytes, four zero bits, and two padding bytes in turn.
    private func dataCodewords(for bytes: [UInt8]) -> [UInt8] {
        let length = [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)]
        let header = number < 10 ? length.suffix(1) : length[...]
        var nibbles: [UInt8] = [0b0100]
        for byte in header + bytes { nibbles += [byte >> 4, byte & 0xf] }
        // The header, the bytes and these four bits always make whole bytes.
        nibbles.append(0)
        var codewords = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
        for index in 0..<max(0, dataCodewordCount - codewords.count) {
            codewords.append(index.isMultiple(of: 2) ? 0xec : 0x11)
        }
        return codewords
    }

    /// The first element of each block, then the second of each, and so on.
    private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
        let longest = blocks.map(\.count).max() ?? 0
        return (0..<longest).flatMap { index in blocks.compactMap { $0.indices.contains(index) ? $0[index] : nil } }
    }
}

/// Reed-Solomon error correction over GF(2⁸) modulo x⁸ + x⁴ + x³ + x² + 1.
enum ReedSolomon {
    static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        let divisor = generator(degree: count)
        var remainder = Array(repeating: UInt8(0), count: count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in remainder.indices { remainder[index] ^= product(divisor[index], factor) }
        }
        return remainder
    }

    /// (x − 1)(x − 2)(x − 4) …, without the leading coefficient, which is 1.
    private static func generator(degree: Int) -> [UInt8] {
        var polynomial = Array(repeating: UInt8(0), count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in polynomial.indices {
                polynomial[index] = product(polynomial[index], root)
                if index + 1 < polynomial.count { polynomial[index] ^= polynomial[index + 1] }
            }
            root = product(root, 2)
        }
        return polynomial
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result = 0
        for bit in stride(from: 7, through: 0, by: -1) {
            result = (result << 1) ^ ((result >> 7) * 0x11d)
            result ^= Int(right >> bit & 1) * Int(left)
        }
        return UInt8(truncatingIfNeeded: result)
    }
}
