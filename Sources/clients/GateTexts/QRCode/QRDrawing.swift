/// A QR code, drawn as lines of text for a terminal.
package struct QRDrawing {
    package enum Ink: Hashable {
        /// A character shows two modules, in explicit colours: dark on light, whatever the terminal's own are.
        case halfBlocks
        /// A module is two coloured spaces, for a locale without block characters.
        case colouredSpaces
        /// A module is two characters, `##` or two spaces, for output without colours.
        case plain
    }

    package let code: QRCode
    package let ink: Ink
    /// The number of light modules around the code. The standard asks for four, but two are enough for a camera.
    package var margin = 2

    package init(code: QRCode, ink: Ink) {
        (self.code, self.ink) = (code, ink)
    }

    /// The width, in characters.
    package var columns: Int { side * (ink == .halfBlocks ? 1 : 2) }

    package var lines: [String] {
        switch ink {
        case .halfBlocks:
            stride(from: 0, to: side, by: 2).map { row in
                let blocks = (0..<side).map { Self.halfBlock(top: isDark($0, row), bottom: isDark($0, row + 1)) }
                return "\u{1b}[30;107m" + String(blocks) + "\u{1b}[0m"
            }
        case .colouredSpaces:
            (0..<side).map { row in
                (0..<side).map { isDark($0, row) ? "\u{1b}[40m  " : "\u{1b}[107m  " }.joined() + "\u{1b}[0m"
            }
        case .plain:
            (0..<side).map { row in (0..<side).map { isDark($0, row) ? "##" : "  " }.joined() }
        }
    }

    private var side: Int { code.size + 2 * margin }

    /// Modules outside the code are light.
    private func isDark(_ column: Int, _ row: Int) -> Bool {
        let (x, y) = (column - margin, row - margin)
        return (0..<code.size).contains(x) && (0..<code.size).contains(y) && code[x, y]
    }

    private static func halfBlock(top: Bool, bottom: Bool) -> Character {
        switch (top, bottom) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
