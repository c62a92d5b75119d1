import GateClient
import GateModel
import GateScreens
import Testing

/// Values from elsewhere, beside the fields (F-75, F-76).
@Suite("Suggestions on the screen")
struct FormSuggestionTests {
    private static let power = FormPath("power")
    private static let items: [QuestionnaireItem] = [.question("power", .string, "Engine power"), .question("name")]

    private static func answered(_ text: String?) -> [QuestionnaireResponseItem] {
        [
            QuestionnaireResponseItem(
                linkID: "power", answers: text.map { [QuestionnaireResponseAnswer(.string($0))] } ?? []),
            QuestionnaireResponseItem(linkID: "name"),
        ]
    }

    private static func waiting(_ text: String) -> [PendingSuggestion] {
        [PendingSuggestion(path: power, answers: [.string(text)])]
    }

    @Test("a field whose value is being looked up says so, and keeps its answer (F-76)")
    func beingFetched() throws {
        var form = FormOnScreen(Self.items, Self.answered(nil))
        let deadline = FormOnScreen.seconds(10)
        form.reads(Self.answered(nil), pending: [PendingSuggestion(path: Self.power, deadline: deadline)], isOwn: false)
        let field = try form.field(Self.power)
        #expect(field.suggestion == .beingFetched("being looked up…") && field.error.isEmpty)
        #expect(field.control == .entry("", .words) && field.spokenText.contains("being looked up…"))
        #expect(try form.field(FormPath("name")).suggestion == nil && form.picture().note.isEmpty)
        form.reads(Self.answered(nil), isOwn: false)
        #expect(try form.field(Self.power).suggestion == nil, "gone by itself")
    }

    @Test("a suggestion is a button beside its field, and pressing it takes the suggested answer (F-75)")
    func waits() throws {
        var form = FormOnScreen(Self.items, Self.answered("80 kW"))
        form.reads(Self.answered("80 kW"), pending: Self.waiting("75 kW"), isOwn: false)
        let field = try form.field(Self.power)
        #expect(field.suggestion == .waiting("Use 75 kW", [.string("75 kW")]))
        #expect(field.control == .entry("80 kW", .words) && field.answer == "80 kW")
        // Another suggestion has come, but the button with the first one was pressed.
        form.reads(Self.answered("80 kW"), pending: Self.waiting("77 kW"), isOwn: false)
        #expect(form.does(.took(Self.power, [.string("75 kW")])).isEmpty)
        #expect(form.does(.took(Self.power, [.string("77 kW")])) == [.set(Self.power, [.string("77 kW")])])
        #expect(try form.field(Self.power).suggestion == nil, "it is on its way")
        #expect(form.does(.took(FormPath("name"), [.string("x")])).isEmpty)
    }

    @Test("a suggestion does not disturb a field being edited, while an answer of others is reported")
    func typing() throws {
        var form = FormOnScreen(Self.items, Self.answered("80 kW"))
        #expect(form.does(.edited(Self.power)).isEmpty)
        form.reads(Self.answered("80 kW"), pending: Self.waiting("75 kW"), isOwn: false)
        #expect(try form.field(Self.power).error.isEmpty && form.picture().note.isEmpty)
        form.reads(Self.answered("90 kW"), pending: Self.waiting("75 kW"), isOwn: false)
        #expect(try form.field(Self.power).error == "Somebody else has answered meanwhile: 90 kW")
        #expect(form.does(.typed(Self.power, "85 kW")) == [.set(Self.power, [.string("85 kW")])])
    }

    @Test("a suggestion does not delay completing the form")
    func completing() {
        var form = FormOnScreen(Self.items, Self.answered("80 kW"))
        _ = form.does(.wentOn)
        #expect(form.picture(at: 2).takesNext)
        form.reads(Self.answered("80 kW"), pending: Self.waiting("75 kW"), isOwn: false, at: 2)
        #expect(form.picture(at: 2).takesNext && form.picture(at: 2).note.isEmpty)
        #expect(form.does(.completed(revision: form.revision), at: 2) == [.complete(revision: form.revision)])
    }
}
