/// The frame of a sheet: a box in the middle of the screen, with a pattern around it. A cover has no frame and takes
/// the whole screen, so people can tell the two apart. On a screen that is too small, a sheet takes it whole, too.
struct PresenterFrame: Hashable {
    /// The upper left corner.
    let column: Int
    let row: Int
    /// The width in columns, and the height in rows. Both include the edges.
    let width: Int
    let height: Int
    private let screenColumns: Int
    private let screenRows: Int

    /// The frame stays below the first row, which is always Gate's. `nil` if the screen is too small for a frame.
    init?(columns: Int, rows: Int) {
        guard columns >= 64, rows >= 22 else { return nil }
        screenColumns = columns
        screenRows = rows
        width = min(columns - 4, 96)
        height = min(rows - 1, max(23, min(34, rows * 4 / 5)))
        column = (columns - width) / 2
        row = 1 + (rows - 1 - height) / 2
    }

    /// The room inside the edges.
    var columns: Int { width - 2 }
    var rows: Int { height - 2 }

    func isOutside(column: Int, row: Int) -> Bool {
        !(self.column..<self.column + width).contains(column) || !(self.row..<self.row + height).contains(row)
    }

    /// All rows below the screen's first one. Missing ones in the frame are empty.
    func placed(_ content: [PresenterRow], locale: TextLocale, colours: Colours) -> [PresenterRow] {
        let isUTF8 = locale.isUTF8
        func around(_ count: Int) -> String { String(repeating: isUTF8 ? "░" : ":", count: max(0, count)) }
        let (before, after) = (around(column), around(screenColumns - column - width))
        let line = String(repeating: isUTF8 ? "─" : "-", count: columns)
        let corners = isUTF8 ? ["╭", "╮", "╰", "╯"] : ["+", "+", "+", "+"]
        let side = isUTF8 ? "│" : "|"
        func edge(_ start: String, _ end: String) -> PresenterRow {
            PresenterRow(colours.dim("\(before)\(start)\(line)\(end)\(after)"))
        }
        let empty = PresenterRow(colours.dim(around(screenColumns)))
        let inside = (0..<rows).map { index in
            var row = content.indices.contains(index) ? content[index] : PresenterRow("")
            row.column = column + 1
            row.left = colours.dim(before + side)
            row.right = colours.dim(side + after)
            row.rightColumn = column + width - 1
            return row
        }
        let above = Array(repeating: empty, count: row - 1)
        let below = Array(repeating: empty, count: max(0, screenRows - row - height))
        return above + [edge(corners[0], corners[1])] + inside + [edge(corners[2], corners[3])] + below
    }
}
