import GateTexts
import Testing

@testable import gatectl

/// Made once by another encoder (python-qrcode 8.2), each row a hexadecimal number; zbar reads them, and it read what this
/// encoder made of every version with every mask.
private enum Golden {
    static let word = (
        text: "Gate", mask: QRMask.diagonals,
        rows: [
            "#######.#.#.#.#######",
            "#.....#.#..#..#.....#",
            "#.###.#..#....#.###.#",
            "#.###.#.##....#.###.#",
            "#.###.#..##...#.###.#",
            "#.....#..#....#.....#",
            "#######.#.#.#.#######",
            "........###..........",
            "#.##.###.##...#..#.##",
            "...##....#..#..#..#.#",
            "##..###..##.#####..##",
            "#.#.##..##..##...#..#",
            ".#.#..##.#.#.#..##.#.",
            "........#....#.#....#",
            "#######.#.#..##.#....",
            "#.....#.#..####..##..",
            "#.###.#..#.#..#..####",
            "#.###.#.###..#..##.#.",
            "#.###.#.##.#.#..###..",
            "#.....#..####.#.##..#",
            "#######.#####..#.....",
        ]
    )
    static let link = (
        text: "otpauth://totp/Gate:tablet?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Gate", mask: QRMask.rows,
        rows: [
            "1fd660ce7f", "104fb54c41", "175fbb885d", "1745a5cc5d", "174bdd0e5d", "1056c40d41", "1fd555557f",
            "1815700", "1465031825", "160e436523", "4c222af01", "1903c706e8", "19e72a73e5", "7ad137e43", "7eb7a7f6f",
            "12be65649a", "13743f277a", "d8111d5ab", "1fa1a3b1d", "52a3563cb", "1e5ad91044", "1a125f73c2",
            "954b367b5", "16b6fa455b", "1a6fca3b51", "4918a5521", "1acea76a65", "516427719", "1addba17fc", "12533718",
            "1fd0aeb955", "1042b65319", "174a3e3bf1", "1746971f9c", "17511aa491", "104b314088", "1fda5b21dd",
        ]
    )
    /// Version 7, the first whose code contains its version.
    static let long = (
        text: "otpauth://totp/Gate:" + String(repeating: "a", count: 20) + "?secret="
            + String(repeating: "B", count: 60) + "&issuer=Gate",
        mask: QRMask.diamonds,
        rows: [
            "1fd19de6f17f", "105c167c3241", "1758327b6a5d", "17466c5b3b5d", "175c4fff4f5d", "104b511d8041",
            "1fd55555557f", "c11b7d00", "13fe3bff0197", "178a355fc7f6", "75eedd0de87", "a35e4d2f717", "1efac5c99658",
            "18b59197c357", "fcb163b63f0", "19bd63c5a55c", "f5974f03e0d", "1d33cc784f8c", "c510f5fdef9",
            "3bae184f0de", "13fc0ff1c9f6", "1d1b971ccd1c", "175e3d52195f", "3134510cb16", "bfb3ff593f3",
            "9048c54eba6", "13de9fcd611c", "a9c6936485d", "15570110b7d8", "e97537bed3c", "12f1efce9359",
            "16a8a25cc28e", "1650124d88b6", "1327b85cedf5", "150a9b6aafb", "f20dad94555", "134dbff5dbff",
            "1327166916", "1fd47f54ad54", "10521f165d1f", "175411fcb9f9", "175509eb5f1f", "174daf3bf995",
            "1048361de05f", "1fdbc47d01b0",
        ]
    )
}

extension QRCode {
    /// The rows with `#` for dark modules.
    fileprivate var rows: [String] {
        (0..<size).map { row in String((0..<size).map { self[$0, row] ? "#" : "." }) }
    }

    fileprivate var hexRows: [String] {
        rows.map { row in
            let bits = row.map { $0 == "#" ? "1" : "0" }.joined()
            return UInt64(bits, radix: 2).map { String($0, radix: 16) } ?? bits
        }
    }
}

@Suite("QR codes")
struct QRCodeTests {
    @Test("a short code equals that of another encoder")
    func word() throws {
        let code = try #require(QRCode(Array(Golden.word.text.utf8), mask: Golden.word.mask))
        #expect(code.rows == Golden.word.rows)
    }

    @Test("a code with interleaved blocks equals that of another encoder")
    func link() throws {
        let code = try #require(QRCode(Array(Golden.link.text.utf8), mask: Golden.link.mask))
        #expect(code.hexRows == Golden.link.rows)
    }

    @Test("a code that contains its version equals that of another encoder")
    func long() throws {
        let code = try #require(QRCode(Array(Golden.long.text.utf8), mask: Golden.long.mask))
        #expect(code.hexRows == Golden.long.rows)
    }

    @Test("each version starts where the one before is full, and longer texts give no code")
    func versions() throws {
        let full = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213]
        for (index, count) in full.enumerated() {
            let size = 21 + 4 * index
            #expect(QRCode(Array(repeating: 65, count: count), mask: .rows)?.size == size)
            #expect(QRCode(Array(repeating: 65, count: count + 1), mask: .rows)?.size == (index < 9 ? size + 4 : nil))
        }
        #expect(QRCode.maximumBytes == full.last)
    }

    @Test("the mask with the least penalty is chosen")
    func mask() throws {
        let bytes = Array(Golden.link.text.utf8)
        let penalties = QRMask.allCases.compactMap { QRCode(bytes, mask: $0)?.penalty }
        let best = try #require(QRCode(bytes))
        #expect(penalties.count == 8)
        #expect(best.penalty == penalties.min())
        #expect(Set(penalties).count > 1)
    }

    @Test("on a terminal each character is two modules, dark on light whatever its colours, with a margin")
    func halfBlocks() throws {
        let code = try #require(QRCode(Array("Gate".utf8), mask: .diagonals))
        let drawing = QRDrawing(code: code, ink: .halfBlocks)
        #expect(drawing.columns == 25)
        #expect(drawing.lines.count == 13)
        #expect(drawing.lines[0] == "\u{1b}[30;107m" + String(repeating: " ", count: 25) + "\u{1b}[0m")
        #expect(drawing.lines[1].hasPrefix("\u{1b}[30;107m  █▀▀▀▀▀█ "))
        // The last row has no partner, so that the half below it is light.
        #expect(drawing.lines[12].contains("█") == false)
    }

    @Test("without block elements a module is two spaces, and without colours two characters")
    func others() throws {
        let code = try #require(QRCode(Array("Gate".utf8), mask: .diagonals))
        let coloured = QRDrawing(code: code, ink: .colouredSpaces)
        #expect(coloured.columns == 50)
        #expect(coloured.lines.count == 25)
        #expect(coloured.lines[2].hasPrefix("\u{1b}[107m  \u{1b}[107m  \u{1b}[40m  "))
        let plain = QRDrawing(code: code, ink: .plain)
        #expect(plain.lines[2].hasPrefix("    ##############  "))
    }
}
