import GateModel

/// The answers that questions have when a form is opened.
enum InitialAnswers {
    /// The item's initial values, or else its initially selected options, as far as they fit.
    static func fitting(_ compiled: CompiledItem) -> [FormValue] {
        let item = compiled.item
        guard item.kind.isQuestion else { return [] }
        let fitting = item.statedInitialValues.filter { compiled.flaw(of: $0) == nil }.prefix(item.maximumAnswerCount)
        return compiled.flaws(ofAll: Array(fitting)).isEmpty ? Array(fitting) : []
    }
}

extension FilledForm {
    enum InitialContents {
        /// Only groups, with their initial number of instances.
        case counts
        /// Also the initial values of read-only questions.
        case readOnly
        /// Also all other initial values.
        case everything
    }

    /// Gives the items and everything in them their initial contents, in order, whether they are enabled or not.
    /// Instances without room are left out; a form that is loaded never opens with so many.
    mutating func setInitialContents(of children: [Int], at indices: [Int], _ contents: InitialContents) {
        for child in children where outline.items[child].hasInitialContents {
            let compiled = outline.items[child]
            let place = ItemOccurrence(child, indices)
            switch contents {
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
                setInitialContents(
                    of: compiled.children, at: compiled.isContainer ? indices + [time] : indices, contents)
            }
        }
    }

    /// Whether there is room for the items below these answers. Always true if there are not more answers than before.
    func hasRoom(for values: [FormValue], of question: ItemOccurrence) -> Bool {
        let compiled = outline.items[question.item]
        let more = values.count - max(1, rows.answers(of: question).count)
        guard compiled.isContainer, more > 0 else { return true }
        return (rows.size + compiled.openingSize * more).isWithinBounds
    }
}
