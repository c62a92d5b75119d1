import GateModel

/// An item of a form, with everything that is known about it before anything is answered.
struct CompiledItem: Sendable {
    private let definition: Definition
    /// Its position in the order of the form.
    let position: Int
    /// The item that it is directly in; `nil`: none.
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
    /// The answers that it offers.
    var offered: OfferedAnswers { definition.offered }
    /// The options that exclude all others.
    var exclusive: OfferedAnswers { definition.exclusive }

    /// Its expressions; `nil` if it has none.
    var expressions: CompiledExpressions?
    /// Its rules that are expressions.
    var invariants: [CompiledInvariant] { expressions?.invariants ?? [] }
    /// Its limits that are expressions; `nil` if it has none.
    var movingLimits: MovingLimits? { expressions?.movingLimits }
    /// The expression that calculates its answers; `nil`: people give them.
    var calculated: CompiledExpression? { expressions?.calculated }
    /// The expression that gives its initial answers; `nil` if there is none.
    var initialExpression: CompiledExpression? { expressions?.initial }
    /// The expression that enables it when true; `nil`: its conditions decide.
    var enableWhen: CompiledExpression? { expressions?.enableWhen }

    /// The items directly in it.
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

    /// The number of steps to match these answers with its pattern.
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

    /// A condition, and how the item sees the question that it is about.
    struct Condition: Sendable {
        let condition: QuestionnaireEnableCondition
        /// `nil` if there is no such question.
        let question: Sight?
    }
}

/// How one item sees another one: inside repeating items around both only the same instance, inside others all.
struct Sight: Hashable, Sendable {
    /// The item that is seen.
    let item: Int
    /// The number of repeating items around both.
    let shared: Int
    /// Whether the looking item is below an answer of the repeating question that it sees. It then sees only that
    /// answer.
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
    /// Orders occurrences as the form does.
    static func < (left: ItemOccurrence, right: ItemOccurrence) -> Bool {
        left.item == right.item ? left.indices.lexicographicallyPrecedes(right.indices) : left.item < right.item
    }
}
