import GateModel
import GateScripting

@testable import GateCore

/// A random questionnaire, which may be invalid.
struct RandomForm {
    var chance: SeededGenerator
    private var count = 0
    /// Whether questions name others as their parents.
    private let hasParents: Bool
    /// Whether answers follow from others by expressions, also in circles.
    private let calculates: Bool

    init(seed: UInt64, calculates: Bool = false) {
        self.calculates = calculates
        chance = SeededGenerator(seed: seed)
        hasParents = seed % 2 == 0
    }

    mutating func questionnaire() -> Questionnaire {
        Questionnaire.of(items(depth: 0))
    }

    private mutating func items(depth: Int) -> [QuestionnaireItem] {
        (0..<Int.random(in: depth == 0 ? 4...8 : 1...3, using: &chance)).map { _ in item(depth: depth) }
    }

    private mutating func item(depth: Int) -> QuestionnaireItem {
        let kinds: [QuestionnaireItem.Kind] = [
            .group, .group, .display, .boolean, .boolean, .integer, .decimal, .string, .choice, .openChoice, .date,
        ]
        var item = QuestionnaireItem(linkID: "q\(count)", kind: kinds.randomElement(using: &chance) ?? .string)
        count += 1
        item.repeats = oneIn(3)
        item.isRequired = oneIn(4)
        item.isReadOnly = oneIn(9)
        if oneIn(3) {
            item.enableWhen = (0..<Int.random(in: 1...2, using: &chance)).map { _ in
                QuestionnaireEnableCondition(
                    question: linkID(),
                    comparison: QuestionnaireEnableCondition.Operator.allCases.randomElement(using: &chance) ?? .equal,
                    answer: value())
            }
            item.enableBehavior = oneIn(2) ? .all : .any
        }
        if hasParents, oneIn(4) { item.parents = [linkID()] }
        if item.repeats, oneIn(2) { item.constraints.maximumOccurs = Int.random(in: 1...3, using: &chance) }
        if item.repeats, oneIn(4) { item.constraints.minimumOccurs = Int.random(in: 0...3, using: &chance) }
        switch item.kind {
        case .choice, .openChoice:
            item.options = ["a", "b", "c"].map {
                QuestionnaireAnswerOption(.code($0, "The \($0)"), isInitiallySelected: oneIn(5))
            }
            item.options[2].isExclusive = oneIn(2)
        case .group, .display: break
        case .integer where oneIn(2): item.constraints.maximum = .integer(3)
        case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .attachment, .reference,
            .quantity:
            if oneIn(3) { item.initial = (0..<Int.random(in: 1...3, using: &chance)).map { _ in value() } }
        }
        if item.kind == .group || depth < 3 && item.kind != .display && oneIn(4) {
            item.items = depth < 3 ? items(depth: depth + 1) : []
        }
        if calculates { addExpressions(to: &item) }
        return item
    }

    private mutating func addExpressions(to item: inout QuestionnaireItem) {
        let seen = "%resource.descendants().where(linkId = '\(linkID())').answer"
        if oneIn(5) {
            item.enableWhen = []
            item.expressions.enableWhen = "\(seen).count() > 1"
        }
        if oneIn(3) {
            item.expressions.calculated = calculation(of: seen, for: item.kind)
        } else if oneIn(4) {
            item.expressions.initial = calculation(of: seen, for: item.kind)
        }
        guard item.kind == .group, let read = item.items.indices.randomElement(using: &chance),
            let calculated = item.items.indices.randomElement(using: &chance)
        else { return }
        let source = "item.where(linkId = '\(item.items[read].linkID)').answer"
        item.expressions.variables = [QuestionnaireVariable(name: "seen", expression: source)]
        guard let expression = calculation(of: "%seen", for: item.items[calculated].kind) else { return }
        item.items[calculated].expressions.calculated = expression
    }

    private func calculation(of seen: String, for kind: QuestionnaireItem.Kind) -> String? {
        switch kind {
        case .boolean: "\(seen).exists()"
        case .integer, .decimal: "\(seen).count()"
        case .string: "\(seen).value.toString()"
        case .date: "today() + \(seen).count() * 1 'day'"
        case .choice, .openChoice: "\(seen).value"
        case .group, .display, .dateTime, .time, .text, .url, .attachment, .reference, .quantity: nil
        }
    }

    /// Mostly a linkId that exists, or will.
    mutating func linkID() -> String { "q\(Int.random(in: 0...max(count + 3, 8), using: &chance))" }

    mutating func value() -> FormValue {
        let dates = ["2020", "2020-06", "2020-06-15", "2021-01-01"].compactMap(FormDate.init).map(FormValue.date)
        let numbers = ["1.5", "1.50", "2"].compactMap(FormDecimal.init).map(FormValue.decimal)
        let values: [FormValue] =
            [
                .boolean(true), .boolean(true), .boolean(false), .integer(1), .integer(2), .integer(7), .string("x"),
                .string("y"), .code("a"), .code("b"), .code("c"), .code("d"),
            ] + dates + numbers
        return values.randomElement(using: &chance) ?? .boolean(true)
    }

    /// Mostly values that fit the kind.
    mutating func values(for item: QuestionnaireItem?) -> [FormValue] {
        let count = Int.random(in: 0...(item?.repeats ?? oneIn(9) ? 3 : 1), using: &chance)
        return (0..<count).map { _ in
            for _ in 0..<20 {
                let value = value()
                if item.flatMap({ CompiledItem.alone($0).flaw(of: value) }) == nil { return value }
            }
            return value()
        }
    }

    mutating func oneIn(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &chance) == 0 }

    mutating func index(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &chance) }
}

extension CompiledItem {
    /// A compiled item that is in no form.
    static func alone(_ item: QuestionnaireItem) -> CompiledItem {
        CompiledItem(item, position: 0, parent: nil, rank: 0, containers: [], path: nil, isReadOnly: false)
    }
}
