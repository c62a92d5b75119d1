import GateModel
import Testing

@testable import GateCore

/// Conditions (F-38).
@Suite("Conditions in forms")
struct EnablementTests {
    typealias Operator = QuestionnaireEnableCondition.Operator

    static let operators: [(Operator, FormValue, yes: [[Int32]], no: [[Int32]])] = [
        (.exists, .boolean(true), [[1], [1, 2]], [[]]), (.exists, .boolean(false), [[]], [[1]]),
        (.exists, .integer(5), [], [[], [5]]),
        (.equal, .integer(5), [[5], [1, 5]], [[], [4], [6, 7]]),
        (.notEqual, .integer(5), [[], [4], [6, 7]], [[5], [1, 5]]),
        (.greater, .integer(5), [[6], [1, 6]], [[], [5], [4]]), (.less, .integer(5), [[4], [6, 4]], [[], [5], [6]]),
        (.greaterOrEqual, .integer(5), [[5], [6], [4, 5]], [[], [4]]),
        (.lessOrEqual, .integer(5), [[5], [4], [6, 5]], [[], [6]]),
        (.equal, .string("5"), [], [[], [5]]), (.greater, .string("4"), [], [[5]]),
        (.notEqual, .string("5"), [[5]], []),
    ]

    @Test("every operator holds exactly for the answers that R4 names", arguments: operators.indices)
    func holds(index: Int) {
        let (comparison, answer, yes, no) = Self.operators[index]
        let condition = QuestionnaireEnableCondition.when("q", comparison, answer)
        for answers in yes { #expect(condition.holds(for: answers.map(FormValue.integer)), "\(comparison) \(answers)") }
        for answers in no { #expect(!condition.holds(for: answers.map(FormValue.integer)), "\(comparison) \(answers)") }
    }

    @Test("a comparison with an incomplete date does not hold if it can't be decided")
    func undecidable() throws {
        for comparison in [Operator.equal, .greater, .less, .greaterOrEqual, .lessOrEqual] {
            let condition = try QuestionnaireEnableCondition.when("q", comparison, .date("2020-06-15"))
            #expect(try !condition.holds(for: [.date("2020-06")]), "\(comparison)")
        }
        #expect(
            try QuestionnaireEnableCondition.when("q", .notEqual, .date("2020-06-15")).holds(for: [.date("2020-06")]))
    }

    @Test("a question is enabled if all of its conditions hold, or any of them")
    func behaviour() throws {
        for behaviour in QuestionnaireItem.EnableBehavior.allCases {
            var draft = FormDraft.opened([
                .question("x", .boolean), .question("y", .boolean),
                .question("z", .string) {
                    $0.enableWhen = [.when("x", .equal, .boolean(true)), .when("y", .equal, .boolean(true))]
                    $0.enableBehavior = behaviour
                },
            ])
            #expect(try !draft.isEnabled("z"))
            try draft.set("x", .boolean(true))
            #expect(try draft.isEnabled("z") == (behaviour == .any))
            try draft.set("y", .boolean(true))
            #expect(try draft.isEnabled("z"))
        }
    }

    @Test("items in a disabled group are disabled, and conditions see no answer of a disabled question")
    func shutHasNoAnswer() throws {
        var draft = FormDraft.opened([
            .question("on", .boolean),
            .group("g", [.group("h", [.question("in", .string)])]) {
                $0.enableWhen = [.when("on", .equal, .boolean(true))]
            },
            .question("with", .string) { $0.enableWhen = [.when("in", .exists, .boolean(true))] },
            .question("without", .string) { $0.enableWhen = [.when("in", .exists, .boolean(false))] },
        ])
        try draft.set("on", .boolean(true))
        try draft.set("in", .string("x"))
        #expect(try draft.isEnabled("h") && draft.isEnabled("with") && !draft.isEnabled("without"))
        try draft.set("on", .boolean(false))
        #expect(try !draft.isEnabled("h") && !draft.isEnabled("in"))
        #expect(try !draft.isEnabled("with") && draft.isEnabled("without"))
    }

    @Test("a condition within a repeating group sees its own instance; outside, every instance counts")
    func lookup() throws {
        var draft = FormDraft.opened([
            .group(
                "driver",
                [
                    .question("new", .boolean),
                    .group(
                        "details",
                        [.question("year", .integer) { $0.enableWhen = [.when("new", .equal, .boolean(false))] }]),
                ]
            ) { $0.repeats = true },
            .question("course", .string) { $0.enableWhen = [.when("new", .equal, .boolean(true))] },
        ])
        try draft.set("driver[0]/new", .boolean(false))
        #expect(try draft.isEnabled("driver[0]/year") && !draft.isEnabled("course"))
        try draft.set("driver[1]/new", .boolean(true))
        #expect(
            try draft.isEnabled("driver[0]/year") && !draft.isEnabled("driver[1]/year") && draft.isEnabled("course"))
    }

