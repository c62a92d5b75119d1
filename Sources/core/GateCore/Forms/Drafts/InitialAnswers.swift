import GateModel

/// The answers that questions have when a form is opened (F-30, F-34).
enum InitialAnswers {
    /// The item's initial values, else the options that are selected from the start; only those that fit.
    static func fitting(_ compiled: CompiledItem) -> [FormValue] {
        let item = compiled.item
        guard item.kind.isQuestion else { return [] }
        let fitting = item.statedInitialValues.filter { compiled.flaw(of: $0) == nil }.prefix(item.maximumAnswerCount)
        return compiled.flaws(ofAll: Array(fitting)).isEmpty ? Array(fitting) : []
    }
}

extension FilledForm {
    enum Furnishing {
        /// Groups as often as they are there from the start.
        case counts
        /// Also the initial values of what is read-only.
        case readOnly
        /// Also all other initial values.
        case everything
    }

    /// Furnishes items in order, whether they are enabled or not, and what is in them. Groups that there is no room for are
    /// left out: no form that is loaded opens with so many.
    mutating func furnish(_ children: [Int], at indices: [Int], _ furnishing: Furnishing) {
        for child in children where outline.items[child].isFurnished {
            let compiled = outline.items[child]
            let place = ItemOccurrence(child, indices)
            switch furnishing {
            case .counts: break
            case .readOnly where !compiled.isReadOnly: break
            case .readOnly, .everything:
                if compiled.initialExpression != nil { beginning.append(place) }
                if !compiled.initial.isEmpty, hasRoom(for: compiled.initial, of: place) {
                    rows.setAnswers(compiled.initial, of: place)
                }
            }
            var times = 1
            if compiled.item.kind == .group {
                if compiled.item.repeats {
                    let present = rows.instances(of: place)
                    let missing = max(0, compiled.openingCount - present)
                    times = present + min(missing, compiled.size.timesThatFit(beside: rows.size))
                    rows.setInstances(times, of: place)
                }
            } else if !compiled.children.isEmpty {
                times = rows.answers(of: place).count
            }
            for time in 0..<times where !compiled.children.isEmpty {
                furnish(compiled.children, at: compiled.isContainer ? indices + [time] : indices, furnishing)
            }
        }
    }

    /// Whether there is room for what is below so many answers. There always is for fewer than before.
    func hasRoom(for values: [FormValue], of question: ItemOccurrence) -> Bool {
        let compiled = outline.items[question.item]
        let more = values.count - max(1, rows.answers(of: question).count)
        guard compiled.isContainer, more > 0 else { return true }
        return (rows.size + compiled.openingSize * more).isWithinBounds
    }
}
