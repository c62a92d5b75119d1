public import GateModel

/// A questionnaire with everything computed that does not depend on answers: the place of each item, what depends on
/// what, and in which order that can be evaluated.
///
/// Any questionnaire can be compiled, even one that was not checked. Parts that make no sense (two items with one
/// linkId, items whose conditions form a circle) are never asked.
public struct CompiledForm: Hashable, Sendable {
    let outline: CompiledOutline
    /// The rows of a draft when it is opened.
    private(set) var openedRows: AnswerRows

    public init(_ questionnaire: Questionnaire) {
        outline = FormCompiler.outline(of: questionnaire)
        openedRows = AnswerRows(of: outline)
        var filled = FilledForm(self)
        filled.setInitialContents(of: outline.roots, at: [], .everything)
        openedRows = filled.rows
    }

    public var questionnaire: Questionnaire { outline.questionnaire }

    /// The item with this linkId; `nil` if the form has none.
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
    /// The positions of items by linkId.
    let positions: [String: Int]
    /// The items at the top level.
    let roots: [Int]
    /// The rules about the whole response.
    let invariants: [CompiledInvariant]
    /// The parts of a draft's label.
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

    /// Whether expressions give any answers.
    var worksOutAnswers: Bool { following != nil || !initiallyCalculated.isEmpty }

    var isForGrownUps: Bool {
        switch questionnaire.completedBy {
        case .anybody: false
        case .grownUp: true
        }
    }

    /// What a form has at least, however it is filled in.
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
