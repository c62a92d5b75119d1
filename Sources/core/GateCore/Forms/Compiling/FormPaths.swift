import GateModel

/// The place that a path means.
enum PathPlace: Hashable {
    case there(ItemOccurrence)
    /// In the next instance of this group, which does not exist yet.
    case next(group: ItemOccurrence)
}

extension FilledForm {
    /// The steps before the last one name repeating items around it, in their order. A step or its index may be omitted
    /// if there is only one instance.
    ///
    /// - Throws: NOT_FOUND if there is no such item; INVALID_ARGUMENT if the path has to say which instance;
    ///   FAILED_PRECONDITION if it is below an answer that does not exist.
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

    /// The existing place that a path means.
    ///
    /// - Throws: as `place(of:)`; NOT_FOUND also if the instance does not exist.
    func occurrence(at path: FormPath) throws(GateError) -> ItemOccurrence {
        switch try place(of: path) {
        case .there(let occurrence): return occurrence
        case .next: throw .noItem(path)
        }
    }

    /// The instance of a repeating group that a path names.
    ///
    /// - Throws: as `occurrence(at:)`; INVALID_ARGUMENT if the item is not a repeating group.
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
