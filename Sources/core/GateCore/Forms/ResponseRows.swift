import GateModel

/// The rows of a response, from its items that are in the right place. The validator reports the others; the load of an
/// earlier response leaves them out.
struct ResponseRows {
    enum Keeping {
        case everything
        /// Only answers that their questions can have, and none of read-only or calculated questions.
        case fitting
    }

    private(set) var filled: FilledForm
    private let keeping: Keeping
    /// With `fitting`: the paths of answers that were left out.
    private(set) var leftOut: [FormPath] = []
    /// With `everything`: whether the response exceeds the bounds of a form and was not read completely.
    private(set) var isTooLarge = false

    init(_ form: CompiledForm, keeping: Keeping, moment: LocalTime?) {
        filled = FilledForm(form, moment: moment)
        self.keeping = keeping
    }

    /// Reads items into an empty group of a form with other answers, as far as they fit. `indices`: the instances of
    /// the repeating items around the group's items.
    init(_ items: [QuestionnaireResponseItem], in group: Int, at indices: [Int], of filled: FilledForm) {
        self.filled = filled
        keeping = .fitting
        read(items, in: group, at: indices)
    }

    mutating func read(_ response: QuestionnaireResponse) {
        read(response.items, in: nil, at: [])
    }

    private var outline: CompiledOutline { filled.outline }

    private mutating func read(_ items: [QuestionnaireResponseItem], in parent: Int?, at indices: [Int]) {
        var times: [Int: Int] = [:]
        for responseItem in items where !isTooLarge {
            guard let item = outline.positions[responseItem.linkID], outline.items[item].parent == parent else {
                if responseItem.hasAnswer { leftOut.append(FormPath(responseItem.linkID)) }
                continue
            }
            let compiled = outline.items[item]
            let time = times[item, default: 0]
            let hasRoom = time == 0 || (filled.rows.size + compiled.size).isWithinBounds
            guard time < maximumCount(of: compiled.item), hasRoom else {
                isTooLarge = isTooLarge || keeping == .everything && !hasRoom && compiled.isContainer
                if responseItem.hasAnswer { leftOut.append(outline.path(of: item, at: indices)) }
                continue
            }
            times[item] = time + 1
            switch compiled.item.kind {
            case .group:
                if compiled.item.repeats { filled.rows.setInstances(time + 1, of: ItemOccurrence(item, indices)) }
                read(responseItem.items, in: item, at: compiled.isContainer ? indices + [time] : indices)
            case .display: break
            case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice,
                .attachment, .reference, .quantity:
                readAnswers(responseItem.answers, of: item, at: indices)
            }
        }
    }

    private func maximumCount(of item: QuestionnaireItem) -> Int {
        guard item.kind == .group, item.repeats else { return 1 }
        switch keeping {
        case .everything: return FormBounds.instances
        case .fitting: return max(item.maximumInstanceCount, 1)
        }
    }

    private mutating func readAnswers(_ answers: [QuestionnaireResponseAnswer], of item: Int, at indices: [Int]) {
        let compiled = outline.items[item]
        let question = ItemOccurrence(item, indices)
        let stated = answers.filter { $0.value != nil }
        var kept = kept(stated, of: compiled)
        if compiled.isContainer, kept.count > 1 {
            let most = 1 + min(kept.count, compiled.size.timesThatFit(beside: filled.rows.size))
            isTooLarge = isTooLarge || keeping == .everything && kept.count > most
            kept = Array(kept.prefix(most))
        }
        filled.rows.setAnswers(kept.compactMap(\.value), of: question)
        if keeping == .fitting, kept.count < stated.count,
            compiled.calculated == nil, !compiled.isReadOnly || stated.compactMap(\.value) != compiled.initial
        {
            leftOut.append(outline.path(of: question))
        }
        for (time, answer) in kept.enumerated() where compiled.isContainer || time == 0 {
            read(answer.items, in: item, at: compiled.isContainer ? indices + [time] : indices)
        }
    }

    private func kept(_ answers: [QuestionnaireResponseAnswer], of compiled: CompiledItem)
        -> [QuestionnaireResponseAnswer]
    {
        switch keeping {
        case .everything: return answers
        case .fitting where compiled.isReadOnly || compiled.calculated != nil: return []
        case .fitting:
            let fitting = answers.lazy.filter { $0.value.map { compiled.flaw(of: $0) == nil } ?? false }
            let first = Array(fitting.prefix(compiled.item.maximumAnswerCount))
            return compiled.flaws(ofAll: first.compactMap(\.value)).isEmpty ? first : []
        }
    }
}

extension QuestionnaireResponseItem {
    /// Whether anything in it is answered, at any depth.
    var hasAnswer: Bool {
        var open = [self]
        while let item = open.popLast() {
            if item.answers.contains(where: { $0.value != nil }) { return true }
            open += item.items + item.answers.flatMap(\.items)
        }
        return false
    }
}
