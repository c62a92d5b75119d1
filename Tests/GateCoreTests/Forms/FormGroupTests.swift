import GateModel
import Testing

@testable import GateCore

/// Groups that repeat, and what is asked below answers (F-35).
@Suite("What repeats in forms")
struct FormGroupTests {
    @Test("F-35: answering in the next driver creates it with initial values; answering beyond that is refused")
    func nextInstance() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        let change = try draft.set("driver[1]/driver-name", .string("Ben"))
        #expect(
            try change.rows == [
                .at("driver"): .instances(2), .at("driver[1]/driver-name"): .answers([.string("Ben")]),
                .at("driver[1]/licence"): .answers([.string("B")]),
            ])
        #expect(try refusal { try draft.set("driver[3]/driver-name", .string("Cleo")) } == .unknown)
    }

    @Test("F-35: there are no more drivers than may be, and clearing makes none")
    func maximum() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        #expect(try !draft.set("driver[1]/driver-name").isChanged)
        try draft.set("driver[1]/driver-name", .string("Ben"))
        try draft.set("driver[2]/driver-name", .string("Cleo"))
        #expect(try refusal { try draft.set("driver[3]/driver-name", .string("Dora")) } == .badAnswer)
        #expect(try draft.values("driver[3]/driver-name") == nil)
    }

    @Test("F-35: later drivers move up when one is removed")
    func removal() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        for (index, name) in ["Anna", "Ben", "Cleo"].enumerated() {
            try draft.set("driver[\(index)]/driver-name", .string(name))
        }
        try draft.set("driver[2]/licence", .string("C"))
        let change = try draft.remove("driver[1]")
        let rows: [FormPath: FormRow?] = try [
            .at("driver"): .instances(2), .at("driver[1]/driver-name"): .answers([.string("Cleo")]),
            .at("driver[1]/licence"): .answers([.string("C")]), .at("driver[2]/driver-name"): nil,
            .at("driver[2]/licence"): nil,
        ]
        #expect(change.rows == rows)
        #expect(change.cleared.isEmpty)
        try draft.remove("driver[0]")
        #expect(try draft.values("driver[0]/driver-name") == [.string("Cleo")])
        #expect(try refusal { try draft.remove("driver[1]") } == .unknown)
    }

    @Test("F-35: the only driver is emptied instead of removed")
    func lastInstance() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        try draft.set("driver[0]/driver-name", .string("Anna"))
        #expect(try draft.remove("driver").isChanged)
        #expect(try draft.values("driver[0]/driver-name") == [])
        #expect(try draft.values("driver[0]/licence") == [])
        #expect(try !draft.remove("driver[0]").isChanged)
    }

    @Test("F-36: what depends on a removed driver is cleared")
    func removalClears() throws {
        var draft = FormDraft.opened(CompiledForm(.drivers))
        try draft.set("driver[0]/name", .string("Anna"))
        try draft.set("driver[1]/claims", .integer(3))
        try draft.set("oldest", .string("Anna"))
        #expect(try draft.remove("driver[1]").cleared == [], "it had no name")
        #expect(try draft.remove("driver[0]").cleared == [.at("oldest")])
    }

    @Test("groups in groups have an index each")
    func groupsInGroups() throws {
        var draft = FormDraft.opened([
            .group("driver", [.group("claim", [.question("cost", .integer)]) { $0.repeats = true }]) {
                $0.repeats = true
            }
        ])
        try draft.set("driver[1]/claim[0]/cost", .integer(10))
        try draft.set("driver[1]/claim[1]/cost", .integer(11))
        #expect(try refusal { try draft.set("driver[0]/claim[2]/cost", .integer(2)) } == .unknown)
        try draft.set("driver[2]/claim[1]/cost", .integer(21))
        #expect(try draft.values("driver[2]/claim[0]/cost") == [])
        try draft.remove("driver[1]/claim[0]")
        #expect(try draft.values("driver[1]/claim[0]/cost") == [.integer(11)])
        try draft.remove("driver[0]")
        #expect(try draft.values("driver[0]/claim[0]/cost") == [.integer(11)])
        #expect(try draft.values("driver[1]/claim[1]/cost") == [.integer(21)])
        #expect(try draft.rows[.at("driver")] == .instances(2))
    }

    @Test(
        "an item below an answer begins with its initial value, stays while the answer changes, and is removed with it")
    func belowAnswer() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        #expect(try draft.values("below") == [])
        #expect(try refusal { try draft.set("below", .string("x")) } == .notAnswerable)
        try draft.set("asked", .string("one"))
        #expect(try draft.values("below") == [.string("first")])
        try draft.set("below", .string("mine"))
        try draft.set("asked", .string("two"))
        #expect(try draft.values("below") == [.string("mine")])
        #expect(try draft.set("asked").cleared == [.at("below")])
        #expect(try draft.rows[.at("below")] == nil)
    }

    @Test("items below one of several answers move with that answer")
    func belowMovingAnswers() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        try draft.set("medicine", .string("a"), .string("b"), .string("c"))
        for (index, dose) in ["1", "2", "3"].enumerated() { try draft.set("medicine[\(index)]/dose", .string(dose)) }
        let change = try draft.set("medicine", .string("c"), .string("new"), .string("a"))
        func dose(_ index: Int) throws -> [FormValue]? { try draft.values("medicine[\(index)]/dose") }
        #expect(try dose(0) == [.string("3")])
        #expect(try dose(1) == [.string("2")], "an answer that is changed in its place keeps what is below it")
        #expect(try dose(2) == [.string("1")])
        #expect(change.cleared.isEmpty)
        #expect(try draft.set("medicine", .string("a")).cleared == [.at("medicine[0]/dose"), .at("medicine[1]/dose")])
        #expect(try dose(0) == [.string("1")])
        try draft.set("medicine", .string("a"), .string("d"))
        #expect(try dose(1) == [.string("1 g")])
    }

    @Test("items that name their own question as parent are cleared below the changed answer alone")
    func ownQuestionAsParent() throws {
        var draft = FormDraft.opened([
            .question("medicine", .string) {
                $0.repeats = true
                $0.items = [.question("dose", .string) { $0.parents = ["medicine"] }]
            }
        ])
        try draft.set("medicine", .string("a"), .string("b"))
        try draft.set("medicine[0]/dose", .string("1"))
        try draft.set("medicine[1]/dose", .string("2"))
        #expect(try draft.set("medicine", .string("a"), .string("x")).cleared == [.at("medicine[1]/dose")])
        #expect(try draft.values("medicine[0]/dose") == [.string("1")])
        #expect(try draft.set("medicine", .string("a"), .string("x"), .string("y")).cleared == [])
    }
}
