public import GateModel

/// A questionnaire with everything computed that does not depend on answers: the place of each item, what depends on
/// what, and in which order that can be evaluated.
///
/// Any questionnaire can be compiled, even one that was not checked. Parts that make no sense (two items with one
/// linkId, items whose conditions form a circle) are never asked.
public struct CompiledForm: Hashable, Sendable {
    let outline: CompiledOutline
    private(set) var openedRows: AnswerRows

    public init(_ questionnaire: Questionnaire) {
        outline = FormCompiler.outline(of: questionnaire)
        openedRows = AnswerRows(of: outline)
        var filled = FilledForm(self)
        filled.setInitialContents(of: outline.roots, at: [], .everything)
        openedRows = filled.rows
    }

    public var questionnaire: Questionnaire { outline.questionnaire }

    package func item(_ linkID: String) -> QuestionnaireItem? {
        outline.positions[linkID].map { outline.items[$0].item }
    }

    public static func == (left: CompiledForm, right: CompiledForm) -> Bool {
        left.outline === right.outline || left.questionnaire == right.questionnaire
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(questionnaire.name)
        hasher.combine(questionnaire.version)
        hasher.combine(outline.items.count)
    }
}

/// The items of a form in its order. Each is identified by its position, from 0. The items below an item follow it.
final class CompiledOutline: Sendable {
    let questionnaire: Questionnaire
    let items: [CompiledItem]
    let positions: [String: Int]
    let roots: [Int]
    /// The rules about the whole response.
    let invariants: [CompiledInvariant]
    let label: [CompiledLabelPart]
    /// Whether any rule, limit, answer, condition or part of the label is an expression.
    let hasExpressions: Bool
    /// Whether expressions decide which items are enabled.
    let hasEnablingExpressions: Bool
    /// The number of items with a condition of their own.
    let gatekeeperCount: Int
    /// Which calculated answers follow from which others; `nil` if none are calculated.
    let following: DependencyGraph?
    /// The questions whose initial answer is an expression's result.
    let initiallyCalculated: [Int]
    /// The bytes of a response with each item once and without answers.
    let ownByteCount: Int

    init(
        questionnaire: Questionnaire, items: [CompiledItem], positions: [String: Int], roots: [Int],
        invariants: [CompiledInvariant], label: [CompiledLabelPart]
    ) {
        self.questionnaire = questionnaire
        self.items = items
        self.positions = positions
        self.roots = roots
        self.invariants = invariants
        self.label = label
        hasExpressions =
            !invariants.isEmpty || items.contains { $0.expressions != nil }
            || label.contains { if case .expression = $0 { true } else { false } }
        hasEnablingExpressions = items.contains { $0.enableWhen != nil }
        gatekeeperCount = items.count { $0.gatekeeperNumber != nil }
        following = DependencyGraph(of: items)
        initiallyCalculated = items.indices.filter { items[$0].initialExpression != nil }
        ownByteCount = roots.reduce(0) { $0 + items[$1].size.byteCount }
    }

    /// Whether the date decides which items are enabled.
    var isEnabledByClock: Bool { items.contains { $0.enableWhen?.readsClock ?? false } }

    var worksOutAnswers: Bool { following != nil || !initiallyCalculated.isEmpty }

    var isForGrownUps: Bool {
        switch questionnaire.completedBy {
        case .anybody: false
        case .grownUp: true
        }
    }

    /// The initial contents that a form has however it is filled in.
    var leastInitialContents: FilledForm.InitialContents { isForGrownUps ? .readOnly : .counts }

    /// The items directly in an item; `nil`: the items at the top level.
    func children(of item: Int?) -> [Int] {
        item.map { items[$0].children } ?? roots
    }

    /// - Parameter indices: the instances of the repeating items around it. There may be more indices than needed.
    func path(of item: Int, at indices: some Collection<Int>) -> FormPath {
        let compiled = items[item]
        if let path = compiled.path { return path }
        let around = zip(compiled.containers, indices).map { FormPath.Step(items[$0].item.linkID, $1) }
        return FormPath(around + [FormPath.Step(compiled.item.linkID)])
    }

    func path(of occurrence: ItemOccurrence) -> FormPath {
        path(of: occurrence.item, at: occurrence.indices)
    }
}

struct CompiledItem: Sendable {
    private let definition: Definition
    let position: Int
    let parent: Int?
    /// Its place among the items with the same parent.
    let rank: Int
    /// The repeating items around it, from the outermost: repeating groups, and repeating questions if it is below
    /// their answers. A path has a step with an index for each.
    let containers: [Int]
    /// Its path; `nil` if a repeating item is around it.
    let path: FormPath?
    /// Whether it, or an item around it, is read-only.
    let isReadOnly: Bool

    init(
        _ item: QuestionnaireItem, position: Int, parent: Int?, rank: Int, containers: [Int], path: FormPath?,
        isReadOnly: Bool
    ) {
        definition = Definition(item)
        self.position = position
        self.parent = parent
        self.rank = rank
        self.containers = containers
        self.path = path
        self.isReadOnly = isReadOnly
    }

