import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Rules that are expressions")
struct InvariantTests {
    private static func form(_ expressions: String..., items: [QuestionnaireItem] = [.question("a", .date)])
        -> CompiledForm
    {
        var questionnaire = Questionnaire.of(items)
        questionnaire.invariants = expressions.enumerated().map { index, expression in
            QuestionnaireInvariant(key: "r\(index)", severity: .error, expression: expression, human: "Mend it.")
        }
        return CompiledForm(questionnaire)
    }

    private static func messages(_ draft: FormDraft, now: LocalTime = .epoch) -> [String] {
        draft.issues(now: now).filter { $0.code == .invariant }.map(\.message)
    }

    @Test("\"today\" in a rule is the day in the device's time zone")
    func timeZone() throws {
        var draft = FormDraft.opened(Self.form("item.where(linkId = 'a').answer.value = today()"))
        _ = try draft.set(FormPath("a"), to: [.date(try #require(FormDate("1970-01-02")))])
        let evening = WallTime(unixMilliseconds: 23 * 3_600_000)
        #expect(Self.messages(draft, now: LocalTime(evening)) == ["Mend it."])
        #expect(Self.messages(draft, now: LocalTime(evening, minutesEastOfUTC: 60)).isEmpty)
        #expect(Self.messages(draft, now: LocalTime(evening, minutesEastOfUTC: -60)) == ["Mend it."])
    }

    @Test("a rule is kept only if it is true; a rule that fails to evaluate is reported with the reason")
    func onlyTrue() {
        #expect(Self.messages(.opened(Self.form("true"))).isEmpty)
        #expect(Self.messages(.opened(Self.form("false", "{}"))) == ["Mend it.", "Mend it."])
        let faults = Self.messages(.opened(Self.form("1 + 'a' = 2")))
        #expect(faults.count == 1)
        #expect(faults[0].hasPrefix("Gate can't check the rule 'r0' with these answers: "))
    }

    @Test("rules that take too many steps count as broken, and evaluating them ends early")
    func tooManySteps() {
        let slow = "%resource.descendants().all(%resource.descendants().all(%resource.descendants().count() > 0))"
        let items = (0..<300).map { QuestionnaireItem.question("q\($0)", .integer) }
        var response = FormDraft.opened(Self.form(slow, slow, slow, items: items)).response(
            .completed, authored: nil, includingUnanswered: false)
        response.items = (0..<300).map {
            QuestionnaireResponseItem(linkID: "q\($0)", answers: [QuestionnaireResponseAnswer(.integer(1))])
        }
        let issues = ResponseValidator(Self.form(slow, slow, slow, items: items), now: .epoch).issues(of: response)
        #expect(issues.map(\.severity) == [.error, .error, .error])
        #expect(issues.allSatisfy { $0.message.contains("takes too many steps") })
    }

    @Test("a preparation from another day is discarded, and the work is done anew")
    func prepared() throws {
        var questionnaire = Questionnaire.profile
        questionnaire.invariants = [
            QuestionnaireInvariant(key: "r", severity: .error, expression: "today() = @1970-01-01", human: "Mend it.")
        ]
        var device = Device(configuration: .asking.with(questionnaire))
        let target = FormTarget(name: "profile")
        try device.openForm("profile", as: .anna)
        try device.set("profile", "name", .string("Lina"), as: .anna)
        let early = try device.state.formWork(
            .keep(.completed), on: target, for: .anna, at: device.now, localTime: .epoch
        ).done()
        var context = Context(
            now: device.now, localTime: LocalTime(WallTime(unixMilliseconds: 86_400_000)), peer: .anna,
            random: SystemRandomNumberGenerator(), prepared: early)
        #expect(throws: GateError.self) { try device.state.apply(.completeForm(target, at: nil), &context) }
        context.localTime = .epoch
        #expect(throws: Never.self) { try device.state.apply(.completeForm(target, at: nil), &context) }
    }
}
