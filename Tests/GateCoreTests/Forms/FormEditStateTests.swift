import GateModel
import Testing

@testable import GateCore

/// Each edit × each state that it can find an item in.
@Suite("Edits of forms, state by state")
struct FormEditStateTests {
    /// The outcome of an edit: it changes something (`nil`), changes nothing, or is refused.
    enum Outcome: Equatable, CustomStringConvertible {
        case changes
        case changesNothing
        case refused(GateError.Reason)

        var description: String {
            switch self {
            case .changes: "changes"
            case .changesNothing: "changes nothing"
            case .refused(let reason): "refused: \(reason)"
            }
        }
    }

    struct Row: CustomStringConvertible, Sendable {
        var path: String
        var set: Outcome
        var suggest: Outcome
        var clear: Outcome
        var remove: Outcome

        init(_ path: String, _ set: Outcome, _ suggest: Outcome, _ clear: Outcome, _ remove: Outcome) {
            (self.path, self.set, self.suggest, self.clear, self.remove) = (path, set, suggest, clear, remove)
        }

        var description: String { path }
    }

    static let notNow = Outcome.refused(.notAnswerable)
    static let never = Outcome.refused(.badAnswer)
    static let nowhere = Outcome.refused(.unknown)
    static let malformed = Outcome.refused(.invalidRequest)

    /// The rows for the items of the form `states`, just opened.
    static let table = [
        Row("plain", .changes, .changes, .changesNothing, malformed),
        Row("shut", notNow, notNow, notNow, malformed),
        Row("fixed", notNow, .changesNothing, notNow, malformed),
        Row("fixed-empty", notNow, .changes, notNow, malformed),
        Row("number", notNow, notNow, .changesNothing, malformed),
        Row("nothing", nowhere, nowhere, nowhere, nowhere),
        Row("hint", never, never, never, malformed),
        Row("box", never, never, never, malformed),
        Row("boxed", .changes, .changes, .changesNothing, malformed),
        Row("tags", .changes, .changes, .changesNothing, malformed),
        Row("tags[0]", malformed, malformed, malformed, malformed),
        Row("driver", never, never, never, .changes),
        Row("driver[0]", never, never, never, .changes),
        Row("driver[1]", never, never, never, nowhere),
        Row("driver[0]/driver-name", .changes, .changes, .changesNothing, malformed),
        Row("driver[0]/licence", .changes, .changesNothing, .changes, malformed),
        Row("driver[1]/driver-name", .changes, .changes, .changesNothing, nowhere),
        Row("driver[1]/licence", .changes, .changesNothing, .changesNothing, nowhere),
        Row("driver[2]/driver-name", nowhere, nowhere, nowhere, nowhere),
        Row("driver[0]/plain", nowhere, nowhere, nowhere, nowhere),
        Row("locked[0]", never, never, never, notNow),
        Row("locked[0]/inside", notNow, .changes, notNow, malformed),
        Row("gone[0]", never, never, never, notNow),
        Row("gone[0]/gone-name", notNow, notNow, notNow, malformed),
        Row("gone[1]/gone-name", notNow, notNow, notNow, nowhere),
        Row("below", notNow, notNow, notNow, malformed),
        Row("medicine", .changes, .changes, .changesNothing, malformed),
        Row("medicine[0]/dose", notNow, notNow, notNow, notNow),
        Row("medicine[1]/dose", nowhere, nowhere, nowhere, nowhere),
    ]

    @Test("every edit has one defined outcome in every state, and a refused edit leaves no trace", arguments: table)
    func outcome(row: Row) throws {
        let opened = FormDraft.opened(CompiledForm(.states))
        func outcome(_ edit: (inout FormDraft) throws -> FormDraft.Change) throws -> Outcome {
            var draft = opened
            do {
                let change = try edit(&draft)
                #expect(change.isChanged == (draft != opened))
                return change.isChanged ? .changes : .changesNothing
            } catch let error as GateError {
                #expect(draft == opened && draft.byteCount == opened.byteCount)
                #expect(error.message.hasSuffix("."))
                return .refused(error.reason)
            }
        }
        #expect(try outcome { try $0.set(row.path, .string("x")) } == row.set)
        #expect(try outcome { try $0.suggest(row.path, .string("x")) } == row.suggest)
        #expect(try outcome { try $0.set(row.path) } == row.clear)
        #expect(try outcome { try $0.remove(row.path) } == row.remove)
        #expect(try outcome { try $0.suggest(row.path) } == (row.suggest == .changes ? .changesNothing : emptied(row)))
    }

    /// Suggesting nothing changes nothing, in any state.
    private func emptied(_ row: Row) -> Outcome {
        row.suggest == Self.notNow && !row.path.contains("medicine[") ? .changesNothing : row.suggest
    }

    @Test("F-41: a suggestion fills an empty question, also a read-only one, and never replaces an answer")
    func suggestions() throws {
        var draft = FormDraft.opened(CompiledForm(.states))
        #expect(try draft.suggest("plain", .string("75")).isChanged)
        #expect(try !draft.suggest("plain", .string("90")).isChanged)
        try draft.set("plain", .string("60"))
        #expect(try !draft.suggest("plain", .string("90")).isChanged)
        #expect(try draft.values("plain") == [.string("60")])
        try draft.set("plain")
        #expect(try draft.suggest("plain", .string("90")).isChanged)
        #expect(try draft.suggest("fixed-empty", .string("server")).isChanged)
        #expect(try refusal { try draft.suggest("plain", .integer(9)) } == .badAnswer)
    }

    @Test("F-41: a suggestion clears what depends on it, as an answer does")
    func suggestionClears() throws {
        var draft = FormDraft.opened([
            .question("a", .string),
            .question("b", .string) {
                $0.parents = ["a"]
                $0.initial = [.string("1")]
            },
        ])
        #expect(try draft.suggest("a", .string("x")).cleared == [.at("b")])
    }

    @Test("F-28: answers of a wrong type, too many answers, and answers against a rule are refused with a sentence")
    func badAnswers() throws {
        var draft = FormDraft.opened([
            .question("n", .integer) { $0.constraints.maximum = .integer(5) }, .choice("c", ["red", "blue"]),
            .choice("several", ["x", "y", "none"]) {
                $0.repeats = true
                $0.options[2].isExclusive = true
                $0.constraints.maximumOccurs = 2
            },
        ])
        let opened = draft
        let bad: [(String, [FormValue], String)] = [
            ("n", [.string("5")], "a whole number"), ("n", [.integer(6)], "at most 5"),
            ("n", [.integer(1), .integer(2)], "at most 1 answer"), ("c", [.code("pink")], "The red or The blue"),
            ("several", [.code("x"), .code("x")], "twice"), ("several", [.code("x"), .code("none")], "'The none'"),
            ("several", [.code("x"), .code("y"), .code("none")], "at most 2 answers"), ("c", [.string("")], "choices"),
        ]
        for (path, values, part) in bad {
            let error = try #require(throws: GateError.self) { try draft.set(.at(path), to: values) }
            #expect(error.code == .invalidArgument && error.reason == .badAnswer)
            #expect(error.message.contains(part), "\(error.message)")
        }
        #expect(draft == opened)
    }
}
