import GateModel

/// Where a path leads (F-31).
enum PathPlace: Hashable {
    case there(ItemOccurrence)
    /// Into the next instance of this group, which is not there yet.
    case next(group: ItemOccurrence)
}

extension FilledForm {
    /// The steps of a path name repeating items around the last one, in their order. One that is left out, or its index, is
    /// the first where there are not several.
    ///
    /// - Throws: NOT_FOUND; INVALID_ARGUMENT where it has to say which one; FAILED_PRECONDITION where it is below an answer
    ///   that is not there.
    func place(of path: FormPath) throws(GateError) -> PathPlace {
        guard let item = outline.positions[path.linkID] else { throw .noItem(path) }
        var given = path.steps.dropLast()
        var indices: [Int] = []
        for container in outline.items[item].containers {
            let around = outline.items[container].item
            var index: Int?
            if let step = given.first, step.linkID == around.linkID {
                index = step.index
                given = given.dropFirst()
            }
            let count = count(of: container, at: indices)
            if index == nil, count <= 1 { index = 0 }
            guard let index else { throw .ambiguous(path, outline.path(of: container, at: indices), count: count) }
            guard index >= 0, index <= count else { throw .noItem(path) }
            guard index < count else {
                if around.kind == .group { return .next(group: ItemOccurrence(container, indices)) }
                throw count == 0 ? .answerFirst(around, before: outline.items[item].item) : .noItem(path)
            }
            indices.append(index)
        }
        guard given.isEmpty else { throw .noItem(path) }
        return .there(ItemOccurrence(item, indices))
    }

    /// Where a path leads, if that is there.
    ///
    /// - Throws: as `place(of:)`; NOT_FOUND also for what is in an instance that is not there.
    func occurrence(at path: FormPath) throws(GateError) -> ItemOccurrence {
        switch try place(of: path) {
        case .there(let occurrence): return occurrence
        case .next: throw .noItem(path)
        }
    }

    /// The instance of a repeating group that a path names.
    ///
    /// - Throws: as `occurrence(at:)`; INVALID_ARGUMENT for what is no repeating group.
    func instance(at path: FormPath) throws(GateError) -> (group: ItemOccurrence, index: Int) {
        let group = try occurrence(at: path)
        let item = outline.items[group.item].item
        guard item.kind == .group, item.repeats else { throw .notRepeatingGroup(item) }
        let count = count(of: group.item, at: group.indices)
        guard let index = path.index ?? (count == 1 ? 0 : nil) else {
            throw .ambiguous(path, outline.path(of: group), count: count)
        }
        guard (0..<count).contains(index) else { throw .noItem(path) }
        return (group, index)
    }
}
