import GateModel
import Testing

@testable import GateCore

extension Questionnaire {
    static func of(_ items: [QuestionnaireItem], version: String? = "1") -> Questionnaire {
        Questionnaire(
            name: "form", url: "https://gate.example/fhir/Questionnaire/form", version: version, title: "Form",
            items: items)
    }

    /// An item in each state that an edit can find it in.
    static let states = Questionnaire.of([
        .question("on", .boolean),
        .question("plain", .string),
        .question("shut", .string) { $0.enableWhen = [.when("on", .equal, .boolean(true))] },
        .question("fixed", .string) {
            $0.isReadOnly = true
            $0.initial = [.string("A-1")]
        },
        .question("fixed-empty", .string) { $0.isReadOnly = true },
        .question("street", .string),
        .question("number", .string) { $0.parents = ["street"] },
        QuestionnaireItem(linkID: "hint", kind: .display, text: "Please write clearly."),
        .group("box", [.question("boxed", .string)]),
        .question("tags", .string) {
            $0.repeats = true
            $0.constraints.maximumOccurs = 3
        },
        .group(
            "driver",
            [.question("driver-name", .string), .question("licence", .string) { $0.initial = [.string("B")] }]
        ) {
            $0.repeats = true
            $0.constraints.maximumOccurs = 3
        },
        .group("locked", [.question("inside", .string)]) {
            $0.repeats = true
            $0.isReadOnly = true
        },
        .group("gone", [.question("gone-name", .string)]) {
            $0.repeats = true
            $0.enableWhen = [.when("on", .equal, .boolean(true))]
        },
        .question("asked", .string) { $0.items = [.question("below", .string) { $0.initial = [.string("first")] }] },
        .question("medicine", .string) {
            $0.repeats = true
            $0.items = [.question("dose", .string) { $0.initial = [.string("1 g")] }]
        },
    ])

    /// The drivers of a car, with parents and conditions (F-35 … F-37).
    static let drivers = Questionnaire.of([
        .group(
            "driver",
            [
                .question("name", .string),
                .choice("document", ["passport", "licence"]),
                .question("number", .string) { $0.parents = ["document"] },
                .question("copy", .string) { $0.parents = ["number"] },
                .question("claims", .integer) { $0.initial = [.integer(0)] },
            ]
        ) { $0.repeats = true },
        .question("oldest", .string) { $0.parents = ["name"] },
    ])
}

extension QuestionnaireItem {
    static func question(
        _ linkID: String, _ kind: Kind, _ adjust: (inout QuestionnaireItem) -> Void = { _ in }
    ) -> QuestionnaireItem {
        var item = QuestionnaireItem(linkID: linkID, kind: kind, text: "The \(linkID)")
        adjust(&item)
        return item
    }

    static func group(
        _ linkID: String, _ items: [QuestionnaireItem], _ adjust: (inout QuestionnaireItem) -> Void = { _ in }
    ) -> QuestionnaireItem {
        question(linkID, .group) {
            $0.items = items
            adjust(&$0)
        }
    }

    static func choice(
        _ linkID: String, _ codes: [String], _ adjust: (inout QuestionnaireItem) -> Void = { _ in }
    ) -> QuestionnaireItem {
        question(linkID, .choice) {
            $0.options = codes.map { QuestionnaireAnswerOption(.code($0, "The \($0)")) }
            adjust(&$0)
        }
    }
}

extension QuestionnaireEnableCondition {
    static func when(_ question: String, _ comparison: Operator, _ answer: FormValue) -> QuestionnaireEnableCondition {
        QuestionnaireEnableCondition(question: question, comparison: comparison, answer: answer)
    }
}

extension FormValue {
    static func code(_ code: String, _ display: String? = nil) -> FormValue {
        .coding(FormCoding(system: "https://gate.example/codes", code: code, display: display))
    }

    static func decimal(_ text: String) throws -> FormValue {
        .decimal(try #require(FormDecimal(text)))
    }

    static func date(_ text: String) throws -> FormValue {
        .date(try #require(FormDate(text)))
    }
}

extension FormPath {
    static func at(_ text: String) throws -> FormPath {
        try #require(FormPath(text: text))
    }
}

extension FormDraft {
    static func opened(_ items: [QuestionnaireItem]) -> FormDraft {
        .opened(CompiledForm(.of(items)))
    }

    @discardableResult
    mutating func set(_ path: String, _ values: FormValue...) throws -> Change {
        try set(.at(path), to: values)
    }

    @discardableResult
    mutating func suggest(_ path: String, _ values: FormValue...) throws -> Change {
        try suggest(.at(path), values)
    }

    @discardableResult
    mutating func remove(_ path: String) throws -> Change {
        try remove(.at(path))
    }

    func values(_ path: String) throws -> [FormValue]? {
        try values(at: .at(path))
    }

    func isEnabled(_ path: String) throws -> Bool {
        try isEnabled(.at(path))
    }

    /// The response that a person would complete.
    var completed: QuestionnaireResponse {
        response(.completed, authored: nil, includingUnanswered: false)
    }

    /// The linkIds of items that lack an answer.
    var missing: [String] {
        issues(now: .epoch).filter { $0.code == .required && $0.severity == .error }.compactMap(\.linkID)
    }
}

extension QuestionnaireResponse {
    static func of(_ items: QuestionnaireResponseItem...) -> QuestionnaireResponse {
        QuestionnaireResponse(status: .completed, items: items)
    }
}

extension QuestionnaireResponseItem {
    static func answer(_ linkID: String, _ values: FormValue...) -> QuestionnaireResponseItem {
        QuestionnaireResponseItem(linkID: linkID, answers: values.map { QuestionnaireResponseAnswer($0) })
    }

    static func group(_ linkID: String, _ items: QuestionnaireResponseItem...) -> QuestionnaireResponseItem {
        QuestionnaireResponseItem(linkID: linkID, items: items)
    }
}

/// The reason for which an edit is refused; any other error fails the test.
func refusal<Result>(of edit: () throws -> Result) throws -> GateError.Reason? {
    do {
        _ = try edit()
        return nil
    } catch let error as GateError {
        return error.reason
    }
}