    var item: QuestionnaireItem { definition.item }
    var pattern: TextPattern? { definition.item.constraints.textPattern }
    var offered: OfferedAnswers { definition.offered }
    var exclusive: OfferedAnswers { definition.exclusive }

    var expressions: CompiledExpressions?
    var invariants: [CompiledInvariant] { expressions?.invariants ?? [] }
    var movingLimits: MovingLimits? { expressions?.movingLimits }
    var calculated: CompiledExpression? { expressions?.calculated }
    var initialExpression: CompiledExpression? { expressions?.initial }
    /// The expression that enables it when true; `nil`: its conditions decide.
    var enableWhen: CompiledExpression? { expressions?.enableWhen }

    var children: [Int] = []
    /// The position after the last item below it.
    var end = 0
    var conditions: [Condition] = []
    /// The questions that need an answer before this one can have one.
    var parents: [Sight] = []
    /// The questions that are cleared when this one changes.
    var dependants: [Sight] = []
    /// The nearest item that decides whether this one is enabled: itself or an item around it, if it has conditions or
    /// `enableWhen`. `nil`: always enabled.
    var gatekeeper: Int?
    /// Its number among the items with conditions or `enableWhen`; `nil` if it has neither.
    var gatekeeperNumber: Int?
    /// Whether its conditions form a circle, so that they can't be evaluated. No such form is loaded.
    var isNeverEnabled = false
    /// The answers that it has when the form is opened, as far as they fit.
    var initial: [FormValue] = []
    /// Whether it or an item below it has initial values, an expression for them, or several initial instances.
    var hasInitialContents = false
    /// Whether a response contains this group even if it is empty, because something in it is required.
    var isDemanding = false

    /// Whether the paths of the items below it have a step with an index for it.
    var isContainer: Bool { item.repeats && (item.kind == .group || !children.isEmpty) }

    /// Whether it, or something in it, has to be answered.
    var isDemanded: Bool {
        isDemanding || item.kind != .display && item.isRequired
            || item.repeats && (item.constraints.minimumOccurs ?? 0) > 0
    }

    /// The size of the item and everything below it, with one instance of each.
    var size = FilledSize()
    /// The size of the item and everything below it, with the instances that exist when the form is opened.
    var openingSize = FilledSize()
    /// Whether its initial answer has to stay as it is, because a grown-up has to read it before completing the form.
    var isFixed = false

    func matchingStepCount(for values: [FormValue]) -> Int {
        guard let pattern else { return 0 }
        return values.reduce(0) { $0 + ($1.lexicalText.map(pattern.stepCount) ?? 0) }
    }

    /// The number of the group's instances when the form is opened.
    var openingCount: Int {
        guard item.kind == .group, item.repeats else { return 1 }
        return max(1, min(item.constraints.minimumOccurs ?? 1, item.maximumInstanceCount))
    }

    /// The number of instances of the items below it when the form is opened.
    var openingTimes: Int { isContainer && item.kind.isQuestion ? max(1, initial.count) : openingCount }

    /// Kept by reference, because an item of a questionnaire is large and would otherwise be copied at each access.
    private final class Definition: Sendable {
        let item: QuestionnaireItem
        let offered: OfferedAnswers
        let exclusive: OfferedAnswers

        init(_ item: QuestionnaireItem) {
            self.item = item
            offered = OfferedAnswers(item.options)
            exclusive = OfferedAnswers(item.options.filter(\.isExclusive))
        }
    }

    struct Condition: Sendable {
        let condition: QuestionnaireEnableCondition
        /// `nil` if there is no such question.
        let question: Sight?
    }
}

/// Which occurrences of another item an item depends on. Repeating items that surround both are in the same instance;
/// of other repeating items, all instances count.
struct Sight: Hashable, Sendable {
    let item: Int
    /// The number of repeating items around both.
    let shared: Int
    /// Whether the looking item is below an answer of the repeating question, and so sees only that answer.
    let isOfOwnAnswer: Bool
    /// Whether the seen item has no repeating item around it and is seen with all its answers.
    let isSingle: Bool
    /// Whether the seen item is below an answer of the looking question.
    let isBelowOwnAnswers: Bool

    /// The place of the seen question, as far as the looking item's indices determine it.
    func place(from indices: [Int]) -> ItemOccurrence { ItemOccurrence(item, Array(indices.prefix(shared))) }
}

/// One occurrence of an item that may exist several times.
struct ItemOccurrence: Hashable, Sendable {
    /// The item's position in the form.
    let item: Int
    /// The instances of the repeating items around it, from the outermost. Each counts from 0.
    let indices: [Int]

    init(_ item: Int, _ indices: [Int]) {
        self.item = item
        self.indices = indices
    }
}

extension ItemOccurrence: Comparable {
    static func < (left: ItemOccurrence, right: ItemOccurrence) -> Bool {
        left.item == right.item ? left.indices.lexicographicallyPrecedes(right.indices) : left.item < right.item
    }
}
