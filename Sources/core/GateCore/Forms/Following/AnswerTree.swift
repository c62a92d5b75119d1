import GateExpressions
import GateModel

/// The answers of a form as expressions see them: like a response, with only enabled items. Nothing is copied.
final class AnswerTree: Sendable {
    private let filled: FilledForm
    private let enablement: KnownEnablement
    /// The number of lookups so far, which expressions are charged for. It is safe as `nonisolated(unsafe)`, because
    /// only one expression at a time walks a tree.
    fileprivate private(set) nonisolated(unsafe) var lookedCount = 0

    /// - Parameter enablement: whether the items with conditions are enabled, at least those in which expressions look
    ///   for answers. An item whose result is missing counts as disabled, with everything in it.
    init(_ filled: FilledForm, _ enablement: KnownEnablement) {
        (self.filled, self.enablement) = (filled, enablement)
    }

    enum Place {
        case response
        case item(ItemOccurrence)
        case instance(ItemOccurrence, Int)
        case answer(ItemOccurrence, Int)
    }

    func node(_ place: Place) -> ExpressionItem { .node(AnswerNode(tree: self, place: place)) }

    /// The node of an item as seen from these indices; for a repeating group the instance that they name.
    func node(of item: Int?, from indices: [Int]) -> ExpressionItem {
        guard let item else { return node(.response) }
        let compiled = outline.items[item]
        let occurrence = ItemOccurrence(item, Array(indices.prefix(compiled.containers.count)))
        guard compiled.isContainer, compiled.item.kind == .group, indices.count > compiled.containers.count else {
            return node(.item(occurrence))
        }
        return node(.instance(occurrence, indices[compiled.containers.count]))
    }

    fileprivate var outline: CompiledOutline { filled.outline }

    fileprivate func values(of question: ItemOccurrence) -> [FormValue] { filled.answers(of: question) }

    /// The occurrences of an item that a response would have here: those of enabled items with an answer, and of groups
    /// that don't repeat and in which something is required.
    fileprivate func places(of child: Int, at indices: [Int]) -> [Place] {
        lookedCount += 1
        let occurrence = ItemOccurrence(child, indices)
        let compiled = outline.items[child]
        guard enablement.isEnabled(occurrence) else { return [] }
        switch compiled.item.kind {
        case .display: return []
        case .group where compiled.item.repeats:
            let times = 0..<filled.count(of: child, at: indices)
            return times.filter { hasAnswer(compiled.children, at: indices + [$0]) }.map { .instance(occurrence, $0) }
        case .group:
            return compiled.isDemanding || hasAnswer(compiled.children, at: indices) ? [.item(occurrence)] : []
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice,
            .attachment, .reference, .quantity:
            return values(of: occurrence).isEmpty ? [] : [.item(occurrence)]
        }
    }

    private func hasAnswer(_ children: [Int], at indices: [Int]) -> Bool {
        children.contains { child in
            lookedCount += 1
            let compiled = outline.items[child]
            guard compiled.item.kind == .group, !compiled.item.repeats else {
                return !places(of: child, at: indices).isEmpty
            }
            return enablement.isEnabled(ItemOccurrence(child, indices)) && hasAnswer(compiled.children, at: indices)
        }
    }
}

/// The known results of enablement, for the items that decide.
struct KnownEnablement: Sendable {
    private let outline: CompiledOutline
    /// The results of items without a repeating item around them, by their gatekeeper number.
    private var single: [Bool?]
    private var repeated: [ItemOccurrence: Bool] = [:]

    init(of outline: CompiledOutline) {
        self.outline = outline
        single = Array(repeating: nil, count: outline.gatekeeperCount)
    }

    subscript(gatekeeper: ItemOccurrence) -> Bool? {
        get { place(of: gatekeeper).map { single[$0] } ?? repeated[gatekeeper] }
        set {
            if let place = place(of: gatekeeper) {
                single[place] = newValue
            } else {
                repeated[gatekeeper] = newValue
            }
        }
    }

    private func place(of gatekeeper: ItemOccurrence) -> Int? {
        gatekeeper.indices.isEmpty ? outline.items[gatekeeper.item].gatekeeperNumber : nil
    }

    func isEnabled(_ occurrence: ItemOccurrence) -> Bool {
        outline.gatekeeper(of: occurrence.item, at: occurrence.indices).map { self[$0] == true } ?? true
    }
}

extension CompiledOutline {
    /// The item that decides whether this one is enabled; `nil` if it always is.
    func gatekeeper(of item: Int, at indices: some Collection<Int>) -> ItemOccurrence? {
        guard let gatekeeper = items[item].gatekeeper else { return nil }
        return ItemOccurrence(gatekeeper, Array(indices.prefix(items[gatekeeper].containers.count)))
    }
}

private struct AnswerNode: ExpressionNode {
    let tree: AnswerTree
    let place: AnswerTree.Place

    var typeName: String? {
        switch place {
        case .response: "QuestionnaireResponse"
        case .item, .instance, .answer: nil
        }
    }

    var lookedCount: Int { tree.lookedCount }

    var children: [(name: String, item: ExpressionItem)] {
        ["questionnaire", "status", "linkId", "text", "answer", "value", "item"].flatMap { name in
            children(named: name).map { (name, $0) }
        }
    }

    func children(named name: String) -> [ExpressionItem] {
        switch (place, name) {
        case (.response, "questionnaire"):
            tree.outline.questionnaire.canonical.map { [.value(.string($0))] } ?? []
        case (.response, "status"):
            [.value(.string(QuestionnaireResponse.Status.inProgress.rawValue))]
        case (.item(let occurrence), "linkId"), (.instance(let occurrence, _), "linkId"):
            [.value(.string(tree.outline.items[occurrence.item].item.linkID))]
        case (.item(let occurrence), "text"), (.instance(let occurrence, _), "text"):
            tree.outline.items[occurrence.item].item.text.map { [.value(.string($0))] } ?? []
        case (.item(let question), "answer"):
            tree.values(of: question).indices.map { tree.node(.answer(question, $0)) }
        case (.answer(let question, let number), "value"):
            [tree.values(of: question)[number].expressionItem]
        case (_, "item"):
            content.children.flatMap { tree.places(of: $0, at: content.indices) }.map(tree.node)
        case _: []
        }
    }

    func items(linkIDs: [String]) -> [ExpressionItem]? {
        let content = content
        guard !content.children.isEmpty else { return [] }
        let items = linkIDs.compactMap { tree.outline.positions[$0] }.filter { tree.outline.items[$0].parent == owner }
        let inOrder = items.count > 1 ? Set(items).sorted() : items
        return inOrder.flatMap { tree.places(of: $0, at: content.indices) }.map(tree.node)
    }

    private var owner: Int? {
        switch place {
        case .response: nil
        case .item(let occurrence), .instance(let occurrence, _), .answer(let occurrence, _): occurrence.item
        }
    }

    private var content: (children: [Int], indices: [Int]) {
        switch place {
        case .response: (tree.outline.roots, [])
        case .item(let occurrence):
            // A question's children are its answers, and each instance of a repeating group is a place of its own.
            tree.outline.items[occurrence.item].item.kind == .group && !tree.outline.items[occurrence.item].isContainer
                ? (tree.outline.items[occurrence.item].children, occurrence.indices) : ([], [])
        case .instance(let group, let time): (tree.outline.items[group.item].children, group.indices + [time])
        case .answer(let question, let number):
            (
                tree.outline.items[question.item].children,
                tree.outline.items[question.item].isContainer ? question.indices + [number] : question.indices
            )
        }
    }
}
