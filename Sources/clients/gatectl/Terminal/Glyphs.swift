/// Digits and operators that can be read from across a room. Operators are even larger.
enum Glyphs {
    /// The rows of every glyph. Digits fill five of them, between two empty ones.
    static let rowCount = 7

    /// The rows of one character; `nil` if it has no glyph.
    static func rows(of character: Character) -> [String]? {
        if let rows = operators[character] { return rows }
        guard let rows = digits[character] else { return nil }
        let empty = String(repeating: " ", count: 5)
        return [empty] + rows + [empty]
    }

    private static let digits: [Character: [String]] = [
        "0": [" ### ", "#   #", "#   #", "#   #", " ### "],
        "1": ["  #  ", " ##  ", "  #  ", "  #  ", " ### "],
        "2": ["#### ", "    #", " ### ", "#    ", "#####"],
        "3": ["#### ", "    #", " ### ", "    #", "#### "],
        "4": ["#   #", "#   #", "#####", "    #", "    #"],
        "5": ["#####", "#    ", "#### ", "    #", "#### "],
        "6": [" ### ", "#    ", "#### ", "#   #", " ### "],
        "7": ["#####", "    #", "   # ", "  #  ", "  #  "],
        "8": [" ### ", "#   #", " ### ", "#   #", " ### "],
        "9": [" ### ", "#   #", " ####", "    #", " ### "],
        "=": ["     ", "#####", "     ", "#####", "     "],
        "?": [" ### ", "#   #", "  ## ", "     ", "  #  "],
    ]

    private static let operators: [Character: [String]] = [
        "+": ["   #   ", "   #   ", "   #   ", "#######", "   #   ", "   #   ", "   #   "],
        "−": ["       ", "       ", "       ", "#######", "       ", "       ", "       "],
        "×": ["#     #", " #   # ", "  # #  ", "   #   ", "  # #  ", " #   # ", "#     #"],
        "÷": ["  ###  ", "  ###  ", "       ", "#######", "       ", "  ###  ", "  ###  "],
    ]
}
