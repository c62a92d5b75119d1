/// Digits and operators, large enough to be read from across a room. The operators are larger still (F-06).
enum Glyphs {
    /// Rows of every drawn glyph. Digits have five of their own, and an empty one above and below.
    static let rowCount = 7

    /// The rows of one character; `nil` for one that has no glyph.
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
