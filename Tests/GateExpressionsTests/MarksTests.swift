import GateExpressions
import GateModel
import Testing

@Suite("Combining marks in the texts of expressions")
struct MarksTests {
    private static let most = CombiningMarks.maximumCount

    /// Marks of different classes in turn, which have to be sorted.
    private static func marks(_ count: Int) -> String {
        (0..<count).map { $0.isMultiple(of: 2) ? "\u{315}" : "\u{301}" }.joined()
    }

    private static func variables(_ texts: [String: String]) -> [String: [ExpressionItem]] {
        texts.mapValues { [.value(.string($0))] }
    }

    @Test(
        "texts are put together as long as there are at most 128 marks in a row where they meet", arguments: ["&", "+"])
    func seam(operator: String) throws {
        for (left, right, isTaken) in [
            (Self.marks(64), Self.marks(64), true), (Self.marks(64), Self.marks(65), false),
            ("a\(Self.marks(100))", Self.marks(28), true), ("a\(Self.marks(100))", Self.marks(29), false),
            ("", Self.marks(Self.most), true), (Self.marks(Self.most), "", true),
            (Self.marks(Self.most), "a\(Self.marks(Self.most))", true),
            ("a\(Self.marks(Self.most))", "b", true), (Self.marks(Self.most), Self.marks(1) + "a", false),
        ] {
            let variables = Self.variables(["left": left, "right": right])
            let source = "%left \(`operator`) %right"
            if isTaken {
                #expect(
                    try results(source, variables: variables).map { Array($0.utf8) } == [Array((left + right).utf8)])
            } else {
                let error = #expect(throws: ExpressionError.self) { try results(source, variables: variables) }
                #expect(error?.kind == .evaluation && error?.message.contains("128 accents") == true)
            }
        }
    }

    @Test("however texts are put together, none gets a longer row")
    func doubling() throws {
        let atoms = Self.variables([
            "m": Self.marks(60), "a": "a\(Self.marks(90))", "b": "\(Self.marks(90))b", "c": "c", "e": "",
        ])
        var generator = SystemRandomNumberGenerator()
        var (takenCount, refusedCount) = (0, 0)
        for _ in 0..<500 {
            let names = (0..<6).map { _ in atoms.keys.randomElement(using: &generator) ?? "m" }
            let pairs = [0, 2, 4].map { "%\(names[$0]) & %\(names[$0 + 1]).toString()" }
            let source = "(\(pairs[0])) + (\(pairs[1])) & (\(pairs[2]))"
            do {
                let texts = try results(source, variables: atoms)
                #expect(texts.allSatisfy { !CombiningMarks.areTooMany(in: $0) }, "\(source)")
                takenCount += 1
            } catch {
                refusedCount += 1
            }
        }
        #expect(takenCount > 0 && refusedCount > 0)
    }

    @Test("a text or a name in quotes has at most 128 marks in a row, as they are and as escapes")
    func literals() throws {
        let escape = #"\u0301"#
        func literal(_ count: Int) -> String { "'a\(String(repeating: escape, count: count))b'" }
        #expect(try result(literal(Self.most)).unicodeScalars.count == Self.most + 2)
        for source in [
            literal(Self.most + 1), "'\(Self.marks(Self.most))\(escape)'",
            "`\(String(repeating: escape, count: Self.most + 1))`", "1 '\(String(repeating: escape, count: 600))'",
        ] {
            let error = try fault(of: source)
            #expect(error.kind == .tooLarge && error.message.contains("128 accents"), "\(error)")
        }
        #expect(throws: ExpressionError.self) {
            try results("\(literal(0)) & '\(String(repeating: escape, count: 65))' & '\(Self.marks(64))'")
        }
    }
}
