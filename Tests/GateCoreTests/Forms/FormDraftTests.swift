import GateModel
import Testing

@testable import GateCore

/// The life of a draft, one row of docs/features.md after the other.
@Suite("Drafts of forms")
struct FormDraftTests {
    @Test("F-29: one engine fills every form")
    func oneEngine() throws {
        for items in [[QuestionnaireItem.question("a", .string)], [.group("b", [.question("a", .string)])]] {
            var draft = FormDraft.opened(items)
            try draft.set("a", .string("x"))
            #expect(try draft.values("a") == [.string("x")])
            #expect(draft.issues(now: .epoch).isEmpty)
        }
    }

    @Test("F-30: a form opens with initial values, in order, and groups as often as they have to be there")
    func opens() throws {
        let draft = FormDraft.opened([
            .question("country", .string) { $0.initial = [.string("DE")] },
            .choice("colour", ["red", "blue"]) { $0.options[1].isInitiallySelected = true },
            .question("off", .string) {
                $0.initial = [.string("kept")]
                $0.enableWhen = [.when("country", .equal, .string("FR"))]
            },
            .group("driver", [.question("claims", .integer) { $0.initial = [.integer(0)] }]) {
                $0.repeats = true
                $0.constraints.minimumOccurs = 2
            },
            .question("pet", .string) {
                $0.repeats = true
                $0.initial = [.string("cat"), .string("dog")]
                $0.items = [.question("legs", .integer) { $0.initial = [.integer(4)] }]
            },
        ])
        #expect(
            try draft.rows == [
                .at("country"): .answers([.string("DE")]), .at("colour"): .answers([.code("blue", "The blue")]),
                .at("off"): .answers([.string("kept")]), .at("driver"): .instances(2),
                .at("driver[0]/claims"): .answers([.integer(0)]), .at("driver[1]/claims"): .answers([.integer(0)]),
                .at("pet"): .answers([.string("cat"), .string("dog")]),
                .at("pet[0]/legs"): .answers([.integer(4)]), .at("pet[1]/legs"): .answers([.integer(4)]),
            ])
        let linkIDs = draft.completed.items.map(\.linkID)
        #expect(linkIDs == ["country", "colour", "driver", "driver", "pet"])
    }

    @Test("F-31: an unknown key is refused, and names nothing")
    func unknownKey() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        for path in ["nothing", "box/plain", "plain/boxed", "driver[5]/driver-name", "on[0]/plain"] {
            #expect(try refusal { try draft.set(path, .string("x")) } == .unknown, "\(path)")
            #expect(try draft.values(path) == nil, "\(path)")
            #expect(try !draft.isEnabled(path), "\(path)")
        }
        #expect(draft == .opened(CompiledForm(.states)))
    }

    @Test("F-31: an index may be left out if there is only one instance; otherwise the refusal names the choices")
    func leftOutIndex() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        try draft.set("driver-name", .string("Anna"))
        #expect(try draft.values("driver[0]/driver-name") == [.string("Anna")])
        #expect(try draft.values("driver/driver-name") == [.string("Anna")])
        try draft.set("driver[1]/driver-name", .string("Ben"))
        let error = try #require(throws: GateError.self) { try draft.set("driver-name", .string("Cleo")) }
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains("'driver[0]' to 'driver[1]'"))
    }

    @Test("F-32: optional questions may stay empty, and the form counts as filled")
    func optional() throws {
        var draft = FormDraft.opened([.question("a", .string) { $0.isRequired = true }, .question("b", .string)])
        #expect(draft.missing == ["a"])
        try draft.set("a", .string("x"))
        #expect(draft.issues(now: .epoch).isEmpty)
    }

    @Test("a choice or unit is kept with the form's words, whatever words the answer has (T-03)")
    func words() throws {
        var draft = FormDraft.opened([
            .choice("who", ["anybody", "parents"]),
            .question("price", .quantity) {
                $0.constraints.units = [FormCoding(system: "s", code: "kEUR", display: "thousand €")]
            },
        ])
        try draft.set("who", .code("anybody", "Only the parents"))
        #expect(try draft.values("who")?.map(\.displayText) == ["The anybody"])
        let price = FormQuantity(value: FormDecimal("5"), unit: "€", system: "s", code: "kEUR")
        try draft.set("price", .quantity(price))
        #expect(try draft.values("price")?.map(\.displayText) == ["5 thousand €"])
        let other = FormReference(reference: "Person/2", type: nil, display: "Person 1")
        #expect(other.displayText == "Person 1 [Person/2]")
    }

    @Test("F-33: a choice given by its code alone is kept with the text that people read")
    func display() throws {
        var draft = FormDraft.opened([.choice("colour", ["red", "blue"])])
        try draft.set("colour", .code("red"))
        #expect(try draft.values("colour")?.map(\.displayText) == ["The red"])
    }

    @Test("F-34: reset brings back initial values and groups, and clears the rest")
    func reset() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        let opened = draft
        #expect(!draft.reset().isChanged)
        try draft.set("plain", .string("x"))
        try draft.set("driver[0]/licence", .string("C"))
        try draft.set("driver[1]/driver-name", .string("Ben"))
        let change = draft.reset()
        #expect(draft == opened)
        #expect(
            try change.rows == [
                .at("plain"): nil, .at("driver"): nil, .at("driver[0]/licence"): .answers([.string("B")]),
                .at("driver[1]/driver-name"): nil, .at("driver[1]/licence"): nil,
            ])
    }

    @Test("F-38, F-42: a disabled question keeps its value, which stays hidden until it is enabled again")
    func shutKeeps() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        try draft.set("on", .boolean(true))
        try draft.set("shut", .string("kept"))
        let change = try draft.set("on", .boolean(false))
        #expect(try change.rows == [.at("on"): .answers([.boolean(false)])])
        #expect(try draft.values("shut") == [.string("kept")])
        #expect(try !draft.isEnabled("shut"))
        #expect(!draft.completed.items.contains { $0.linkID == "shut" })
        #expect(draft.issues(now: .epoch).isEmpty)
        try draft.set("on", .boolean(true))
        #expect(draft.completed.items.contains { $0.linkID == "shut" })
    }

    @Test("F-42: a switch that hides a required field leaves it validly empty")
    func switchHides() throws {
        var draft = FormDraft.opened([
            .question("no-plate", .boolean),
            .question("plate", .string) {
                $0.isRequired = true
                $0.enableWhen = [.when("no-plate", .notEqual, .boolean(true))]
            },
        ])
        #expect(draft.missing == ["plate"])
        try draft.set("no-plate", .boolean(true))
        #expect(draft.missing == [])
        try draft.set("no-plate", .boolean(false))
        #expect(draft.missing == ["plate"])
    }

    @Test("F-44: the questions to move through are exactly those that are asked")
    func unansweredAreThere() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        func asked() -> [String] {
            draft.response(.inProgress, authored: nil, includingUnanswered: true).items.map(\.linkID)
        }
        #expect(!asked().contains("shut") && asked().contains("hint") && asked().contains("box"))
        try draft.set("on", .boolean(true))
        #expect(asked() == Questionnaire.states.items.map(\.linkID))
    }

    @Test("F-45: a composite field is complete when every part is")
    func composite() throws {
        var draft = FormDraft.opened([
            .group(
                "name",
                [
                    .question("first", .string) { $0.isRequired = true },
                    .question("last", .string) { $0.isRequired = true },
                ])
        ])
        #expect(draft.missing == ["first", "last"])
        try draft.set("first", .string("Anna"))
        #expect(draft.missing == ["last"])
        try draft.set("last", .string("Weber"))
        #expect(draft.missing == [])
        let name = try #require(draft.completed.items.first)
        #expect(name.linkID == "name" && name.items.map(\.linkID) == ["first", "last"])
    }

    @Test("a required group counts as missing until something in it is answered")
    func requiredGroup() throws {
        var draft = FormDraft.opened([.group("contact", [.question("mail", .string)]) { $0.isRequired = true }])
        #expect(draft.missing == ["contact"])
        try draft.set("mail", .string("anna@example.org"))
        #expect(draft.missing == [])
    }

    @Test("an empty repeating group lacks nothing, unless a minimum of instances is required")
    func emptyInstances() throws {
        func drivers(minimum: Int?) -> FormDraft {
            .opened([
                .group("driver", [.question("name", .string) { $0.isRequired = true }, .question("age", .integer)]) {
                    $0.repeats = true
                    $0.constraints.minimumOccurs = minimum
                }
            ])
        }
        var draft = drivers(minimum: nil)
        #expect(draft.missing == [])
        try draft.set("driver[0]/age", .integer(30))
        #expect(draft.missing == ["name"])
        #expect(drivers(minimum: 2).missing == ["driver"])
    }

    @Test("the texts of the items are in a response, and the questionnaire's canonical with its version")
    func texts() throws {
        var draft = FormDraft.opened([.question("a", .string)])
        try draft.set("a", .string("x"))
        let response = draft.response(.inProgress, authored: "2024-05-01", includingUnanswered: false)
        #expect(response.questionnaire == "https://gate.example/fhir/Questionnaire/form|1")
        #expect(response.authored == "2024-05-01" && response.status == .inProgress)
        #expect(response.items.map(\.text) == ["The a"])
    }

    @Test("bytes and attachments count as long as an answer names them")
    func counts() throws {
        var draft = FormDraft.opened([.question("a", .attachment) { $0.repeats = true }, .question("t", .text)])
        #expect(draft.byteCount == 0 && draft.attachments.isEmpty)
        let digest = try #require(AttachmentDigest(bytes: [UInt8](repeating: 7, count: 32)))
        let document = FormValue.attachment(FormAttachment(mediaType: "image/png", byteCount: 10, digest: digest))
        try draft.set("a", document, document)
        #expect(draft.attachments == [digest])
        try draft.set("a", document)
        #expect(draft.attachments == [digest])
        let before = draft.byteCount
        try draft.set("t", .string(String(repeating: "x", count: 1000)))
        #expect(draft.byteCount >= before + 1000)
        try draft.set("t")
        try draft.set("a")
        #expect(draft.byteCount == 0 && draft.attachments.isEmpty)
    }
}
