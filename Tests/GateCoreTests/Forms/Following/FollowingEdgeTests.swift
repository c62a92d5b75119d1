import GateModel
import Testing

@testable import GateCore

@Suite("Values that follow, where forms are large, deep or odd")
struct FollowingEdgeTests {
    /// 2026-11-25, noon in UTC.
    private static let noon = LocalTime(WallTime(unixMilliseconds: 1_795_608_000_000))
    private static let nextDay = LocalTime(WallTime(unixMilliseconds: 1_795_608_000_000 + 86_400_000))

    private static func draft(_ items: [QuestionnaireItem]) -> FormDraft {
        FormDraft.opened(CompiledForm(.of(items)), now: noon)
    }

    private static func calculated(
        _ linkID: String, _ kind: QuestionnaireItem.Kind, _ expression: String, isReadOnly: Bool = false
    ) -> QuestionnaireItem {
        .question(linkID, kind) {
            $0.expressions.calculated = expression
            $0.isReadOnly = isReadOnly
        }
    }

    @Test("the longest possible chain of variables is evaluated at once")
    func variables() throws {
        var form = Questionnaire.of([.question("a", .integer), Self.calculated("b", .integer, "%v499")])
        form.variables = (0..<500).map { number in
            let before = number == 0 ? "item.where(linkId = 'a').answer.value" : "%v\(number - 1)"
            return QuestionnaireVariable(name: "v\(number)", expression: "\(before) + 1")
        }
        var draft = FormDraft.opened(CompiledForm(form), now: Self.noon)
        _ = try draft.set(.at("a"), to: [.integer(1)], now: Self.noon)
        #expect(try draft.values("b") == [.integer(501)])
    }

    @Test("variables that double a text of combining marks make no answer of it, first, calculated or in a label")
    func doubledMarks() throws {
        let marks = (0..<60).map { $0.isMultiple(of: 2) ? "\u{315}" : "\u{301}" }.joined()
        var form = Questionnaire.of([
            .question("a", .string) { $0.initial = [.string(marks)] },
            Self.calculated("two", .string, "%v1"), Self.calculated("four", .string, "%v2"),
            .question("many", .text) { $0.expressions.initial = "%v12" },
            Self.calculated("letters", .text, "'x' & %v1 & 'x' & %v1"),
        ])
        form.variables = (0..<13).map { number in
            let before = number == 0 ? "item.where(linkId = 'a').answer.value" : "%v\(number - 1) & %v\(number - 1)"
            return QuestionnaireVariable(name: "v\(number)", expression: before)
        }
        form.label = [.result(of: "%v12"), .answers(to: "letters")]
        let draft = FormDraft.opened(CompiledForm(form), now: Self.noon)
        #expect(try draft.values("two") == [.string(marks + marks)])
        #expect(try draft.values("four") == [] && draft.values("many") == [])
        #expect(try draft.values("letters") == [.string("x\(marks + marks)x\(marks + marks)")])
        for case .string(let text) in draft.rows.values.flatMap({ $0.values ?? [] }) {
            #expect(!CombiningMarks.areTooMany(in: text))
        }
        #expect(!draft.label.isEmpty && !CombiningMarks.areTooMany(in: draft.label))
    }

    @Test("groups within groups are looked through once")
    func depth() throws {
        let inner = QuestionnaireItem.question("q", .string)
        let nested = (0..<31).reduce(inner) { item, depth in .group("g\(depth)", [item]) }
        var draft = Self.draft([nested, Self.calculated("n", .integer, "%resource.item.where(linkId = 'g30').count()")])
        _ = try draft.set(.at("q"), to: [.string("x")], now: Self.noon)
        #expect(try draft.values("n") == [.integer(1)])
    }

