import GateModel
import Testing

@Suite("Regular expressions of forms compared with Swift's own")
struct TextPatternAgainstRegexTests {
    /// The characters of all texts.
    private static let alphabet = Array("ab01_- .")

    @Test("expressions chosen at random match the same texts as Swift's Regex", arguments: 0..<8 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var counts = (matched: 0, failed: 0)
        for _ in 0..<250 {
            let source = RandomPattern(depth: 3, &random).source
            let pattern = try TextPattern(source)
            let regex = try Self.regex(source)
            for _ in 0..<12 {
                let length = Int.random(in: 0...6, using: &random)
                let text = String((0..<length).map { _ in Self.alphabet.randomElement(using: &random) ?? "a" })
                let expected = try regex.wholeMatch(in: text) != nil
                #expect(pattern.matches(text) == expected, "/\(source)/ \(text)")
                if expected { counts.matched += 1 } else { counts.failed += 1 }
            }
        }
        // Both matches and mismatches happen often, so that the comparison is meaningful.
        #expect(counts.matched > 100)
        #expect(counts.failed > 100)
    }

    @Test(
        "regular expressions as forms use them match the same texts as Swift's Regex",
        arguments: [
            #"[A-Z]{1,3}-[A-Z]{1,2} [1-9][0-9]{0,3}"#, #"[^@\s]+@[^@\s]+\.[a-z]{2,}"#, #"(\+|00)[1-9]\d{6,14}"#,
            #"[a-z]+(-[a-z]+)*"#, #"(0|[1-9]\d*)(\.\d+)?"#, #"^\d{5}(-\d{4})?$"#, #"(0[1-9]|1[0-2])/\d\d"#,
            #"[A-HJ-NPR-Z0-9]{17}"#, #".*"#, #"(\w+\s?)+"#,
        ])
    func practical(_ source: String) throws {
        let pattern = try TextPattern(source)
        let regex = try Self.regex(source)
        let texts = [
            "B-GT 1234", "b-gt 1234", "B-GT 0", "anna@example.org", "anna@example", "@example.org", "+493012345678",
            "00493012345678", "+0123456", "a-b-c", "a--b", "-a", "0", "0.5", "00.5", "10.", "12345", "12345-6789",
            "12345-678", "01/24", "13/24", "WVWZZZ1JZXW000001", "WVWZZZ1JZXW00000I", "two words", "", " ",
        ]
        for text in texts {
            #expect(pattern.matches(text) == (try regex.wholeMatch(in: text) != nil), "\(text)")
        }
    }

    private static func regex(_ source: String) throws -> Regex<AnyRegexOutput> {
        try Regex(source).matchingSemantics(.unicodeScalar).asciiOnlyDigits().asciiOnlyWordCharacters()
            .asciiOnlyWhitespace()
    }
}

/// An expression that both of them can read.
private struct RandomPattern {
    var source: String

    init(depth: Int, _ random: inout SeededRandom) {
        switch depth == 0 ? 0 : Int.random(in: 0..<6, using: &random) {
        case 1: source = "(" + Self.parts(depth, &random).joined(separator: "|") + ")"
        case 2: source = "(?:" + Self.parts(depth, &random).joined() + ")"
        case 3, 4:
            let repeats = ["*", "+", "?", "{2}", "{0,2}", "{1,}", "{1,3}", "*?", "+?", "??"]
            source = "(" + RandomPattern(depth: depth - 1, &random).source + ")"
            source += repeats.randomElement(using: &random) ?? "*"
        case 5: source = Self.parts(depth, &random).joined()
        case _:
            let single = [
                "a", "b", "0", "_", ".", "[ab]", "[^a]", "[0-9]", "[a-z_]", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S",
                "\\.",
                "\\-", "[\\d.]", "[^\\w]",
            ]
            source = single.randomElement(using: &random) ?? "a"
        }
    }

    private static func parts(_ depth: Int, _ random: inout SeededRandom) -> [String] {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in RandomPattern(depth: depth - 1, &random).source }
    }
}
