import GateModel
import Testing

@testable import GateCore

/// The cost of one form has a limit, whoever fills it in and with whatever.
@Suite("Bounds of forms that are filled in")
struct FormBoundTests {
    /// A group that repeats, with so many questions in it.
    private func group(of count: Int, required: Bool = false) -> QuestionnaireItem {
        .group("g", (0..<count).map { index in .question("q\(index)", .string) { $0.isRequired = required } }) {
            $0.repeats = true
        }
    }

    private func groups(_ count: Int, _ items: QuestionnaireResponseItem...) -> QuestionnaireResponse {
        QuestionnaireResponse(
            status: .inProgress,
            items: Array(repeating: QuestionnaireResponseItem(linkID: "g", items: items), count: count))
    }

    private func error(of edit: () throws -> Void) throws -> GateError {
        try #require(throws: GateError.self) { try edit() }
    }

    @Test("repeating groups may add 20,000 items to a form, and empty instances count like others")
    func groupsByHand() throws {
        var draft = FormDraft.opened([group(of: 4_999)])
        for index in 1...4 {
            try draft.set("g[\(index)]/q0", .string("x"))
            try draft.set("g[\(index)]/q0")
        }
        let full = draft
        let refused = try error { try draft.set("g[5]/q0", .string("x")) }
        #expect(refused.code == .resourceExhausted && refused.reason == .limit)
        #expect(refused.message.contains("no room for more of"))
        #expect(draft == full)
        try draft.remove("g[4]")
        try draft.set("g[4]/q0", .string("x"))
    }

    @Test("a response with more items than there is room for is refused, and one with exactly as many is accepted")
    func groupsByResponse() throws {
        var draft = FormDraft.opened([group(of: 999)])
        let opened = draft
        let refused = try error { _ = try draft.fill(from: groups(22)) }
        #expect(refused.code == .resourceExhausted && refused.reason == .limit && draft == opened)
        #expect(refused.message.contains("no room for more of these groups"))
        #expect(try draft.fill(from: groups(21)).isChanged)
        let issues = ResponseValidator(draft.form, now: .epoch).issues(of: groups(22))
        #expect(issues.map(\.code) == [.tooLong] && issues.map(\.severity) == [.error])
        #expect(ResponseValidator(draft.form, now: .epoch).issues(of: groups(21)).isEmpty)
    }

    @Test("an earlier response is reused as far as there is room, and rows that were kept are, too")
    func groupsFromBefore() throws {
        var draft = FormDraft.opened([group(of: 999)])
        let change = draft.load(from: groups(30, .answer("q0", .string("x"))))
        #expect(try draft.rows[.at("g")] == .instances(21))
        #expect(change.cleared.count == 9)
        var rows = draft.rows
        try rows[.at("g")] = .instances(9_999)
        #expect(FormDraft(restoring: rows, of: draft.form) == draft)
    }

    @Test("items below answers, and groups within groups, count against the same limit")
    func otherRepeats() throws {
        let below: [QuestionnaireItem] = (0..<999).map { .question("q\($0)", .string) }
        var asked = FormDraft.opened([
            .question("a", .integer) {
                $0.repeats = true
                $0.items = below
            }
        ])
        let numbers = (0..<22).map { FormValue.integer($0) }
        #expect(try refusal { try asked.set(.at("a"), to: numbers) } == .limit)
        #expect(try asked.set(.at("a"), to: Array(numbers.dropLast())).isChanged)
        var nested = FormDraft.opened([
            .group(
                "outer",
                [
                    .group("inner", below) {
                        $0.repeats = true
                        $0.constraints.minimumOccurs = 8
                    }, .question("name", .string),
                ]
            ) { $0.repeats = true }
        ])
        #expect(try nested.rows == [.at("outer[0]/inner"): .instances(8)])
        try nested.set("outer[1]/name", .string("x"))
        #expect(try refusal { try nested.set("outer[2]/name", .string("x")) } == .limit)
        #expect(try nested.rows[.at("outer")] == .instances(2))
    }

    @Test("the texts of all questions in repeating groups have to fit into one message")
    func writtenTexts() throws {
        var question = QuestionnaireItem.question("q", .string)
        question.texts = LocalizedText(String(repeating: "\"", count: 100_000))
        var draft = FormDraft.opened([.group("g", [question]) { $0.repeats = true }])
        var count = 1
        while try refusal(of: { try draft.set("g[\(count)]/q", .string("x")) }) == nil { count += 1 }
        #expect(count == FormBounds.writtenByteCount / (200_000 + 2 * 48 + 2 + 5))
    }