    @Test("an answer in a new group replaces that question's initial value, and its other questions keep theirs")
    func newGroup() throws {
        var draft = Self.draft([
            .group(
                "driver",
                [
                    .question("name", .string) { $0.expressions.initial = "'nobody'" },
                    .question("kind", .string) { $0.expressions.initial = "'new'" },
                    .question("more", .string) {
                        $0.enableWhen = [.when("kind", .equal, .string("new"))]
                    },
                ]
            ) { $0.repeats = true }
        ])
        _ = try draft.set(.at("driver[1]/name"), to: [.string("Bob")], now: Self.noon)
        #expect(try draft.values("driver[1]/name") == [.string("Bob")])
        #expect(try draft.values("driver[1]/kind") == [.string("new")])
        // A question in the group may depend on its initial value.
        _ = try draft.set(.at("driver[2]/more"), to: [.string("x")], now: Self.noon)
        #expect(try draft.values("driver[2]/more") == [.string("x")])
        #expect(try draft.values("driver[2]/name") == [.string("nobody")])
    }

    @Test("a value that takes the first of several groups, or counts them, follows every answer in them")
    func choosing() throws {
        let driver = QuestionnaireItem.group("driver", [.question("name", .string), .question("born", .date)]) {
            $0.repeats = true
        }
        var draft = Self.draft([
            driver,
            Self.calculated(
                "first", .date,
                "%resource.item.where(linkId = 'driver').first().item.where(linkId = 'born').answer.value"),
            Self.calculated("hundreds", .integer, "%resource.item.where(linkId = 'driver').select(100).sum()"),
        ])
        _ = try draft.set(.at("driver[1]/born"), to: [.date("1980-01-01")], now: Self.noon)
        #expect(try draft.values("first") == [.date("1980-01-01")])
        #expect(try draft.values("hundreds") == [.integer(100)])
        _ = try draft.set(.at("driver[0]/name"), to: [.string("Anna")], now: Self.noon)
        #expect(try draft.values("first") == [])
        #expect(try draft.values("hundreds") == [.integer(200)])
    }

    @Test("a variable at a question with several answers covers all of them")
    func belowAnswers() throws {
        var draft = Self.draft([
            .question("medicine", .string) {
                $0.repeats = true
                $0.expressions.variables = [
                    QuestionnaireVariable(
                        name: "all", expression: "answer.item.where(linkId = 'dose').answer.value.sum()")
                ]
                $0.items = [.question("dose", .integer), Self.calculated("total", .integer, "%all")]
            }
        ])
        _ = try draft.set(.at("medicine"), to: [.string("a"), .string("b")], now: Self.noon)
        _ = try draft.set(.at("medicine[0]/dose"), to: [.integer(1)], now: Self.noon)
        _ = try draft.set(.at("medicine[1]/dose"), to: [.integer(2)], now: Self.noon)
        #expect(try draft.values("medicine[0]/total") == [.integer(3)])
        #expect(try draft.values("medicine[1]/total") == [.integer(3)])
    }

    @Test("initial values below a calculated answer are followed at any depth")
    func belowCalculated() throws {
        var draft = Self.draft([
            .question("a", .integer),
            .question("q", .integer) {
                $0.expressions.calculated = "%resource.item.where(linkId = 'a').answer.value"
                $0.items = [
                    .group(
                        "g",
                        [
                            .question("x", .integer) { $0.initial = [.integer(5)] },
                            .question("y", .integer) { $0.expressions.initial = "7" },
                        ])
                ]
            },
            Self.calculated(
                "sum", .integer, "%resource.descendants().where(linkId = 'x' or linkId = 'y').answer.value.sum()"),
        ])
        #expect(try draft.values("sum") == [])
        _ = try draft.set(.at("a"), to: [.integer(1)], now: Self.noon)
        #expect(try draft.values("y") == [.integer(7)])
        #expect(try draft.values("sum") == [.integer(12)])
        _ = try draft.set(.at("a"), to: [], now: Self.noon)
        #expect(try draft.values("sum") == [])
        #expect(FormDraft(restoring: draft.rows, of: draft.form).rows == draft.rows)
    }

