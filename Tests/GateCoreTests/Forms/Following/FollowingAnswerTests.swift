import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("Values that follow from others")
struct FollowingAnswerTests {
    /// 2026-11-25, noon in UTC.
    private static let noon = LocalTime(WallTime(unixMilliseconds: 1_795_608_000_000))
    private static let nextYear = LocalTime(WallTime(unixMilliseconds: 1_795_608_000_000 + 366 * 86_400_000))

    /// Drivers with their ages, what each costs, and what all cost together.
    private static let drivers = Questionnaire.of([
        .group(
            "driver",
            [
                .question("born", .date),
                .calculated("age", .integer, "%born.duration(today(), 'year')", isReadOnly: true),
                .calculated("price", .decimal, "iif(%age < 25, 200.50, 100)"),
            ]
        ) {
            $0.repeats = true
            $0.expressions.variables = [
                QuestionnaireVariable(name: "born", expression: "item.where(linkId = 'born').answer.value"),
                QuestionnaireVariable(name: "age", expression: "item.where(linkId = 'age').answer.value"),
            ]
        },
        .calculated(
            "total", .decimal,
            "%resource.item.where(linkId = 'driver').item.where(linkId = 'price').answer.value.sum()", isReadOnly: true),
        .question("young", .string) {
            $0.expressions.enableWhen =
                "%resource.item.where(linkId = 'driver').item.where(linkId = 'age').answer.where(value < 25).exists()"
        },
    ])

    private static func draft(_ form: Questionnaire = drivers) -> FormDraft {
        FormDraft.opened(CompiledForm(form), now: noon)
    }

