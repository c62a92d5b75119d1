/// One row of the screen: its text, what is beside it, and what can be pressed in it.
struct PresenterRow: Hashable {
    struct Button: Hashable {
        /// The button's columns in the text, from 0.
        var columns: Range<Int>
        var target: PresenterTarget
    }

    var text: String
    /// Whether the row has only others' words. Such rows are drawn first, so that they can't cover Gate's own.
    var isForeign = false
    var buttons: [Button] = []
    /// The column of the screen where the text begins.
    var column = 0
    /// A sheet's frame before and after the text, and the column at which the part after it begins.
    var left = ""
    var right = ""
    var rightColumn = 0

    /// - Parameter target: what a press anywhere on the text means; `nil`: nothing.
    init(_ text: String, isForeign: Bool = false, target: PresenterTarget? = nil) {
        self.text = text
        self.isForeign = isForeign
        if let target { buttons = [Button(columns: 0..<TextWidth.columns(of: text), target: target)] }
    }

    func target(column: Int) -> PresenterTarget? {
        buttons.first { $0.columns.contains(column - self.column) }?.target
    }

    /// The row, moved to the right. An empty row stays empty.
    func indented(by count: Int = 1) -> PresenterRow {
        guard !text.isEmpty else { return self }
        var row = self
        row.text = String(repeating: " ", count: count) + text
        row.buttons = buttons.map { button in
            Button(
                columns: button.columns.lowerBound + count..<button.columns.upperBound + count, target: button.target)
        }
        return row
    }
}

struct PresenterButtons {
    struct Item: Hashable {
        var label: String
        /// `nil` if a press has no effect now.
        var target: PresenterTarget?
    }

    var items: [Item]
    var locale: TextLocale
    var colours: Colours

    /// `[ a) 24 ]   [ b) 16 ]` on one row if they fit, otherwise on a row each. A button that is wider than a row
    /// continues on the next ones, which are marked.
    func rows(columns: Int) -> [PresenterRow] {
        let labels = items.map { "[ \($0.label) ]" }
        let width = labels.reduce(0) { $0 + TextWidth.columns(of: $1) } + Self.gap.utf8.count * (labels.count - 1)
        guard width <= columns else {
            return items.flatMap { item in
                TextWidth.marked("[ \(item.label) ]", columns: columns).map {
                    PresenterRow(painted($0, item), target: item.target)
                }
            }
        }
        return joined(zip(items, labels).map { (painted($1, $0), TextWidth.columns(of: $1), $0.target) })
    }

    /// The buttons as boxes of three rows, which are easier to hit; `nil` without UTF-8, or if they are too wide.
    func boxes(columns: Int) -> [PresenterRow]? {
        guard locale.isUTF8 else { return nil }
        let widths = items.map { TextWidth.columns(of: $0.label) + 6 }
        guard widths.reduce(0, +) + Self.gap.utf8.count * (items.count - 1) <= columns else { return nil }
        let edges = [("╭", "╮"), ("╰", "╯")].map { start, end in
            joined(
                zip(items, widths).map { item, width in
                    ("\(start)\(String(repeating: "─", count: width - 2))\(end)", width, item.target)
                })
        }
        return edges[0] + joined(zip(items, widths).map { ("│  \(painted($0.label, $0))  │", $1, $0.target) })
            + edges[1]
    }

    private static let gap = "   "

    private func painted(_ text: String, _ item: Item) -> String {
        item.target == nil ? colours.dim(text) : colours.bold(text)
    }

    private func joined(_ parts: [(text: String, width: Int, target: PresenterTarget?)]) -> [PresenterRow] {
        guard !parts.isEmpty else { return [] }
        var row = PresenterRow("")
        var column = 0
        for part in parts {
            if column > 0 {
                row.text += Self.gap
                column += Self.gap.utf8.count
            }
            row.text += part.text
            if let target = part.target {
                row.buttons.append(PresenterRow.Button(columns: column..<column + part.width, target: target))
            }
            column += part.width
        }
        return [row]
    }
}
