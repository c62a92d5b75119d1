import GateModel
import Testing

@testable import GateCore

/// Whole responses into a form (F-39, F-40), and rows out of the store.
@Suite("Filling forms from elsewhere")
struct FormFillingTests {
    @Test("F-40: a response fills the form, in place of everything that was there")
    func fills() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        try draft.set("tags", .string("old"))
        let change = try draft.fill(
            from: .of(
                .answer("on", .boolean(true)), .answer("shut", .string("open now")), .answer("fixed", .string("A-2")),
                .group("driver", .answer("driver-name", .string("Anna"))),
                .group("driver", .answer("driver-name", .string("Ben")))))
        #expect(change.isChanged && change.cleared.isEmpty)
        #expect(
            try draft.rows == [
                .at("on"): .answers([.boolean(true)]), .at("shut"): .answers([.string("open now")]),
                .at("fixed"): .answers([.string("A-2")]), .at("driver"): .instances(2),
                .at("driver[0]/driver-name"): .answers([.string("Anna")]),
                .at("driver[1]/driver-name"): .answers([.string("Ben")]),
            ])
    }

    @Test("F-40: a response may fill a form whatever its status is, and may lack required answers")
    func fillsIncomplete() throws {
        var draft = FormDraft.opened([.question("a", .string) { $0.isRequired = true }, .question("b", .string)])
        #expect(try draft.fill(from: .of(.answer("b", .string("x")))).isChanged)
        #expect(draft.missing == ["a"])
    }

    @Test("F-40: a response with errors changes nothing, and five of the errors are named")
    func refusesErrors() throws {
        var draft = FormDraft.opened((0..<7).map { .question("q\($0)", .string) })
        let opened = draft
        let items = (0..<7).map { QuestionnaireResponseItem.answer("q\($0)", .integer(Int32($0))) }
        let error = try #require(throws: GateError.self) {
            try draft.fill(from: QuestionnaireResponse(status: .completed, items: items))
        }
        #expect(error.reason == .badAnswer && draft == opened)
        let lines = error.message.split(separator: "\n")
        #expect(lines.count == 6)
        #expect(
            lines.first == "QuestionnaireResponse.item[0].answer[0] (q0): 'The q0' takes a text, not a whole number.")
        #expect(lines.last == "and 2 more")
    }

    @Test("F-39: an earlier response prefills the form, as far as it fits, and tells what does not")
    func loads() throws {
        var draft = FormDraft.opened([
            .question("name", .string), .choice("colour", ["red", "blue"]),
            .question("shade", .string) { $0.parents = ["colour"] },
            .question("age", .integer) { $0.constraints.maximum = .integer(99) },
            .question("source", .string) {
                $0.isReadOnly = true
                $0.initial = [.string("new")]
            },
            .choice("extras", ["x", "y"]) { $0.repeats = true },
            .question("born", .date) { $0.initial = [.string("not a date")] },
        ])
        try draft.set("age", .integer(3))
        let change = draft.load(
            from: .of(
                .answer("name", .string("Anna")), .answer("colour", .code("pink")), .answer("shade", .string("dark")),
                .answer("age", .integer(100)), .answer("source", .string("old")),
                .answer("extras", .code("x"), .code("gone")), .answer("retired", .string("z"))))
        #expect(
            try draft.rows == [
                .at("name"): .answers([.string("Anna")]), .at("source"): .answers([.string("new")]),
                .at("extras"): .answers([.code("x")]),
            ])
        #expect(
            try Set(change.cleared) == [
                .at("colour"), .at("shade"), .at("age"), .at("source"), .at("extras"), .at("retired"),
            ])
        #expect(try change.rows[.at("age")] == .some(nil))
    }

    @Test("F-39: what was completed comes back as it was")
    func loadsWhatWasCompleted() throws {
        var draft = FormDraft.opened(CompiledForm(.drivers))
        try draft.set("driver[0]/name", .string("Anna"))
        try draft.set("driver[1]/name", .string("Ben"))
        try draft.set("driver[1]/document", .code("licence"))
        try draft.set("driver[1]/number", .string("B02"))
        let completed = draft.completed
        var other = FormDraft.opened(CompiledForm(.drivers))
        #expect(other.load(from: completed).cleared.isEmpty)
        #expect(other == draft)
        #expect(!other.load(from: completed).isChanged)
    }

    @Test("F-39: more drivers than may be are left out")
    func loadsFewer() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        let drivers = ["Anna", "Ben", "Cleo", "Dora"].map {
            QuestionnaireResponseItem.group("driver", .answer("driver-name", .string($0)))
        }
        let change = draft.load(from: QuestionnaireResponse(status: .completed, items: drivers))
        #expect(try draft.rows[.at("driver")] == .instances(3))
        #expect(try change.cleared == [.at("driver")])
    }

    @Test("rows that were stored restore the same draft, and rows that no longer fit are dropped")
    func restores() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        try draft.set("driver[1]/driver-name", .string("Ben"))
        try draft.set("medicine", .string("a"), .string("b"))
        #expect(FormDraft(restoring: draft.rows, of: CompiledForm(.states)) == draft)

        let other = CompiledForm(
            .of([
                .question("plain", .integer), .group("driver", [.question("driver-name", .string)]),
                .choice("tags", ["x"]) { $0.repeats = true },
                .group("box", [.question("boxed", .string)]) { $0.repeats = true },
            ]))
        let rows: [FormPath: FormRow] = try [
            .at("plain"): .answers([.string("x")]), .at("driver"): .instances(2),
            .at("driver[0]/driver-name"): .answers([.string("Anna")]),
            .at("tags"): .answers([.code("x"), .code("y")]), .at("box"): .instances(2),
            .at("box[1]/boxed"): .answers([.string("kept")]), .at("box[2]/boxed"): .answers([.string("gone")]),
            .at("unheard-of"): .answers([.boolean(true)]), .at("box[0]/boxed"): .instances(3),
        ]
        #expect(
            try FormDraft(restoring: rows, of: other).rows == [
                .at("tags"): .answers([.code("x")]), .at("box"): .instances(2),
                .at("box[1]/boxed"): .answers([.string("kept")]),
            ])
    }
}
