import GateTexts

/// Lines that have to do with the room that there is. Where it is too little, the middle is left out, and a line of Gate's
/// says so: the end is always seen, or, once somebody scrolls, where they are.
struct CutRows: Hashable {
    let rows: [String]

    /// With less, there would be nothing but the line that says what is missing.
    static let minimumRoom = 3

    /// How far can be scrolled.
    func maximumScroll(in room: Int) -> Int { rows.count > room ? rows.count - max(0, room - 1) : 0 }

    /// - Parameters:
    ///   - scroll: how many lines were scrolled.
    ///   - hint: how to see the rest, in a few words; empty: there is no way.
    ///   - style: for the line that is Gate's.
    func shown(
        in room: Int, scrolledBy scroll: Int = 0, hint: String, style: (String) -> String = { $0 }
    ) -> [String] {
        let places = places(in: room, scrolledBy: scroll)
        return places.map { place in place.map { rows[$0] } ?? style(note(in: room, scrolledBy: scroll, hint: hint)) }
    }

    /// The row that stands in each place; `nil`: the line that says what is missing.
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
