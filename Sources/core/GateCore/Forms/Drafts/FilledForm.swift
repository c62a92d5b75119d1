import GateModel

/// A form with the answers that are in it, of a draft or of a response. The rules are extensions of this, a file each.
struct FilledForm: Hashable, Sendable {
    let form: CompiledForm
    var rows: AnswerRows
    /// The device's clock when answers were worked out: `today()` stands still while somebody reads them.
    var moment: LocalTime
    /// It was read back, perhaps for a form with other expressions: with the next edit all that follows is worked out anew.
    var isRestored = false
    /// The questions that have just come to be, and are to begin with the result of an expression.
    var beginning: [ItemOccurrence] = []

    /// - Parameter moment: the device's clock. `nil`: no expression asks for it.
    init(_ form: CompiledForm, moment: LocalTime? = nil) {
        self.form = form
        self.moment =
            moment.flatMap { form.outline.hasExpressions ? $0 : nil } ?? LocalTime(WallTime(unixMilliseconds: 0))
        rows = AnswerRows(of: form.outline)
    }

    var outline: CompiledOutline { form.outline }

    // Whatever the clock was: by the day that it is now, and not by that of before, it is decided whether work on it is overtaken.

    static func == (left: FilledForm, right: FilledForm) -> Bool { left.form == right.form && left.rows == right.rows }

    func hash(into hasher: inout Hasher) {
        hasher.combine(form)
        hasher.combine(rows)
    }

    // MARK: - What is there

    /// None: empty.
    func answers(of item: Int, at indices: some Collection<Int>) -> [FormValue] {
        rows.answers(of: ItemOccurrence(item, Array(indices)))
    }

    func answers(of occurrence: ItemOccurrence) -> [FormValue] {
        rows.answers(of: occurrence)
    }

    /// How many times a repeating item is there: of a group, its instances; of a question, its answers.
    func count(of container: Int, at indices: [Int]) -> Int {
        let place = ItemOccurrence(container, indices)
        return outline.items[container].item.kind == .group
            ? rows.instances(of: place) : rows.answers(of: place).count
    }

    /// Every time that an item is there, in order.
    ///
    /// - Parameter prefix: of the repeating items around it, the first ones: which time of those.
    func occurrences(of item: Int, within prefix: some Collection<Int>) -> [ItemOccurrence] {
        var found = [Array(prefix)]
        for container in outline.items[item].containers.dropFirst(prefix.count) {
            found = found.flatMap { indices in (0..<count(of: container, at: indices)).map { indices + [$0] } }
        }
        return found.map { ItemOccurrence(item, $0) }
    }

    /// Every time of a question that anyone who stands at these indices sees, with the answers that it has there.
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
