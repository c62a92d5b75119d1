/// Which rows of a list stay as they are drawn when the list changes: those at its beginning and at its end. Only what
/// lies between them is drawn anew, so one answer among 500 questions takes no time that a person notices.
package struct RowChange: Hashable, Sendable {
    package let keptAtStart: Int
    package let keptAtEnd: Int

    /// - Parameter fits: whether what was drawn can show this row.
    package init<Drawn, Row>(from drawn: [Drawn], to rows: [Row], fits: (Drawn, Row) -> Bool) {
        let start = zip(drawn, rows).prefix { fits($0, $1) }.count
        let rest = min(drawn.count, rows.count) - start
        keptAtStart = start
        keptAtEnd = zip(drawn.reversed(), rows.reversed()).prefix(rest).prefix { fits($0, $1) }.count
    }

    /// The places between those that stay, of a list with this many elements.
    package func replaced(of count: Int) -> Range<Int> { keptAtStart..<count - keptAtEnd }
}
