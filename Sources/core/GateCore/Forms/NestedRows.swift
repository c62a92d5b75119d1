typealias NestedRows = [(place: ItemOccurrence, row: FormRow)]

extension FilledForm {
    /// The rows of everything below an item.
    ///
    /// - Parameter indices: the instances of the repeating items around it. With one more index, only the rows in that
    ///   instance of the item itself, or below that answer.
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

    /// Puts removed rows back below another instance, whose new index is `index`. `depth` is the number of repeating
    /// items around the instance's group or question.
    mutating func put(_ nested: NestedRows, below depth: Int, at index: Int) {
        for (place, row) in nested {
            var indices = place.indices
            indices[depth] = index
            rows[ItemOccurrence(place.item, indices)] = row
        }
    }
}

extension NestedRows {
    func changes(sharedAtMost depth: Int) -> [ChangedQuestion] {
        compactMap { place, row in
            guard row.values != nil else { return nil }
            return ChangedQuestion(place, sharedAtMost: depth)
        }
    }
}
