import GateModel

/// The rows of what is within an item, each with where it is.
typealias NestedRows = [(place: ItemOccurrence, row: FormRow)]

extension FilledForm {
    /// - Parameter indices: of what repeats around it; with one more, of this one time that it is there.
    func rowsWithin(_ item: Int, at indices: [Int]) -> NestedRows {
        let compiled = outline.items[item]
        guard !compiled.children.isEmpty else { return [] }
        return ((item + 1)..<compiled.end).flatMap { nested in
            occurrences(of: nested, within: indices).compactMap { place in
                rows[place].map { (place, $0) }
            }
        }
    }

    mutating func remove(_ nested: NestedRows) {
        for (place, _) in nested { rows[place] = nil }
    }

    /// Puts rows back for another time that the item around them is there.
    ///
    /// - Parameters:
    ///   - depth: how many repeating items are around the one that they are in.
    ///   - index: which time, now.
    mutating func put(_ nested: NestedRows, below depth: Int, at index: Int) {
        for (place, row) in nested {
            var indices = place.indices
            indices[depth] = index
            rows[ItemOccurrence(place.item, indices)] = row
        }
    }
}

extension NestedRows {
    /// The questions among them, which went with what is around them.
    func changes(sharedAtMost depth: Int) -> [ChangedQuestion] {
        compactMap { place, row in
            guard row.values != nil else { return nil }
            return ChangedQuestion(place, sharedAtMost: depth)
        }
    }
}
