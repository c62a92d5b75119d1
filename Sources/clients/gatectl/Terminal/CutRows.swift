import GateTexts

/// Rows that have to fit into a given room. If there are too many, the middle is left out, and a line of Gate's says
/// so. So the end is always shown, until the person scrolls: then the rows from there on are shown.
struct CutRows: Hashable {
    let rows: [String]

    /// With less room, there would be little more than the line that says what is missing.
    static let minimumRoom = 3

    func maximumScroll(in room: Int) -> Int { rows.count > room ? rows.count - max(0, room - 1) : 0 }

    /// The rows that fit into `room` lines. If not all do, one of the lines is Gate's, about the missing rows.
    /// `scroll`: how many rows the person has scrolled past. `hint` says how to see the rest; may be empty. `style`
    /// paints Gate's line.
    func shown(
        in room: Int, scrolledBy scroll: Int = 0, hint: String, style: (String) -> String = { $0 }
    ) -> [String] {
        let places = places(in: room, scrolledBy: scroll)
        return places.map { place in place.map { rows[$0] } ?? style(note(in: room, scrolledBy: scroll, hint: hint)) }
    }

    /// The index of the row at each place; `nil` for the line that says what is missing.
    func places(in room: Int, scrolledBy scroll: Int = 0) -> [Int?] {
        guard rows.count > room else { return Array(rows.indices) }
        guard room > 0 else { return [] }
        let count = room - 1
        guard scroll > 0 else {
            let tail = count / 3
            return Array(0..<count - tail) + [nil] + Array(rows.count - tail..<rows.count)
        }
        let first = min(scroll, rows.count - count)
        return Array(first..<first + count) + [nil]
    }

    private func note(in room: Int, scrolledBy scroll: Int, hint: String) -> String {
        let count = room - 1
        let suffix = hint.isEmpty ? "" : " \(hint)"
        guard scroll > 0 else {
            let missing = rows.count - count
            return "... "
                + localized(
                    "{count} line is left out here.", plural: "{count} lines are left out here.", count: missing)
                + suffix
        }
        let first = min(scroll, rows.count - count)
        return "... "
            + localized(
                "Lines {first} to {last} of {count}.",
                ["first": "\(first + 1)", "last": "\(first + count)", "count": "\(rows.count)"]) + suffix
    }
}
