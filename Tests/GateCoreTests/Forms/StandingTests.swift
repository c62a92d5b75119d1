import GateModel
import Testing

@testable import GateCore

@Suite("Whether a questionnaire is meant to be used just now")
struct StandingTests {
    /// 2026-11-25, noon.
    private static let now = LocalTime(WallTime(unixMilliseconds: 1_795_608_000_000))

    static let notes: [(QuestionnaireStanding, [String])] = [
        (QuestionnaireStanding(), []), (QuestionnaireStanding(status: .unknown), []),
        (QuestionnaireStanding(status: .draft), ["The questionnaire is a draft."]),
        (QuestionnaireStanding(status: .retired), ["The questionnaire is retired."]),
        (QuestionnaireStanding(start: FormDateTime("2026-11-25"), end: FormDateTime("2026-11")), []),
        (
            QuestionnaireStanding(start: FormDateTime("2026-12")),
            ["The questionnaire is meant to be used from 2026-12 on."]
        ),
        (
            QuestionnaireStanding(status: .draft, end: FormDateTime("2026-11-24")),
            ["The questionnaire is a draft.", "The questionnaire was meant to be used until 2026-11-24."]
        ),
        (
            QuestionnaireStanding(end: FormDateTime("2026-11-25T11:59:00Z")),
            ["The questionnaire was meant to be used until 2026-11-25 11:59 UTC."]
        ),
    ]

    @Test("a questionnaire outside of its period or status can be used, and a note says so", arguments: notes)
    func standing(_ standing: QuestionnaireStanding, _ expected: [String]) {
        var questionnaire = Questionnaire.of([.question("a", .string)])
        questionnaire.standing = standing
        let response = QuestionnaireResponse(
            status: .completed,
            items: [QuestionnaireResponseItem(linkID: "a", answers: [QuestionnaireResponseAnswer(.string("x"))])])
        let issues = ResponseValidator(CompiledForm(questionnaire), now: Self.now).issues(of: response)
        #expect(issues.map(\.message) == expected)
        #expect(issues.allSatisfy { $0.severity == .information && $0.path == "QuestionnaireResponse.questionnaire" })
    }
}
