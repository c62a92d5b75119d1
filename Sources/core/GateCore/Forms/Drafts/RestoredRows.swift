import GateModel

extension FilledForm {
    /// Takes over stored rows as far as they fit the present form.
    mutating func restore(_ kept: [FormPath: FormRow]) {
        restore(kept, of: outline.roots, at: [])
    }

    private mutating func restore(_ kept: [FormPath: FormRow], of children: [Int], at indices: [Int]) {
        for child in children {
            let compiled = outline.items[child]
            let place = ItemOccurrence(child, indices)
            var times = 1
            switch kept[outline.path(of: place)] {
            case .instances(let count):
                guard compiled.item.kind == .group, compiled.item.repeats else { break }
                let most = min(max(count, 1), max(compiled.item.maximumInstanceCount, 1))
                times = 1 + min(most - 1, compiled.size.timesThatFit(beside: rows.size))
                rows.setInstances(times, of: place)
            case .answers(let values): restore(values, of: compiled, at: place)
            case .entered(let values):
                restore(values, of: compiled, at: place)
                if compiled.calculated != nil { rows.setEntered(rows.answers(of: place), of: place) }
            case nil: break
            }
            if compiled.item.kind != .group { times = rows.answers(of: place).count }
            for time in 0..<times where !compiled.children.isEmpty {
                restore(kept, of: compiled.children, at: compiled.isContainer ? indices + [time] : indices)
            }
        }
    }

    private mutating func restore(_ values: [FormValue], of compiled: CompiledItem, at place: ItemOccurrence) {
        guard compiled.item.kind.isQuestion else { return }
        let fitting = values.filter { compiled.flaw(of: $0) == nil }
        // The rows below an answer are stored by its index. If an answer is dropped, they would belong to another one.
        guard fitting.count == values.count || !compiled.isContainer else { return }
        guard compiled.flaws(ofAll: fitting).isEmpty else { return }
        guard !compiled.isContainer || hasRoom(for: fitting, of: place) else { return }
        rows.setAnswers(compiled.isFixed ? compiled.initial : fitting, of: place)
    }
}
