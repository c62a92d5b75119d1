import GateModel

/// An item of a form, with what is known of it before anything is answered.
struct CompiledItem: Sendable {
    private let definition: Definition
    /// Its own place in the order of the form.
    let position: Int
    /// The item that it is directly in.
    let parent: Int?
    /// Its place among those of the same parent.
    let rank: Int
    /// The repeating items around it, from the outside: repeating groups, and repeating questions below whose answers it
    /// is. Each gives a path a step with an index.
    let containers: [Int]
    /// Where it is in nothing that repeats.
    let path: FormPath?
    /// It or something around it is read-only.
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
    /// The answers that allow nothing beside them.
    var exclusive: OfferedAnswers { definition.exclusive }

    /// Its expressions; `nil`: it has none.
    var expressions: CompiledExpressions?
    /// The rules about it that are expressions.
    var invariants: [CompiledInvariant] { expressions?.invariants ?? [] }
    /// Its limits that are expressions; `nil`: it has none.
    var movingLimits: MovingLimits? { expressions?.movingLimits }
    /// The expression that its answers follow from; `nil`: people give them.
    var calculated: CompiledExpression? { expressions?.calculated }
    /// The expression that gives it the answers that it begins with; `nil`: there is no such expression.
    var initialExpression: CompiledExpression? { expressions?.initial }
    /// The expression that is true where it is enabled; `nil`: its conditions decide.
    var enableWhen: CompiledExpression? { expressions?.enableWhen }

    /// Directly in it.
    var children: [Int] = []
    /// The first position behind everything that is in it.
    var end = 0
    var conditions: [Condition] = []
    /// The questions that have to have an answer before this one gets one (F-37).
    var parents: [Sight] = []
    /// The questions that are cleared when this one changes (F-36).
    var dependants: [Sight] = []
    /// It, or the nearest item around it, that has conditions or an expression in their place: whether that one is enabled decides for this one. `nil`: it
    /// is always enabled.
    var gatekeeper: Int?
    /// Its number among the items that decide for themselves and others. `nil`: it does not.
    var gatekeeperNumber: Int?
    /// Its conditions go round in a circle, so that nothing could ever be found out. No such form is loaded.
    var isNeverEnabled = false
    /// The answers that it has when the form is opened. Only those that fit.
    var initial: [FormValue] = []
    /// Something in it has initial values or an expression for them, or is there more than once from the start.
    var isFurnished = false
    /// A group that is written even if it is empty, since it has to have something in it.
    var isDemanding = false

    /// Whether what is in it has a step with an index for it.
    var isContainer: Bool { item.repeats && (item.kind == .group || !children.isEmpty) }

    /// Whether something has to be said to it, or in it.
    var isDemanded: Bool {
        isDemanding || item.kind != .display && item.isRequired
            || item.repeats && (item.constraints.minimumOccurs ?? 0) > 0
    }

    /// It, and all that is in it, there once.
    var size = FilledSize()
    /// The same, and what is there more than once in it from the start.
    var openingSize = FilledSize()
    /// It says something to people that has to stay as it is: nobody completes the form with anything else in its place.
    var isFixed = false

    /// How many steps it takes to hold the answers against its pattern.
    func matchingStepCount(for values: [FormValue]) -> Int {
        guard let pattern else { return 0 }
        return values.reduce(0) { $0 + ($1.lexicalText.map(pattern.stepCount) ?? 0) }
    }

    /// How many times a group is there when the form is opened.
    var openingCount: Int {
        guard item.kind == .group, item.repeats else { return 1 }
        return max(1, min(item.constraints.minimumOccurs ?? 1, item.maximumInstanceCount))
    }

    /// How many times what is in it is there then.
    var openingTimes: Int { isContainer && item.kind.isQuestion ? max(1, initial.count) : openingCount }

    /// An item of a questionnaire is large: kept by reference, it is not copied wherever something of it is looked up.
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

    /// A condition, and where the question that it is about is seen.
    struct Condition: Sendable {
        let condition: QuestionnaireEnableCondition
        /// `nil`: there is no such question.
        let question: Sight?
    }
}

/// How one item sees another: within what repeats around both of them the same time, and beyond that every time.
struct Sight: Hashable, Sendable {
    /// The one that is seen.
    let item: Int
    /// How many of the repeating items are around both.
    let shared: Int
    /// Whether the one who looks is below an answer of a repeating question, and looks at that question: it sees that
    /// answer.
    let isOfOwnAnswer: Bool
    /// Whether it is in nothing that repeats, and seen as a whole.
    let isSingle: Bool
    /// The same, seen by the other one: whether that is below the answers of the one that looks.
    let isBelowOwnAnswers: Bool

    /// The question, within what repeats around both, for the one who stands at these indices.
    func place(from indices: [Int]) -> ItemOccurrence { ItemOccurrence(item, Array(indices.prefix(shared))) }
}

/// Names an item that may be there several times: one of the times.
struct ItemOccurrence: Hashable, Sendable {
    /// Its position in the form.
    let item: Int
    /// Which time of each repeating item around it, from the outside. From 0.
    let indices: [Int]

    init(_ item: Int, _ indices: [Int]) {
        self.item = item
        self.indices = indices
    }
}

extension ItemOccurrence: Comparable {
    /// In the order of the form.
    static func < (left: ItemOccurrence, right: ItemOccurrence) -> Bool {
        left.item == right.item ? left.indices.lexicographicallyPrecedes(right.indices) : left.item < right.item
    }
}