    @Test("below one of several answers, a condition on the question sees that answer alone")
    func ownAnswer() throws {
        var draft = FormDraft.opened([
            .choice("allergy", ["nuts", "other"]) {
                $0.repeats = true
                $0.items = [.question("which", .string) { $0.enableWhen = [.when("allergy", .equal, .code("other"))] }]
            }
        ])
        try draft.set("allergy", .code("nuts"), .code("other"))
        #expect(try !draft.isEnabled("allergy[0]/which") && draft.isEnabled("allergy[1]/which"))
    }

    @Test("conditions in a circle are never enabled, and a condition on nothing has no answers")
    func unchecked() throws {
        let draft = FormDraft.opened([
            .question("a", .string) { $0.enableWhen = [.when("b", .exists, .boolean(false))] },
            .question("b", .string) { $0.enableWhen = [.when("a", .exists, .boolean(false))] },
            .question("self", .string) { $0.enableWhen = [.when("self", .exists, .boolean(false))] },
            .group("around", [.question("in", .boolean)]) { $0.enableWhen = [.when("in", .exists, .boolean(false))] },
            .question("after", .string) { $0.enableWhen = [.when("a", .exists, .boolean(false))] },
            .question("nothing", .string) { $0.enableWhen = [.when("nowhere", .exists, .boolean(false))] },
            .question("nothing", .integer),
        ])
        for shut in ["a", "b", "self", "around", "in", "after"] { #expect(try !draft.isEnabled(shut), "\(shut)") }
        #expect(try draft.isEnabled("nothing"))
        #expect(draft.issues(now: .epoch).isEmpty)
    }

    @Test("a chain of 20,000 conditions, each on the one before, is followed from end to end")
    func longChain() throws {
        let count = 20_000
        let items = (0..<count).map { index in
            QuestionnaireItem.question("q\(index)", .boolean) {
                if index > 0 { $0.enableWhen = [.when("q\(index - 1)", .equal, .boolean(true))] }
                $0.initial = [.boolean(true)]
            }
        }
        // The order is reversed too: each item waits for the next.
        for items in [items, items.reversed()] {
            var draft = FormDraft.opened(items)
            #expect(try draft.isEnabled("q\(count - 1)"))
            #expect(draft.completed.items.count == count)
            #expect(draft.issues(now: .epoch).isEmpty)
            try draft.set("q0", .boolean(false))
            #expect(try !draft.isEnabled("q\(count - 1)"))
            #expect(draft.completed.items.count == 1)
            #expect(FormDraft(restoring: draft.rows, of: draft.form) == draft)
        }
    }

    @Test("a chain of 20,000 parents is cleared from end to end")
    func longChainOfParents() throws {
        let count = 20_000
        var draft = FormDraft.opened(
            (0..<count).map { index in
                .question("q\(index)", .boolean) {
                    if index > 0 { $0.parents = ["q\(index - 1)"] }
                    $0.initial = [.boolean(true)]
                }
            })
        #expect(try draft.set("q0", .boolean(false)).cleared.count == count - 1)
    }

    @Test("groups that would be there without end are opened as far as there is room, and nothing fails")
    func groupsWithoutEnd() throws {
        func many(_ linkID: String, _ items: [QuestionnaireItem]) -> QuestionnaireItem {
            .group(linkID, items) {
                $0.repeats = true
                $0.constraints.minimumOccurs = .max
            }
        }
        let draft = FormDraft.opened([many("a", [many("b", [many("c", [.question("d", .string)])])])])
        #expect(draft.rows.count <= FormBounds.repeatedItems)
    }
}