    @Test("a calculated value follows the answers that it depends on, through other calculated values (F-79)")
    func follows() throws {
        var draft = Self.draft()
        #expect(try draft.values("total") == [.decimal("100")])
        try draft.set("driver[0]/born", "2008-01-01", now: Self.noon)
        #expect(try draft.values("driver[0]/age") == [.integer(18)])
        #expect(try draft.values("driver[0]/price") == [.decimal("200.50")])
        #expect(try draft.values("total") == [.decimal("200.50")])
        #expect(try draft.isEnabled("young"))
        let change = try draft.set("driver[1]/born", "1980-01-01", now: Self.noon)
        #expect(try draft.values("driver[1]/age") == [.integer(46)])
        #expect(try draft.values("total") == [.decimal("300.50")])
        // The other driver is unchanged.
        #expect(
            try Set(change.rows.keys)
                == Set(["driver", "driver[1]/born", "driver[1]/age", "driver[1]/price", "total"].map(FormPath.at)))
        _ = try draft.remove(.at("driver[0]"), now: Self.noon)
        #expect(try draft.values("driver[0]/age") == [.integer(46)])
        #expect(try draft.values("total") == [.decimal("100")])
        #expect(try !draft.isEnabled("young"))
    }

    @Test("a person's answer replaces a calculated one until it is removed")
    func entered() throws {
        var draft = Self.draft()
        try draft.set("driver[0]/born", "2008-01-01", now: Self.noon)
        _ = try draft.set(.at("driver[0]/price"), to: [.decimal("99")], now: Self.noon)
        #expect(try draft.rows[.at("driver[0]/price")] == .entered([.decimal("99")]))
        #expect(try draft.values("total") == [.decimal("99")])
        try draft.set("driver[0]/born", "1980-01-01", now: Self.noon)
        #expect(try draft.values("driver[0]/price") == [.decimal("99")])
        // The person's answer moves with its group, and is still the person's after a restart.
        try draft.set("driver[1]/born", "1980-01-01", now: Self.noon)
        _ = try draft.set(.at("driver[1]/price"), to: [.decimal("7")], now: Self.noon)
        _ = try draft.remove(.at("driver[0]"), now: Self.noon)
        let restored = FormDraft(restoring: draft.rows, of: draft.form, moment: Self.noon)
        #expect(restored == draft)
        #expect(try restored.rows[.at("driver[0]/price")] == .entered([.decimal("7")]))
        _ = try draft.set(.at("driver[0]/price"), to: [], now: Self.noon)
        #expect(try draft.rows[.at("driver[0]/price")] == .answers([.decimal("100")]))
        _ = try draft.set(.at("driver[0]/price"), to: [.decimal("7")], now: Self.noon)
        _ = draft.reset(now: Self.noon)
        #expect(try draft.values("total") == [.decimal("100")])
    }

    @Test("a person can't answer a read-only item, and a program can't suggest a calculated one")
    func refused() throws {
        var draft = Self.draft()
        #expect(try refusal { try draft.set(.at("total"), to: [.decimal("1")], now: Self.noon) } == .notAnswerable)
        let before = draft
        #expect(try !draft.suggest(.at("driver[0]/price"), [.decimal("1")], now: Self.noon).isChanged)
        #expect(draft == before)
    }

    @Test("a value that depends on the day is calculated again at the first edit on another day")
    func clock() throws {
        var draft = Self.draft()
        try draft.set("driver[0]/born", "2002-01-01", now: Self.noon)
        #expect(try draft.values("driver[0]/price") == [.decimal("200.50")])
        let response = draft.response(.completed, authored: nil, includingUnanswered: false)
        // The answer was right on its day.
        #expect(
            ResponseValidator(draft.form, now: Self.nextYear).issues(of: response).filter {
                $0.severity != .information
            }.isEmpty)
        _ = try draft.set(.at("young"), to: [.string("Ben")], now: Self.nextYear)
        #expect(try draft.values("driver[0]/age") == [.integer(25)])
        #expect(try draft.values("total") == [.decimal("100")])
        #expect(try !draft.isEnabled("young"))
    }

    @Test("an initial value from an expression is set with the question, and does not follow later changes")
    func initial() throws {
        let form = Questionnaire.of([
            .question("begin", .date) { $0.expressions.initial = "today()" },
            .group(
                "trip",
                [
                    .question("from", .date) {
                        $0.expressions.initial = "%resource.item.where(linkId = 'begin').answer.value + 1 day"
                    }
                ]
            ) {
                $0.repeats = true
            },
        ])
        var draft = Self.draft(form)
        #expect(try draft.values("begin") == [.date("2026-11-25")])
        #expect(try draft.values("trip[0]/from") == [.date("2026-11-26")])
        try draft.set("begin", "2027-01-01", now: Self.noon)
        #expect(try draft.values("trip[0]/from") == [.date("2026-11-26")])
        // A new group starts with the value of now.
        _ = try draft.set(.at("trip[1]/from"), to: [.date("2030-01-01")], now: Self.noon)
        _ = try draft.set(.at("trip[1]/from"), to: [], now: Self.noon)
        #expect(try draft.values("trip[1]/from") == [])
        _ = draft.reset(now: Self.nextYear)
        #expect(try draft.values("begin") == [.date("2027-11-26")])
    }

    @Test("a whole response sets a person's own values, but read-only items keep their calculated ones")
    func filled() throws {
        var draft = Self.draft()
        let response = QuestionnaireResponse.of(
            .group(
                "driver", .answer("born", try .date("1980-01-01")), .answer("age", .integer(3)),
                .answer("price", try .decimal("5"))),
            .group("driver", .answer("born", try .date("1980-01-01")), .answer("price", try .decimal("100"))))
        _ = try draft.fill(from: response, now: Self.noon)
        #expect(try draft.values("driver[0]/age") == [.integer(46)])
        #expect(try draft.rows[.at("driver[0]/price")] == .entered([.decimal("5")]))
        #expect(try draft.rows[.at("driver[1]/price")] == .answers([.decimal("100")]))
        #expect(try draft.values("total") == [.decimal("105")])
        let issues = ResponseValidator(draft.form, now: Self.noon).issues(
            of: .of(.group("driver", .answer("born", try .date("1980-01-01"))), .answer("total", try .decimal("5"))))
        // The age is missing, and the total is wrong.
        #expect(issues.map(\.parameters["rule"]) == ["calculated", "calculated"])
        // A value that was kept is calculated anew, and is not reported as left out.
        #expect(draft.load(from: response, now: Self.noon).cleared.isEmpty)
        #expect(try draft.values("total") == [.decimal("200")])
    }

    @Test("an expression without a fitting result gives no answer, and the person is told why")
    func unfit() throws {
        let form = Questionnaire.of([
            .question("a", .decimal) { $0.repeats = true },
            .calculated("half", .integer, "%resource.item.where(linkId = 'a').answer.value.first() / 2"),
            .calculated("all", .decimal, "%resource.item.where(linkId = 'a').answer.value"),
            .question("shown", .string) {
                $0.expressions.enableWhen = "%resource.item.where(linkId = 'a').answer.value > 1"
            },
        ])
        var draft = Self.draft(form)
        _ = try draft.set(.at("a"), to: [.decimal("3")], now: Self.noon)
        #expect(try draft.values("half") == [])
        #expect(try draft.values("all") == [.decimal("3")])
        #expect(try draft.isEnabled("shown"))
        _ = try draft.set(.at("a"), to: [.decimal("4"), .decimal("5")], now: Self.noon)
        #expect(try draft.values("half") == [.integer(2)])
        #expect(try draft.values("all") == [])
        #expect(try !draft.isEnabled("shown"))
        let told = draft.issues(now: Self.noon).map { ($0.linkID, $0.severity) }
        #expect(told.map(\.0) == ["all", "shown"])
        #expect(told.allSatisfy { $0.1 == .warning })
    }

    @Test("a change of a calculated value clears its dependants, and values that follow those are updated")
    func clears() throws {
        let form = Questionnaire.of([
            .question("country", .string),
            .calculated(
                "code", .string, "iif(%resource.item.where(linkId = 'country').answer.value = 'Germany', 'DE', 'other')"
            ),
            .question("region", .string) { $0.parents = ["code"] },
            .calculated("has", .boolean, "%resource.item.where(linkId = 'region').exists()"),
        ])
        var draft = Self.draft(form)
        _ = try draft.set(.at("region"), to: [.string("north")], now: Self.noon)
        #expect(try draft.values("has") == [.boolean(true)])
        let change = try draft.set(.at("country"), to: [.string("Germany")], now: Self.noon)
        #expect(try change.cleared == [.at("region")])
        #expect(try draft.values("has") == [.boolean(false)])
    }

    @Test(
        "an expression may be part of a draft's label; without a result, or if it is too slow, it adds nothing (F-74)"
    )
    func label() throws {
        var form = Self.drivers
        let count = "item.where(linkId = 'driver').count().toString() & ' drivers'"
        let endless = (0..<5).reduce("1") { inner, _ in "(1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9).select(\(inner))" }
        form.label = [
            .result(of: count), .answers(to: "total"), .result(of: "item.where(linkId = 'young').answer.value"),
            .result(of: "@2026-11-25"), .result(of: endless),
        ]
        var draft = Self.draft(form)
        #expect(draft.label == "1 drivers, 100, 2026-11-25")
        try draft.set("driver[1]/born", "1980-01-01", now: Self.noon)
        _ = try draft.set(.at("driver[0]/price"), to: [.decimal("1")], now: Self.noon)
        #expect(draft.label == "2 drivers, 101, 2026-11-25")
    }

    @Test("expressions in a circle give no value, and never hang")
    func circle() throws {
        let form = Questionnaire.of([
            .calculated("a", .integer, "%resource.item.where(linkId = 'b').answer.value + 1"),
            .calculated("b", .integer, "%resource.item.where(linkId = 'a').answer.value + 1"),
            .question("c", .string) { $0.expressions.enableWhen = "%resource.item.where(linkId = 'c').exists()" },
            .question("d", .string),
        ])
        var draft = Self.draft(form)
        _ = try draft.set(.at("d"), to: [.string("x")], now: Self.noon)
        #expect(try draft.values("a") == [])
        #expect(try !draft.isEnabled("c"))
    }

    @Test("following step by step gives the same values as calculating all at once", arguments: 0..<60 as Range<UInt64>)
    func incremental(seed: UInt64) throws {
        var random = RandomForm(seed: seed, calculates: true)
        let form = CompiledForm(random.questionnaire())
        var draft = FormDraft.opened(form, now: Self.noon)
        for step in 0..<25 {
            let paths = draft.response(.inProgress, authored: nil, includingUnanswered: true).items.paths
            guard let path = paths.randomElement(using: &random.chance) else { break }
            if path.index != nil {
                _ = try? draft.remove(path, now: Self.noon)
            } else {
                _ = try? draft.set(
                    path,
                    to: random.values(for: form.outline.positions[path.linkID].map { form.outline.items[$0].item }),
                    now: Self.noon)
            }
            var anew = draft
            _ = anew.filled.follow(.everything)
            #expect(anew.rows == draft.rows, "step \(step), \(path)")
            guard anew.rows == draft.rows else { break }
        }
    }
}

