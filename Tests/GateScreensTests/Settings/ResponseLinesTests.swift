import GateModel
import GateScreens
import GateTexts
import Testing

@Suite("A kept response in the settings window")
struct ResponseLinesTests {
    private static let german = LocalizedText.Translation(language: "de", text: "Geburtsdatum")
    private static let mother = FormValue.string("mother")
    private static let form = Questionnaire(
        name: "consent", version: "2", title: "Consent",
        items: [
            QuestionnaireItem(
                linkID: "parent", kind: .group, text: LocalizedText("You"),
                items: [
                    QuestionnaireItem(linkID: "born", kind: .date, text: LocalizedText("Date of birth", [german])),
                    QuestionnaireItem(
                        linkID: "relation", kind: .choice, text: LocalizedText("You are"),
                        options: [QuestionnaireAnswerOption(mother)]),
                    QuestionnaireItem(linkID: "pictures", kind: .boolean),
                ])
        ])

    private static func lines(version: String?, _ form: Questionnaire? = form) throws -> [SettingsRow] {
        let born = try #require(FormDate("1979-05-01"))
        let response = QuestionnaireResponse(
            status: .completed,
            items: [
                QuestionnaireResponseItem(
                    linkID: "parent", text: "You",
                    items: [
                        QuestionnaireResponseItem(
                            linkID: "born", text: "Born on", answers: [QuestionnaireResponseAnswer(.date(born))]),
                        QuestionnaireResponseItem(
                            linkID: "relation", answers: [QuestionnaireResponseAnswer(mother)]),
                        QuestionnaireResponseItem(
                            linkID: "pictures", answers: [QuestionnaireResponseAnswer(.boolean(true))]),
                        QuestionnaireResponseItem(
                            linkID: "both", text: "Both",
                            answers: [
                                QuestionnaireResponseAnswer(.integer(7)),
                                QuestionnaireResponseAnswer(.string("a\nb\u{202E}")),
                            ]),
                    ])
            ])
        let summary = ResponseSummary(
            id: 1, name: "consent", version: version, holder: .account("anna"), status: .completed,
            savedAt: WallTime(unixMilliseconds: 0))
        return ResponseLines(response, summary, form: form, for: ["de-CH"]).rows
    }

    @Test("answers are written as the person writes them, and questions in the person's language")
    func words() throws {
        let rows = try Self.lines(version: "2")
        #expect(rows.map(\.title) == ["You", "Geburtsdatum", "You are", "pictures", "Both"])
        let date = WritingHabits.ofPerson.date(atStartOf: "1979-05-01")
        #expect(rows.map(\.text) == ["", date, "mother", "Yes", "7\na b\u{FFFD}"])
    }

    @Test("if the form has changed or is gone, the response is shown with its own words")
    func otherVersion() throws {
        for rows in [try Self.lines(version: "1"), try Self.lines(version: nil), try Self.lines(version: "2", nil)] {
            #expect(rows.map(\.title) == ["You", "Born on", "relation", "pictures", "Both"])
            #expect(rows[3].text == "Yes")
        }
    }
}
