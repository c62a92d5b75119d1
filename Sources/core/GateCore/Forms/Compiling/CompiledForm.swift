public import GateModel

/// A questionnaire with everything worked out that does not depend on answers (F-29): where each item is, what hangs on
/// what, and in which order that can be found out.
///
/// Takes any questionnaire, also one that nobody has checked: what makes no sense in it (two items with one linkId, items
/// whose conditions go round in a circle) is never asked.
public struct CompiledForm: Hashable, Sendable {
    let outline: CompiledOutline
    /// The rows of a draft as it is opened.
    private(set) var openedRows: AnswerRows

    public init(_ questionnaire: Questionnaire) {
        outline = FormCompiler.outline(of: questionnaire)
        openedRows = AnswerRows(of: outline)
        var filled = FilledForm(self)
        filled.furnish(outline.roots, at: [], .everything)
        openedRows = filled.rows
    }

    public var questionnaire: Questionnaire { outline.questionnaire }

    /// The item with this linkId; `nil`: the form has none.
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

/// The items of a form in the order of the form, each known by its position from 0. What is below an item follows it.
final class CompiledOutline: Sendable {
    let questionnaire: Questionnaire
    let items: [CompiledItem]
    /// The positions of items by linkId.
    let positions: [String: Int]
    /// The items that are in no other.
    let roots: [Int]
    /// The rules about the response as a whole.
    let invariants: [CompiledInvariant]
    /// The parts of the label of a draft.
    let label: [CompiledLabelPart]
    /// Whether it has rules, limits or anything else that are expressions.
    let hasExpressions: Bool
    /// Whether expressions decide which items are enabled.
    let hasEnablingExpressions: Bool
    /// How many items decide whether they and others are enabled.
    let gatekeeperCount: Int
    /// Which answers follow from which; `nil`: nothing is calculated.
    let following: DependencyGraph?
    /// The questions that begin with the result of an expression.
    let initiallyCalculated: [Int]
    /// The bytes of a response with each item once, without answers.
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

    /// Whether the day decides which items are enabled.
    var isEnabledByClock: Bool { items.contains { $0.enableWhen?.readsClock ?? false } }

    /// Whether answers of it are worked out by expressions.
    var worksOutAnswers: Bool { following != nil || !initiallyCalculated.isEmpty }

    var isForGrownUps: Bool {
        switch questionnaire.completedBy {
        case .anybody: false
        case .grownUp: true
        }
    }

    /// The furnishing that is there in any case, however the form is filled in.
    var leastFurnishing: FilledForm.Furnishing { isForGrownUps ? .readOnly : .counts }

    /// The items directly in one; `nil`: directly in the form.
    func children(of item: Int?) -> [Int] {
        item.map { items[$0].children } ?? roots
    }

    /// - Parameter indices: of the repeating items around it, at least as many as there are.
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