    @Test("a form completed on the next day contains the questions that were asked when it was read")
    func nextDay() throws {
        var draft = Self.draft([
            .question("soon", .string) { $0.expressions.enableWhen = "today() < @2026-11-26" },
            .question("other", .string),
        ])
        _ = try draft.set(.at("soon"), to: [.string("x")], now: Self.noon)
        #expect(draft.issues(now: Self.nextDay).isEmpty)
        #expect(draft.response(.completed, authored: nil, includingUnanswered: false).items.map(\.linkID) == ["soon"])
        _ = try draft.set(.at("other"), to: [.string("x")], now: Self.nextDay)
        #expect(draft.response(.completed, authored: nil, includingUnanswered: false).items.map(\.linkID) == ["other"])
    }

    @Test("a form for grown-ups can't be completed with another value than the calculated one, or without it")
    func grownUps() throws {
        var form = Questionnaire.of([
            .question("a", .integer),
            Self.calculated("price", .integer, "%resource.item.where(linkId = 'a').answer.value * 2", isReadOnly: true),
        ])
        let right = QuestionnaireResponse.of(.answer("a", .integer(2)), .answer("price", .integer(4)))
        let wrong = [
            QuestionnaireResponse.of(.answer("a", .integer(2)), .answer("price", .integer(1))),
            QuestionnaireResponse.of(.answer("a", .integer(2))),
        ]
        for (completedBy, severity) in [
            (Questionnaire.CompletedBy.anybody, FormIssue.Severity.warning), (.grownUp, .error),
        ] {
            form.completedBy = completedBy
            let validator = ResponseValidator(CompiledForm(form), now: Self.noon)
            #expect(validator.issues(of: right).isEmpty)
            for response in wrong {
                #expect(validator.issues(of: response).map(\.severity) == [severity])
                #expect(validator.issues(of: response).map(\.parameters["rule"]) == ["calculated"])
            }
        }
    }

    @Test("a restored draft follows a changed formula from the next edit on")
    func reformed() throws {
        func items(_ formula: String) -> [QuestionnaireItem] {
            [
                .question("a", .integer), .question("b", .string),
                Self.calculated("c", .integer, "%resource.item.where(linkId = 'a').answer.value \(formula)"),
            ]
        }
        var draft = Self.draft(items("* 2"))
        _ = try draft.set(.at("a"), to: [.integer(3)], now: Self.noon)
        var other = FormDraft(restoring: draft.rows, of: CompiledForm(.of(items("* 3"))), moment: Self.noon)
        _ = try other.set(.at("b"), to: [.string("x")], now: Self.noon)
        #expect(try other.values("c") == [.integer(9)])
    }

    @Test("evaluating over many empty groups is billed by its steps")
    func cost() throws {
        let group = QuestionnaireItem.group("g", (0..<19).map { .question("q\($0)", .string) }) { $0.repeats = true }
        var draft = Self.draft([
            group, .question("many", .integer) { $0.repeats = true },
            Self.calculated(
                "n", .integer,
                "%resource.item.where(linkId = 'many').answer.select(%resource.item.where(linkId = 'g').count()).sum()"),
        ])
        for time in 1..<300 { _ = try draft.set(.at("g[\(time)]/q0"), to: [.string("x")], now: Self.noon) }
        for time in 1..<300 { _ = try draft.set(.at("g[\(time)]/q0"), to: [], now: Self.noon) }
        _ = try draft.set(.at("many"), to: [.integer(1)], now: Self.noon)
        #expect(try draft.values("n") == [.integer(0)])
        // 1,000 answers look at 300 groups of 19 questions each.
        _ = try draft.set(.at("many"), to: (0..<1_000).map { .integer(Int32($0)) }, now: Self.noon)
        #expect(try draft.values("n") == [])
    }
}