extension QuestionnaireItem {
    fileprivate static func calculated(
        _ linkID: String, _ kind: Kind, _ expression: String, isReadOnly: Bool = false
    ) -> QuestionnaireItem {
        question(linkID, kind) {
            $0.expressions.calculated = expression
            $0.isReadOnly = isReadOnly
        }
    }
}

extension FormDraft {
    @discardableResult
    fileprivate mutating func set(_ path: String, _ date: String, now: LocalTime) throws -> Change {
        try set(.at(path), to: [.date(date)], now: now)
    }
}

extension [QuestionnaireResponseItem] {
    /// The paths of all questions, and of all groups that are there several times.
    fileprivate var paths: [FormPath] { paths(below: []) }

    private func paths(below steps: [FormPath.Step]) -> [FormPath] {
        var times: [String: Int] = [:]
        return flatMap { item -> [FormPath] in
            let time = times[item.linkID, default: 0]
            times[item.linkID] = time + 1
            let own = [FormPath(steps + [FormPath.Step(item.linkID)])]
            let instance = steps + [FormPath.Step(item.linkID, time)]
            let answers = item.answers.enumerated().flatMap { index, answer in
                answer.items.paths(below: steps + [FormPath.Step(item.linkID, index)])
                    + answer.items.paths(below: steps)
            }
            return own + [FormPath(instance)] + item.items.paths(below: instance) + item.items.paths(below: steps)
                + answers
        }
    }
}
