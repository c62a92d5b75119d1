struct TextTable: Hashable {
    var rows: [[String]] = []

    var lines: [String] {
        let columnCount = rows.map(\.count).max() ?? 0
        let widths = (0..<columnCount).map { column in
            rows.map { $0.indices.contains(column) ? TextWidth.columns(of: $0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            zip(row, widths).enumerated().map { index, cell in
                let (text, width) = cell
                let space = String(repeating: " ", count: max(0, width - TextWidth.columns(of: text)))
                return index == row.count - 1 ? text : text + space
            }.joined(separator: "  ")
        }
    }
}

extension Array {
    /// The elements in pages of the daemon's size; one empty page if there are no elements.
    var pages: [[Element]] {
        isEmpty ? [[]] : stride(from: 0, to: count, by: 500).map { Array(self[$0..<Swift.min($0 + 500, count)]) }
    }
}
