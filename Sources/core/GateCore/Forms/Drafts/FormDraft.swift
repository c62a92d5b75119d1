public import GateModel

/// A form that is being filled in: the answers so far, and what can be answered next.
///
/// The answers of items that are not enabled are kept, so that nothing is lost if a switch is turned off and on again.
/// But nothing reads them: no condition, no dependent question, no response. Edits get the device's clock as `now`:
/// without it, limits that are expressions are not checked, and the draft's earlier clock counts.
public struct FormDraft: Hashable, Sendable {
    public struct Change: Hashable, Sendable {
        /// The rows that changed; `nil`: removed.
        public var rows: [FormPath: FormRow?]
        /// The questions whose answers were left out because they don't fit; then, in the order of the form, those
        /// whose answers were cleared because they depend on something that changed.
        public var cleared: [FormPath]
        /// The values of a suggestion that was not filled in because the question has another answer. They wait until
        /// the person takes them. Empty if there are none.
        public var waiting: [FormValue]

        public init(rows: [FormPath: FormRow?] = [:], cleared: [FormPath] = [], waiting: [FormValue] = []) {
            self.rows = rows
            self.cleared = cleared
            self.waiting = waiting
        }

        public var isChanged: Bool { !rows.isEmpty }
    }

    var filled: FilledForm

    public var form: CompiledForm { filled.form }

    /// A new draft with initial values. `now` is `nil` if no expression needs the clock. `follows`: whether to compute
    /// the answers that expressions give, which may take long.
    package static func opened(_ form: CompiledForm, now: LocalTime? = nil, follows: Bool = true) -> FormDraft {
        var filled = FilledForm(form, moment: now)
        filled.rows = form.openedRows
        guard follows else { return FormDraft(filled: filled) }
        filled.beginning = form.outline.initiallyCalculated.flatMap { filled.occurrences(of: $0, within: []) }
        _ = filled.follow(.everything)
        return FormDraft(filled: filled)
    }

    /// Rows that don't fit the form any more are dropped. `moment` is when the draft was opened: if it is given, the
    /// next edit computes anew what depends on the day.
    package init(restoring rows: [FormPath: FormRow], of form: CompiledForm, moment: LocalTime? = nil) {
        filled = FilledForm(form, moment: moment)
        filled.restore(rows)
        filled.isRestored = true
    }

    private init(filled: FilledForm) {
        self.filled = filled
    }

    /// The answers and the numbers of groups, by path. They are exactly the part of the draft that is stored.
    public var rows: [FormPath: FormRow] {
        Dictionary(uniqueKeysWithValues: filled.rows.all.map { (filled.outline.path(of: $0.place), $0.row) })
    }

    var isEnabledByClock: Bool { filled.outline.isEnabledByClock }

    public var attachments: Set<AttachmentDigest> { filled.rows.attachments }

    /// The bytes of its values plus some for each row, for limits. A document counts without its contents.
    public var byteCount: Int { filled.rows.byteCount }

    /// - Returns: the answers; `nil` if there is nothing at this path.
    public func values(at path: FormPath) -> [FormValue]? {
        do throws(GateError) {
            guard path.index != nil else { return filled.answers(of: try filled.occurrence(at: path)) }
            _ = try filled.instance(at: path)
            return []
        } catch {
            // Below an answer that does not exist yet, so not answered.
            return error.reason == .notAnswerable ? [] : nil
        }
    }

    /// Whether the item at this path exists and is enabled with the present answers.
    public func isEnabled(_ path: FormPath) -> Bool {
        do throws(GateError) {
            if path.index != nil { _ = try filled.instance(at: path) }
            let occurrence = try filled.occurrence(at: path)
            return filled.unansweredQuestion(around: occurrence) == nil && filled.isEnabled(occurrence)
        } catch {
            return false
        }
    }

    /// The errors that keep the draft from being completed, and other issues.
    package func issues(now: LocalTime) -> [FormIssue] {
        ResponseValidator(form, now: now, enabledAt: filled.moment)
            .issues(of: response(.completed, authored: nil, includingUnanswered: false))
    }
}

/// A form with its answers, from a draft or a response. The rules are extensions in files of their own.
struct FilledForm: Hashable, Sendable {
    let form: CompiledForm
    var rows: AnswerRows
    /// The device's clock when answers were computed. `today()` stays the same while a person reads them.
    var moment: LocalTime
    /// Whether it was restored, perhaps with other expressions. Then the next edit computes all calculated answers.
    var isRestored = false
    /// New questions that will get their initial answer from an expression.
    var beginning: [ItemOccurrence] = []

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

    /// The occurrences in order. `prefix`: only those in these instances of the outermost repeating items around it.
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

/// The place that a path means.
enum PathPlace: Hashable {
    case there(ItemOccurrence)
    /// In the next instance of this group, which does not exist yet.
    case next(group: ItemOccurrence)
}

extension FilledForm {
    /// Finds what a path means. The steps before the last one name the repeating items around the item, in their order.
    /// A step or its index may be omitted if there is only one instance.
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

    /// - Throws: as `place(of:)`; NOT_FOUND also if the instance does not exist.
    func occurrence(at path: FormPath) throws(GateError) -> ItemOccurrence {
        switch try place(of: path) {
        case .there(let occurrence): return occurrence
        case .next: throw .noItem(path)
        }
    }

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
