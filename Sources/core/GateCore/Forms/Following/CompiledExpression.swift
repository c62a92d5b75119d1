import GateExpressions
import GateModel

/// An expression of a form, with all that it hangs on worked out.
struct CompiledExpression: Sendable {
    /// Items that it reads, with all that is in them.
    struct Read: Sendable {
        /// The first position, and the first one behind.
        let items: Range<Int>
        /// How many of the repeating items around the expression are around them, the same time.
        let shared: Int
        /// The items that decide whether these are enabled.
        let gatekeepers: [Int]
    }

    let expression: FormExpression
    /// The variables that it names, and those that these name, each behind those that it names itself.
    let variables: [CompiledVariable]
    /// All that it reads without its variables.
    let ownReads: [Read]
    /// All that it reads.
    let reads: [Read]
    /// Whether it asks for the day or the time.
    let readsClock: Bool
}

/// A variable, and the item that it stands at.
final class CompiledVariable: Sendable {
    let name: String
    /// `nil`: it is about the response.
    let owner: Int?
    /// `nil`: it can't be read as one. No such form is loaded.
    let expression: CompiledExpression?

    init(_ name: String, owner: Int?, expression: CompiledExpression?) {
        (self.name, self.owner, self.expression) = (name, owner, expression)
    }
}

/// The expressions of an item. Kept by reference: most items have none.
final class CompiledExpressions: Sendable {
    let invariants: [CompiledInvariant]
    /// `nil`: no limit is an expression.
    let movingLimits: MovingLimits?
    let calculated: CompiledExpression?
    let initial: CompiledExpression?
    let enableWhen: CompiledExpression?

    init(
        invariants: [CompiledInvariant], movingLimits: MovingLimits?, calculated: CompiledExpression?,
        initial: CompiledExpression?, enableWhen: CompiledExpression?
    ) {
        self.invariants = invariants
        self.movingLimits = movingLimits
        self.calculated = calculated
        self.initial = initial
        self.enableWhen = enableWhen
    }

    /// It has none, and neither has what could be put in their place.
    var isEmpty: Bool {
        invariants.isEmpty && movingLimits == nil && calculated == nil && initial == nil && enableWhen == nil
    }
}

/// A part of the label of a draft.
enum CompiledLabelPart: Sendable {
    case question(Int)
    /// About the response.
    case expression(CompiledExpression)
}

/// The variables that an expression may name, by where it stands.
struct CompiledScope {
    /// The item that it stands at; `nil`: it is about the response.
    var item: Int?
    var variables: [CompiledVariable] = []
}

extension FormCompiler {
    /// `nil`: it is no expression. No such form is loaded.
    func expression(_ source: String, in scope: CompiledScope) -> CompiledExpression? {
        let names = Set(scope.variables.map(\.name))
        guard let expression = try? FormExpression(source, knowing: ExpressionVocabulary(variables: names)) else {
            return nil
        }
        let own = expression.reads(contextLinkID: scope.item.map { items[$0].item.linkID })
        var variables: [CompiledVariable] = []
        for variable in scope.variables where own.variables.contains(variable.name) {
            for needed in (variable.expression?.variables ?? []) + [variable]
            where !variables.contains(where: { $0 === needed }) {
                variables.append(needed)
            }
        }
        let ownReads = reads(of: own, at: scope.item)
        return CompiledExpression(
            expression: expression, variables: variables, ownReads: ownReads,
            reads: ownReads + variables.flatMap { $0.expression?.ownReads ?? [] },
            readsClock: own.readsClock || variables.contains { $0.expression?.readsClock ?? false })
    }

    private func reads(of own: ExpressionReads, at item: Int?) -> [CompiledExpression.Read] {
        let named = own.linkIDs?.compactMap { positions[$0] } ?? roots
        let around = item.map { items[$0].placeContainers } ?? []
        return named.sorted().map { position in
            let range = position..<items[position].end
            // Where it begins at its own item, it sees that time of it alone.
            let shared =
                own.readsResource || own.linkIDs == nil
                ? 0 : zip(around, items[position].containers).prefix { $0 == $1 }.count
            return CompiledExpression.Read(items: range, shared: shared, gatekeepers: gatekeepers[position] ?? [])
        }
    }
}

extension CompiledItem {
    /// The items that repeat around one time of it: below a question, expressions see all of its answers.
    fileprivate var placeContainers: [Int] { isContainer && item.kind == .group ? containers + [position] : containers }
}
