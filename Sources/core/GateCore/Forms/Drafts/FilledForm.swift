import GateModel

/// A form with its answers, from a draft or a response. The rules are extensions in files of their own.
struct FilledForm: Hashable, Sendable {
    let form: CompiledForm
    var rows: AnswerRows
    /// The device's clock when answers were computed. `today()` stays the same while a person reads them.
    var moment: LocalTime
    /// Whether it was restored, perhaps for a form with other expressions. The next edit then computes all calculated
    /// answers again.
    var isRestored = false
    /// New questions that will get their initial answer from an expression.
    var beginning: [ItemOccurrence] = []

    /// - Parameter moment: the device's clock; `nil`: no expression needs it.
    init(_ form: CompiledForm, moment: LocalTime? = nil) {
        self.form = form
        self.moment =
            moment.flatMap { form.outline.hasExpressions ? $0 : nil } ?? LocalTime(WallTime(unixMilliseconds: 0))
        rows = AnswerRows(of: form.outline)
    }

    var outline: CompiledOutline { form.outline }

    // Two forms are equal whatever their `moment`: prepared work compares the day itself (`FormPreparation`).

    static func == (left: FilledForm, right: FilledForm) -> Bool { left.form == right.form && left.rows == right.rows }

    func hash(into hasher: inout Hasher) {
        hasher.combine(form)
        hasher.combine(rows)
    }

    // MARK: - Answers and occurrences

    /// Empty if there are none.
    func answers(of item: Int, at indices: some Collection<Int>) -> [FormValue] {
        rows.answers(of: ItemOccurrence(item, Array(indices)))
    }

    func answers(of occurrence: ItemOccurrence) -> [FormValue] {
        rows.answers(of: occurrence)
    }

    /// The number of a group's instances, or of a question's answers.
    func count(of container: Int, at indices: [Int]) -> Int {
        let place = ItemOccurrence(container, indices)
        return outline.items[container].item.kind == .group
            ? rows.instances(of: place) : rows.answers(of: place).count
    }

    /// Every occurrence of an item, in order.
    ///
    /// - Parameter prefix: the instances of the outermost repeating items around it, to which the result is limited.
    func occurrences(of item: Int, within prefix: some Collection<Int>) -> [ItemOccurrence] {
        var found = [Array(prefix)]
        for container in outline.items[item].containers.dropFirst(prefix.count) {
            found = found.flatMap { indices in (0..<count(of: container, at: indices)).map { indices + [$0] } }
        }
        return found.map { ItemOccurrence(item, $0) }
    }

    /// Calls `body` for every occurrence of a question that an item at these indices sees, with its answers there.
    func forEachSeen(
        _ sight: Sight, from indices: [Int], _ body: (_ question: ItemOccurrence, _ answers: [FormValue]) -> Void
    ) {
        if sight.isSingle {
            let question = ItemOccurrence(sight.item, [])
            return body(question, rows.answers(of: question))
        }
        let within = indices.prefix(sight.shared)
        guard sight.isOfOwnAnswer else {
            for question in occurrences(of: sight.item, within: within) { body(question, rows.answers(of: question)) }
            return
        }
        let question = ItemOccurrence(sight.item, Array(within))
        body(question, Array(rows.answers(of: question).dropFirst(indices[sight.shared]).prefix(1)))
    }
}
