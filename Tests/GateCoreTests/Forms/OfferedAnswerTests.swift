import GateModel
import Testing

@testable import GateCore

/// Offered answers are found by a table: it has to find what comparing would find.
@Suite("Looking up offered answers")
struct OfferedAnswerTests {
    private static func values() throws -> [FormValue] {
        let times = ["10:00:00", "10:00:00.000", "10:00:00.50", "10:00:00.5", "10:01:00", "10:00:60", "10:00:60.0"]
        let dates = ["2024", "2024-05", "2024-05-17"]
        let numbers = ["1", "1.0", "10e-1", "2.5"]
        return try [
            .boolean(true), .integer(1), .integer(2), .string("a"), .string("é"), .string("e\u{301}"), .uri("a"),
        ]
            + times.map { try .time(#require(FormTime($0))) } + dates.map { try .date($0) }
            + dates.map { try .dateTime(#require(FormDateTime($0))) } + numbers.map { try .decimal($0) }
            + [
                .code("a"), .code("a", "other words"), .coding(FormCoding(code: "a")),
                .coding(FormCoding(display: "words")), .coding(FormCoding(system: "s", display: "words")),
                .coding(FormCoding(code: "a", display: "words")), .coding(FormCoding()),
                .reference(FormReference(reference: "P/1")),
                .reference(FormReference(reference: "P/1", type: "P", display: "x")),
                .reference(FormReference(display: "x")), .reference(FormReference(type: "P", display: "x")),
                .quantity(FormQuantity(value: FormDecimal(1), unit: "kW")),
                .quantity(FormQuantity(value: FormDecimal("1.0"), unit: "kW")),
            ]
    }

    @Test("looking an option up by its value finds it exactly if comparing would")
    func sameAsComparing() throws {
        let values = try Self.values()
        let all = OfferedAnswers(values.map { QuestionnaireAnswerOption($0) })
        for value in values {
            #expect(all.option(for: value)?.value.isSame(as: value) == true, "\(value)")
            for other in values {
                let found = OfferedAnswers([QuestionnaireAnswerOption(other)]).option(for: value) != nil
                #expect(found == other.isSame(as: value), "\(other) for \(value)")
            }
        }
        #expect(OfferedAnswers([]).option(for: .integer(1)) == nil)
    }

    @Test("an exclusive choice refuses further answers, wherever it stands among them")
    func exclusive() throws {
        var draft = FormDraft.opened([
            .choice("c", ["a", "b", "none"]) {
                $0.repeats = true
                $0.options[2].isExclusive = true
            }
        ])
        #expect(try refusal { try draft.set("c", .code("a"), .code("none")) } == .badAnswer)
        #expect(try refusal { try draft.set("c", .code("none"), .code("a")) } == .badAnswer)
        #expect(try draft.set("c", .code("none")).isChanged)
        #expect(try draft.set("c", .code("a"), .code("b")).isChanged)
    }
}
