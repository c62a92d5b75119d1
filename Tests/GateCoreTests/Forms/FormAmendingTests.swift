import GateModel
import Testing

@testable import GateCore

/// Some answers into a form that has others (F-83).
@Suite("Amending a form")
struct FormAmendingTests {
    private static func vehicle() -> FormDraft {
        FormDraft.opened([
            .question("unregistered", .boolean) { $0.initial = [.boolean(false)] },
            .question("registration", .string) { $0.enableWhen = [.when("unregistered", .notEqual, .boolean(true))] },
            .choice("cover", ["theft", "glass"]),
            .question("excess", .integer) {
                $0.initial = [.integer(150)]
                $0.enableWhen = [.when("cover", .exists, .boolean(true))]
            },
            .question("remarks", .string),
        ])
    }

    @Test("an answer to a disabled question is kept while others are filled in (K-05)")
    func keepsWhatIsNotAsked() throws {
        var draft = Self.vehicle()
        try draft.set("registration", .string("B-GT 1234"))
        try draft.set("unregistered", .boolean(true))
        let change = try draft.amend(by: .of(.answer("remarks", .string("hello"))))
        #expect(change.isChanged && change.cleared.isEmpty)
        #expect(change.rows.keys.map(\.description) == ["remarks"])
        try draft.set("unregistered", .boolean(false))
        #expect(try draft.values("registration") == [.string("B-GT 1234")])
    }

    @Test("a question that an answer enables gets its initial value (K-05)")
    func opensWithInitialValues() throws {
        var draft = Self.vehicle()
        _ = try draft.amend(by: .of(.answer("cover", .code("theft"))))
        #expect(try draft.values("excess") == [.integer(150)])
    }

    @Test("a question named without an answer is cleared, and the others stay")
    func clears() throws {
        var draft = Self.vehicle()
        try draft.set("remarks", .string("old"))
        try draft.set("registration", .string("B-GT 1234"))
        _ = try draft.amend(by: .of(.answer("remarks")))
        #expect(try draft.values("remarks") == [])
        #expect(try draft.values("registration") == [.string("B-GT 1234")])
    }

    @Test(
        "a repeating group is replaced by the given instances with initial values, and nothing of the old ones stays"
    )
    func replacesGroups() throws {
        var draft = FormDraft.opened(CompiledForm(.drivers))
        try draft.set("driver[0]/document", .code("passport"))
        try draft.set("driver[0]/number", .string("P-1"))
        try draft.set("driver[0]/claims", .integer(3))
        try draft.set("driver[1]/name", .string("Ben"))
        try draft.set("driver[2]/name", .string("Cem"))
        _ = try draft.amend(
            by: .of(
                .group("driver", .answer("name", .string("Ida"))),
                .group("driver", .answer("name", .string("Jan")), .answer("claims", .integer(1)))))
        #expect(
            try draft.rows == [
                .at("driver"): .instances(2),
                .at("driver[0]/name"): .answers([.string("Ida")]), .at("driver[0]/claims"): .answers([.integer(0)]),
                .at("driver[1]/name"): .answers([.string("Jan")]), .at("driver[1]/claims"): .answers([.integer(1)]),
            ])
    }

    @Test("answers that depend on a changed one are cleared and reported, unless they are given too")
    func dependants() throws {
        var draft = FormDraft.opened([
            .question("street", .string), .question("number", .string) { $0.parents = ["street"] },
        ])
        try draft.set("street", .string("Mill Road"))
        try draft.set("number", .string("7"))
        let both: QuestionnaireResponse = .of(
            .answer("number", .string("9")), .answer("street", .string("High Street")))
        #expect(try draft.amend(by: both).cleared.isEmpty)
        #expect(try draft.values("number") == [.string("9")])
        let change = try draft.amend(by: .of(.answer("street", .string("Low Street"))))
        #expect(try change.cleared == [.at("number")] && draft.values("number") == [])
    }

    @Test("an answer is kept if it stands before the one it depends on and both are filled in")
    func dependantsBefore() throws {
        var draft = FormDraft.opened([
            .question("number", .string) { $0.parents = ["street"] }, .question("street", .string),
        ])
        try draft.set("street", .string("Mill Road"))
        try draft.set("number", .string("7"))
        let change = try draft.amend(
            by: .of(.answer("number", .string("9")), .answer("street", .string("High Street"))))
        #expect(change.cleared.isEmpty)
        #expect(try draft.values("number") == [.string("9")] && draft.values("street") == [.string("High Street")])
    }

    @Test("in a form for grown-ups, read-only texts stay as they are, whatever is filled in")
    func fixedWords() throws {
        var form = Questionnaire.of([
            .question("terms", .string) {
                $0.isReadOnly = true
                $0.initial = [.string("I agree.")]
            },
            .question("remarks", .string),
        ])
        form.completedBy = .grownUp
        var draft = FormDraft.opened(CompiledForm(form))
        _ = try draft.amend(by: .of(.answer("terms", .string("I do not.")), .answer("remarks", .string("hello"))))
        #expect(try draft.values("terms") == [.string("I agree.")] && draft.values("remarks") == [.string("hello")])
    }

    @Test(
        "an unknown, disabled, repeated or wrongly answered item refuses the whole change"
    )
    func refuses() throws {
        var draft = Self.vehicle()
        try draft.set("unregistered", .boolean(true))
        let before = draft
        let hello = QuestionnaireResponseItem.answer("remarks", .string("hello"))
        #expect(try refusal { try draft.amend(by: .of(hello, .answer("colour", .string("red")))) } == .unknown)
        #expect(
            try refusal { try draft.amend(by: .of(hello, .answer("registration", .string("B")))) } == .notAnswerable)
        #expect(try refusal { try draft.amend(by: .of(hello, hello)) } == .badAnswer)
        #expect(try refusal { try draft.amend(by: .of(hello, .answer("cover", .integer(1)))) } == .badAnswer)
        #expect(draft == before)
    }
}
