import GateExpressions
import Testing

/// Chance that is the same in each run (SplitMix64).
private struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite("Random expressions")
struct RandomExpressionTests {
    private static let words = [
        "item", "answer", "value", "linkId", "%resource", "%context", "$this", "$index", "1", "0", "2147483647", "0.5",
        "'a'", "''",
        "@2024-02-29", "@2024", "@T10:30", "@2024-01-01T10:00:00Z", "1 year", "7 days", "2 'm'", "3 'kg'", "true",
        "false", "{}", "(",
        ")", "[", "]", ".", ",", "+", "-", "*", "/", "div", "mod", "&", "|", "=", "!=", "~", "!~", "<", "<=", ">", ">=",
        "and", "or",
        "xor", "implies", "in", "contains", "where(", "select(", "exists(", "all(", "iif(", "count()", "first()",
        "last()", "sum()",
        "empty()", "not()", "length()", "matches('a*')", "toString()", "round(1)", "today()", "now()", "timeOfDay()",
        "duration(today(), 'year')", "children()", "descendants()",
    ]

    @Test("random expressions never trap, and never take more steps than their budget")
    func words() throws {
        var random = SeededRandom(state: 1)
        var evaluatedCount = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...9, using: &random)
            let source = (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "1" }.joined(separator: " ")
            do throws(ExpressionError) {
                _ = try FormExpression(source).reads()
            } catch {
                #expect(
                    !error.message.isEmpty && error.place.line == 1
                        && error.place.column <= source.unicodeScalars.count + 1)
                continue
            }
            evaluatedCount += 1
            do {
                _ = try results(source, steps: 2_000)
            } catch let error as ExpressionError {
                #expect(error.kind == .evaluation || error.kind == .budgetSpent, "\(source): \(error)")
            }
        }
        #expect(evaluatedCount > 500)
    }
}