    @Test("a condition on another group is evaluated once for all groups, and each still sees its own answers")
    func conditionsBetweenGroups() throws {
        var draft = FormDraft.opened([
            .group(
                "a",
                [
                    .question("switch", .boolean),
                    .question("x", .integer) {
                        $0.enableWhen = [.when("switch", .equal, .boolean(true))]
                    },
                ]
            ) { $0.repeats = true },
            .group(
                "b",
                [
                    .question("own", .boolean),
                    .question("y", .string) {
                        $0.enableWhen = [.when("x", .equal, .integer(3)), .when("own", .equal, .boolean(true))]
                        $0.parents = ["x"]
                    },
                ]
            ) { $0.repeats = true },
        ])
        for index in 0..<50 {
            try draft.set("a[\(index)]/switch", .boolean(true))
            try draft.set("a[\(index)]/x", .integer(Int32(index)))
            try draft.set("b[\(index)]/own", .boolean(index % 2 == 0))
        }
        let item = try #require(draft.form.outline.positions["y"])
        var enablement = Enablement(of: draft.filled)
        let enabled = (0..<50).filter { enablement.isEnabled(item, at: [$0]) }
        #expect(enabled == Array(stride(from: 0, to: 50, by: 2)))
        #expect(enablement.comparedCount == 50 + 1 + 50, "switches, x for all, and own")
        try draft.set("a[3]/switch", .boolean(false))
        var other = Enablement(of: draft.filled)
        #expect((0..<50).allSatisfy { !other.isEnabled(item, at: [$0]) })
    }

    @Test("the size of a draft includes an overhead for each value and each instance of a group")
    func billing() throws {
        var draft = FormDraft.opened([.question("b", .boolean) { $0.repeats = true }, group(of: 1)])
        _ = try draft.set(.at("b"), to: Array(repeating: .boolean(true), count: 1_000))
        #expect(draft.byteCount == 96 + 1_000 * 96)
        try draft.set("b")
        for index in 1..<100 { try draft.set("g[\(index)]/q0", .string("x")) }
        for index in 1..<100 { try draft.set("g[\(index)]/q0") }
        #expect(draft.byteCount == 96 + 100 * 16)
    }

    @Test("a question has at most 1,000 answers, whatever its form says, and surplus ones are not looked at")
    func answerCount() throws {
        var draft = FormDraft.opened([
            .question("a", .integer) {
                $0.repeats = true
                $0.constraints.maximumOccurs = 5_000
            }
        ])
        let numbers = (0..<1_001).map { FormValue.integer($0) }
        let refused = try error { _ = try draft.set(.at("a"), to: Array(repeating: .string("wrong"), count: 1_001)) }
        #expect(refused.message == "'The a' takes at most 1000 answers.")
        #expect(try refusal { try draft.set(.at("a"), to: numbers) } == .badAnswer)
        #expect(try draft.set(.at("a"), to: Array(numbers.dropLast())).isChanged)
        let answers = Array(repeating: QuestionnaireResponseAnswer(.string("wrong")), count: 400)
        let many = QuestionnaireResponse(
            status: .inProgress, items: [QuestionnaireResponseItem(linkID: "q", answers: answers)])
        let single = ResponseValidator(CompiledForm(.of([.question("q", .integer)])), now: .epoch)
        #expect(single.issues(of: many).map(\.code) == [.tooLong, .value])
    }

    @Test("at most 501 issues are reported, and errors come before other issues")
    func issueCount() throws {
        let strict = ResponseValidator(CompiledForm(.of([group(of: 900, required: true)])), now: .epoch)
        var response = groups(20)
        let missing = strict.issues(of: response)
        #expect(missing.count == 501 && missing.allSatisfy { $0.severity == .information })
        response.items[19].items = [.answer("q7", .integer(1))]
        let issues = strict.issues(of: response)
        #expect(issues.count == 501 && issues.filter { $0.severity == .error }.map(\.linkID) == ["q7"])
        response.status = .completed
        #expect(strict.issues(of: response).count == 501)
        var draft = FormDraft.opened(CompiledForm(.of([group(of: 900, required: true)])))
        #expect(try refusal { try draft.fill(from: response) } == .badAnswer)
    }

    @Test("a response with endless errors reports 501 of them, including errors of the questionnaire itself")
    func errorCount() {
        var response = QuestionnaireResponse(
            status: .completed, items: (0..<2_000).map { .answer("unheard-of-\($0)", .boolean(true)) })
        response.questionnaire = "https://gate.example/fhir/Questionnaire/other"
        let issues = ResponseValidator(CompiledForm(.states), now: .epoch).issues(of: response)
        #expect(issues.count == 501 && issues.first?.code == .invariant)
        #expect(issues.last?.linkID == "unheard-of-499")
    }

    @Test("answers are refused if matching all of them against patterns takes too long")
    func matching() throws {
        let pattern = try TextPattern("b{900}|a*")
        var draft = FormDraft.opened([
            .question("a", .string) {
                $0.repeats = true
                $0.constraints.textPattern = pattern
            },
            .question("b", .string) { $0.constraints.textPattern = pattern },
        ])
        let long = FormValue.string(String(repeating: "a", count: pattern.maximumTextLength))
        let most = FormBounds.matchingSteps / pattern.stepCount(for: String(repeating: "a", count: 4_096))
        let values = Array(repeating: long, count: most + 1)
        #expect(try refusal { try draft.set(.at("a"), to: values) } == .limit)
        #expect(draft.rows.isEmpty)
        let response = QuestionnaireResponse(
            status: .inProgress,
            items: [QuestionnaireResponseItem(linkID: "a", answers: values.map { QuestionnaireResponseAnswer($0) })])
        #expect(ResponseValidator(draft.form, now: .epoch).issues(of: response).map(\.code) == [.tooLong])
        try draft.set("b", long)
        let short = FormValue.string(String(repeating: "a", count: 100))
        _ = try draft.set(.at("a"), to: Array(repeating: short, count: 120))
        _ = try draft.set(.at("a"), to: Array(repeating: short, count: 115))
    }
}
