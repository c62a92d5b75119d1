import GateModel
import Testing

@testable import gatectl

private func presentation(
    _ challenge: Challenge, _ purpose: Presentation.Purpose = .enterParentMode
) -> Presentation {
    Presentation(
        id: 1, cookie: Cookie(bytes: []), purpose: purpose, deadline: BootTime(nanoseconds: 1), style: .sheet,
        isDismissible: true, challenge: challenge)
}

private let choice = QuestionText(
    presentation: presentation(
        .arithmeticChoice(ArithmeticProblem(left: 42, operator: .dividedBy, right: 7), choices: [5, 6, 7])))
private let entry = QuestionText(
    presentation: presentation(
        .arithmeticEntry(ArithmeticProblem(left: 35, operator: .plus, right: 55)), .extendParentMode))

@Suite("A question as text")
struct QuestionTextTests {
    @Test("plain, it is one line, and one for the choices")
    func plain() {
        #expect(choice.plain() == ["42 ÷ 7 = ?", "a) 5   b) 6   c) 7"])
        #expect(entry.plain() == ["35 + 55 = ?"])
    }

    @Test("large, the operator is larger than the operands (F-06)")
    func large() {
        #expect(
            entry.large(columns: 80, ink: "#", colours: .none) == [
                "                     #",
                "  ####   #####       #       #####  #####              ###",
                "      #  #           #       #      #        #####    #   #",
                "   ###   ####     #######    ####   ####                ##",
                "      #      #       #           #      #    #####",
                "  ####   ####        #       ####   ####                #",
                "                     #",
                "",
            ])
    }

    @Test("every digit and operator has a glyph, and all its rows are equally wide")
    func glyphs() throws {
        let operators = ArithmeticProblem.Operator.allCases.map(\.rawValue)
        for character in Array("0123456789=?") + operators {
            let rows = try #require(Glyphs.rows(of: character))
            #expect(rows.count == Glyphs.rowCount)
            #expect(Set(rows.map(\.count)).count == 1)
        }
        let inkOfDigits = try "0123456789".map { try #require(Glyphs.rows(of: $0)) }.map { $0[0].contains("#") }
        #expect(!inkOfDigits.contains(true))
    }

    @Test("the longest problem there is fits 80 columns")
    func longest() {
        let text = QuestionText(
            presentation: presentation(.arithmeticEntry(ArithmeticProblem(left: 100, operator: .times, right: 100))))
        let lines = text.large(columns: 80, ink: "█", colours: .none)
        #expect(lines.count > 2 && lines.allSatisfy { $0.count <= 80 })
    }

    @Test("on a narrow terminal, and for what has no glyph, it is plain")
    func fallsBack() {
        #expect(choice.large(columns: 20, ink: "#", colours: .none) == choice.plain())
        let negative = QuestionText(
            presentation: presentation(.arithmeticEntry(ArithmeticProblem(left: -1, operator: .plus, right: 5))))
        #expect(negative.large(columns: 80, ink: "#", colours: .none) == negative.plain())
    }

    @Test("in colour, the operator stands out")
    func colour() {
        #expect(entry.plain(colours: Colours(isOn: true)) == ["35 \u{1b}[1;33m+\u{1b}[0m 55 = ?"])
    }

    @Test("it says what a right answer leads to")
    func heading() {
        #expect(choice.heading == "For parent mode, a grown-up answers:")
        #expect(entry.heading == "For more time in parent mode, a grown-up answers:")
    }
}
