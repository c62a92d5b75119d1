import GateExpressions
import GateModel

/// An expression of a form, with everything that it depends on.
struct CompiledExpression: Sendable {
    /// Items that it reads, including everything in them.
    struct Read: Sendable {
        /// The positions in `CompiledOutline.items` of an item that it reads and of everything in that item.
        let items: Range<Int>
        /// The number of repeating items around both the expression and these items. It reads only the same instance.
        let shared: Int
        let gatekeepers: [Int]
    }

    let expression: FormExpression
    /// The variables that it uses, directly or through other variables. Each comes after those that it uses itself.
    let variables: [CompiledVariable]
    /// Everything that it reads, apart from its variables.
    let ownReads: [Read]
    let reads: [Read]
    /// Whether it depends on the date or the time.
    let readsClock: Bool
}

final class CompiledVariable: Sendable {
    let name: String
    /// The position of the item at which it is defined; `nil` if it is defined for the whole form.
    let owner: Int?
    /// `nil` if the expression can't be parsed. No such form is loaded.
    let expression: CompiledExpression?

    init(_ name: String, owner: Int?, expression: CompiledExpression?) {
        (self.name, self.owner, self.expression) = (name, owner, expression)
    }
}

/// The expressions of an item. Kept by reference, because most items have none.
final class CompiledExpressions: Sendable {
    let invariants: [CompiledInvariant]
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

    var isEmpty: Bool {
        invariants.isEmpty && movingLimits == nil && calculated == nil && initial == nil && enableWhen == nil
    }
}

enum CompiledLabelPart: Sendable {
    case question(Int)
    /// An expression about the response.
    case expression(CompiledExpression)
}

/// The variables that an expression may use at its place.
struct CompiledScope {
    /// `nil` if the expression is defined for the whole form.
    var item: Int?
    var variables: [CompiledVariable] = []
}

extension FormCompiler {
    /// `nil` if the text can't be parsed. No such form is loaded.
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
            // An expression that begins at its own item sees only that instance.
            let shared =
                own.readsResource || own.linkIDs == nil
                ? 0 : zip(around, items[position].containers).prefix { $0 == $1 }.count
            return CompiledExpression.Read(items: range, shared: shared, gatekeepers: gatekeepers[position] ?? [])
        }
    }
}

extension CompiledItem {
    /// The repeating items around one place of an expression. Below a question, expressions see all of its answers.
    fileprivate var placeContainers: [Int] { isContainer && item.kind == .group ? containers + [position] : containers }
}
