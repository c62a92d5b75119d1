import GateModel

extension FilledForm {
    /// Makes one more instance of a repeating group, with its initial values.
    ///
    /// - Throws: INVALID_ARGUMENT if the group has its maximum; RESOURCE_EXHAUSTED if the form has no room.
    mutating func addInstance(of group: ItemOccurrence) throws(GateError) {
        let compiled = outline.items[group.item]
        let count = count(of: group.item, at: group.indices)
        guard count < compiled.item.maximumInstanceCount else {
            let message = "\(compiled.item.label) can be there at most \(count) times."
            throw .badAnswer(AnswerFlaw(.tooLong, message, ["maximum": "\(count)"]), to: compiled.item)
        }
        guard (rows.size + compiled.openingSize).isWithinBounds else { throw .noRoom(compiled.item) }
        rows.setInstances(count + 1, of: group)
        setInitialContents(of: compiled.children, at: group.indices + [count], .everything)
    }

    /// Removes one instance of a repeating group, and moves the later ones up. The only one is emptied instead. Clears
    /// and returns the questions that depend on answers in it.
    mutating func removeInstance(_ index: Int, of group: ItemOccurrence) -> [ItemOccurrence] {
        let count = count(of: group.item, at: group.indices)
        let depth = group.indices.count
        let gone = rowsWithin(group.item, at: group.indices + [index])
        let later = ((index + 1)..<max(count, index + 1)).map { rowsWithin(group.item, at: group.indices + [$0]) }
        remove(gone)
        for nested in later { remove(nested) }
        for (offset, nested) in later.enumerated() { put(nested, below: depth, at: index + offset) }
        rows.setInstances(count - 1, of: group)
        if count == 1 {
            setInitialContents(
                of: outline.items[group.item].children, at: group.indices + [0], outline.leastInitialContents)
        }
        return clearDependants(of: gone.changes(sharedAtMost: depth), sparing: nil)
    }
}
