import GateModel
import Testing

@testable import GateCore

/// Questions that wait for others, and are cleared with them (F-35 … F-37).
@Suite("Parents in forms")
struct FormParentTests {
    private func filled() throws -> FormDraft {
        var draft = FormDraft.opened(CompiledForm(.drivers))
        for driver in 0...1 {
            try draft.set("driver[\(driver)]/name", .string("Driver \(driver)"))
            try draft.set("driver[\(driver)]/document", .code("passport"))
            try draft.set("driver[\(driver)]/number", .string("C0\(driver)"))
            try draft.set("driver[\(driver)]/copy", .string("yes"))
        }
        try draft.set("oldest", .string("Driver 1"))
        return draft
    }

    @Test("F-36: what depends on a changed answer is cleared, and what depends on that, in the same driver alone")
    func clearing() throws {
        var draft = try filled()
        let change = try draft.set("driver[1]/document", .code("licence"))
        #expect(try change.cleared == [.at("driver[1]/number"), .at("driver[1]/copy")])
        #expect(
            try change.rows == [
                .at("driver[1]/document"): .answers([.code("licence", "The licence")]), .at("driver[1]/number"): nil,
                .at("driver[1]/copy"): nil,
            ])
        #expect(try draft.values("driver[0]/copy") == [.string("yes")])
        #expect(try draft.values("driver[1]/copy") == [])
    }

    @Test("F-36: the same answer again clears nothing, however it is written for people")
    func sameAnswer() throws {
        var draft = try filled()
        let before = draft
        #expect(try draft.set("driver[1]/document", .code("passport", "Reisepass")) == FormDraft.Change())
        #expect(try draft.set("driver[1]/number", .string("C01")) == FormDraft.Change())
        #expect(draft == before)
    }

    @Test("F-36: clearing an answer clears what depends on it")
    func clearingParent() throws {
        var draft = try filled()
        #expect(try draft.set("driver[0]/document").cleared == [.at("driver[0]/number"), .at("driver[0]/copy")])
    }

    @Test("F-36: a decimal with other digits, such as 1.50 for 1.5, is another answer")
    func decimalsByText() throws {
        var draft = FormDraft.opened([
            .question("size", .decimal), .question("more", .string) { $0.parents = ["size"] },
        ])
        try draft.set("size", .decimal("1.5"))
        try draft.set("more", .string("x"))
        #expect(try !draft.set("size", .decimal("1.5")).isChanged)
        #expect(try draft.set("size", .decimal("1.50")).cleared == [.at("more")])
    }

    @Test("F-36: a letter composed of other Unicode scalars is another answer")
    func unicodeByScalars() throws {
        var draft = FormDraft.opened([.question("name", .string), .question("more", .string) { $0.parents = ["name"] }])
        try draft.set("name", .string("\u{E9}"))
        try draft.set("more", .string("x"))
        let change = try draft.set("name", .string("e\u{301}"))
        #expect(try change.cleared == [.at("more")])
        #expect(try Set(change.rows.keys) == [.at("name"), .at("more")])
    }

    @Test("F-36: a question outside the group depends on every driver's answer")
    func fromOutside() throws {
        var draft = try filled()
        #expect(try draft.set("driver[0]/name", .string("Cleo")).cleared == [.at("oldest")])
    }

    @Test("F-36: clearing does not restore initial values, and clears read-only and disabled questions too")
    func clearsEverywhere() throws {
        var draft = FormDraft.opened([
            .question("a", .string) { $0.initial = [.string("1")] },
            .question("b", .string) {
                $0.parents = ["a"]
                $0.initial = [.string("2")]
                $0.isReadOnly = true
            },
            .question("c", .string) {
                $0.parents = ["b"]
                $0.initial = [.string("3")]
                $0.enableWhen = [.when("a", .equal, .string("1"))]
            },
        ])
        #expect(try draft.set("a", .string("x")).cleared == [.at("b"), .at("c")])
        #expect(try draft.rows == [.at("a"): .answers([.string("x")])])
    }

    @Test("F-37: a question can't be answered before its parents, and the refusal names the missing one")
    func parentFirst() throws {
        var draft = FormDraft.opened(CompiledForm(.drivers))
        for edit in [
            { try draft.set("driver[0]/number", .string("C01")) },
            { try draft.suggest("driver[0]/number", .string("C01")) },
        ] {
            let error = try #require(throws: GateError.self) { try edit() }
            #expect(error.code == .failedPrecondition && error.reason == .notAnswerable)
            #expect(error.message.contains("'The document' (document)"))
        }
        try draft.set("driver[0]/document", .code("licence"))
        try draft.set("driver[0]/number", .string("C01"))
    }

    @Test("F-37: the parent in another driver does not count")
    func parentInSameInstance() throws {
        var draft = FormDraft.opened(CompiledForm(.drivers))
        try draft.set("driver[0]/document", .code("licence"))
        #expect(try refusal { try draft.set("driver[1]/number", .string("C01")) } == .notAnswerable)
        #expect(try draft.values("driver[1]/name") == nil, "a refused answer makes no driver")
    }

    @Test("F-37: a disabled parent counts as unanswered; an answer that depends on it can still be removed")
    func shutParent() throws {
        var draft = FormDraft.opened([
            .question("abroad", .boolean),
            .question("street", .string) { $0.enableWhen = [.when("abroad", .notEqual, .boolean(true))] },
            .question("number", .string) { $0.parents = ["street"] },
        ])
        try draft.set("street", .string("Hill Road"))
        try draft.set("number", .string("4b"))
        try draft.set("abroad", .boolean(true))
        #expect(try refusal { try draft.set("number", .string("5")) } == .notAnswerable)
        #expect(draft.issues(now: .epoch).map(\.code) == [.businessRule])
        try draft.set("number")
        #expect(draft.issues(now: .epoch).isEmpty)
    }

    @Test("parents in a circle are cleared once, and the answer just given stays")
    func circle() throws {
        var draft = FormDraft.opened([
            .question("a", .string) {
                $0.parents = ["b"]
                $0.initial = [.string("1")]
            },
            .question("b", .string) {
                $0.parents = ["a"]
                $0.initial = [.string("2")]
            },
        ])
        #expect(try draft.set("a", .string("x")).cleared == [.at("b")])
        #expect(try draft.rows == [.at("a"): .answers([.string("x")])])
    }
}
