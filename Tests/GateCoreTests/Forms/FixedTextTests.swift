import GateModel
import Testing

@testable import GateCore

/// What a grown-up reads before completing a form is what the form says, no matter who filled it in before.
@Suite("Read-only items in forms for grown-ups")
struct FixedTextTests {
    private static func consent(_ completedBy: Questionnaire.CompletedBy, notice: String = "We keep it for a year.")
        -> Questionnaire
    {
        var form = Questionnaire.of([
            .question("notice", .text) {
                $0.isReadOnly = true
                $0.initial = [.string(notice)]
            },
            .question("server", .string) { $0.isReadOnly = true },
            .question("name", .string),
            .group(
                "child",
                [
                    .question("terms", .text) {
                        $0.isReadOnly = true
                        $0.initial = [.string("Until the age of 16.")]
                    },
                    .question("child-name", .string),
                ]
            ) { $0.repeats = true },
        ])
        form.completedBy = completedBy
        return form
    }

    private let changed = QuestionnaireResponse.of(.answer("notice", .string("We keep nothing.")))

    @Test("a response with another text for a read-only item is an error, and does not fill the form")
    func otherText() throws {
        let form = CompiledForm(Self.consent(.grownUp))
        #expect(ResponseValidator(form, now: .epoch).issues(of: changed).first?.severity == .error)
        var draft = FormDraft.opened(form)
        let opened = draft
        #expect(try refusal { try draft.fill(from: changed) } == .badAnswer)
        #expect(draft == opened)
        var open = FormDraft.opened(CompiledForm(Self.consent(.anybody)))
        #expect(try open.fill(from: changed).isChanged)
        #expect(open.issues(now: .epoch).map(\.severity) == [.warning])
    }

    @Test("a read-only item that has no text in the form may be filled in")
    func emptyOnes() throws {
        var draft = FormDraft.opened(CompiledForm(Self.consent(.grownUp)))
        #expect(try draft.fill(from: .of(.answer("server", .string("s-17")))).isChanged)
        #expect(try draft.values("server") == [.string("s-17")])
        #expect(try draft.suggest("server", .string("s-18")).isChanged == false)
        #expect(draft.issues(now: .epoch).allSatisfy { $0.severity != .error })
    }

    @Test("a read-only text that a response leaves out is filled in from the form, but missing in a completed response")
    func leftOut() throws {
        var draft = FormDraft.opened(CompiledForm(Self.consent(.grownUp)))
        let one = QuestionnaireResponse.of(
            .answer("name", .string("Anna")), .group("child", .answer("child-name", .string("Ben"))),
            .group("child", .answer("child-name", .string("Cleo"))))
        _ = try draft.fill(from: one)
        #expect(try draft.values("notice") == [.string("We keep it for a year.")])
        #expect(try draft.values("child[1]/terms") == [.string("Until the age of 16.")])
        #expect(draft.issues(now: .epoch).isEmpty)
        let issues = ResponseValidator(draft.form, now: .epoch).issues(of: one)
        #expect(issues.filter { $0.severity == .error }.map(\.linkID) == ["terms", "terms", "notice"])
        try draft.remove("child[1]")
        try draft.remove("child[0]")
        #expect(try draft.values("child[0]/terms") == [.string("Until the age of 16.")])
    }

    @Test("a draft that was begun with an older text gets the one in force")
    func earlierText() throws {
        var draft = FormDraft.opened(CompiledForm(Self.consent(.grownUp, notice: "Of before.")))
        try draft.set("name", .string("Anna"))
        let now = FormDraft(restoring: draft.rows, of: CompiledForm(Self.consent(.grownUp)))
        #expect(try now.values("notice") == [.string("We keep it for a year.")])
        #expect(try now.values("name") == [.string("Anna")])
        #expect(now.issues(now: .epoch).isEmpty)
    }
}
