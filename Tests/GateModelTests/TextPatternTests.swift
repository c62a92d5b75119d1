import GateModel
import Testing

@Suite("Regular expressions of forms")
struct TextPatternTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var source: String
        var matches: [String]
        var fails: [String]
        var testDescription: String { source }

        init(_ source: String, matches: [String], fails: [String]) {
            self.source = source
            self.matches = matches
            self.fails = fails
        }
    }

    static let cases = [
        Case("", matches: [""], fails: ["a"]),
        Case("abc", matches: ["abc"], fails: ["ab", "abcd", "xabc", "ABC", ""]),
        Case("a|bc|", matches: ["a", "bc", ""], fails: ["b", "abc"]),
        Case("a*", matches: ["", "aaa"], fails: ["ab"]),
        Case("a+b?", matches: ["a", "aab"], fails: ["", "b", "abb"]),
        Case("a{3}", matches: ["aaa"], fails: ["aa", "aaaa"]),
        Case("a{2,}", matches: ["aa", "aaaaaa"], fails: ["a"]),
        Case("a{2,3}", matches: ["aa", "aaa"], fails: ["a", "aaaa"]),
        Case("a{0}b", matches: ["b"], fails: ["ab"]),
        Case("a*?b+?c??d{1,2}?", matches: ["aabbcdd", "bd"], fails: ["ad"]),
        Case("(ab|c)+", matches: ["abcab", "c"], fails: ["", "aab"]),
        Case("(?:ab){2}", matches: ["abab"], fails: ["ab"]),
        Case("((a*)*)*b", matches: ["b", "aaab"], fails: ["a"]),
        Case("(a|)(b|)", matches: ["", "a", "b", "ab"], fails: ["ba"]),
        Case("(){1000}a", matches: ["a"], fails: [""]),
        Case(".", matches: ["a", "é", "🙂", "\t"], fails: ["", "\n", "\r", "\u{2028}", "ab"]),
        Case("[abc-]", matches: ["a", "b", "-"], fails: ["d", ""]),
        Case("[a-cx-z]+", matches: ["abcxyz"], fails: ["d"]),
        Case("[^a-c]", matches: ["d", "\n", "é"], fails: ["a", "b"]),
        Case("[\\w-.]+", matches: ["a-b.c_9"], fails: ["é", "a b"]),
        Case("[\\d\\-\\]\\\\]+", matches: ["0-]\\"], fails: ["a"]),
        Case("[\\D]", matches: ["a"], fails: ["5"]),
        Case("[^\\s]", matches: ["a"], fails: [" ", "\u{3000}"]),
        Case("[+*?.()|^$]+", matches: ["+*?.()|^$"], fails: ["a"]),
        Case("[--/]+", matches: ["-./"], fails: [","]),
        Case("\\d\\D\\w\\W\\s\\S", matches: ["1a_- x"], fails: ["aa_- x", "11_- x", "1a-- x"]),
        Case("\\d+", matches: ["0123456789"], fails: ["٣"]),
        Case("\\t\\n\\r\\f\\v", matches: ["\t\n\r\u{0C}\u{0B}"], fails: [""]),
        Case("\\x41\\u00e9\\u00C9", matches: ["Aéé".replacingLastWithUpperCase], fails: ["aéé"]),
        Case("\\uD83D\\uDE42", matches: ["🙂"], fails: ["🙃"]),
        Case("\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\^\\$\\/\\-\\\\", matches: [".*+?()[]{}|^$/-\\"], fails: [""]),
        Case("^abc$", matches: ["abc"], fails: ["abc\n", "abcd"]),
        Case("^a|b$", matches: ["a", "b"], fails: ["ab"]),
        Case("(^|x)a($|y)", matches: ["a", "xay", "ay"], fails: ["aa"]),
        Case("a^b|a$b", matches: [], fails: ["ab", "a"]),
        Case("^$", matches: [""], fails: ["\n"]),
        Case("[äöüß]+", matches: ["äöüß"], fails: ["a"]),
        Case("[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} [1-9]\\d{0,3}[EH]?", matches: ["B-GT 1234", "TÜ-X 7E"], fails: ["B-GT 0123"]),
    ]

    @Test("an expression matches whole texts, and no others", arguments: cases)
    func matching(_ example: Case) throws {
        let pattern = try TextPattern(example.source)
        for text in example.matches { #expect(pattern.matches(text), "\(text)") }
        for text in example.fails { #expect(!pattern.matches(text), "\(text)") }
    }

    @Test(
        "an invalid expression, or one that needs more than linear time, is refused with its place",
        arguments: [
            ("ab(c", 2), ("ab)c", 2), ("a[bc", 1), ("a[]", 1), ("a[^]", 1), ("[z-a]", 1), ("[a-\\d]", 1), ("[a[b]]", 2),
            ("[a&&b]", 2), ("*a", 0), ("a|+", 2), ("(?)", 0), ("a**", 2), ("a{2}{3}", 4), ("a{3,2}", 1), ("a{", 1),
            ("a{x}", 1), ("a{2", 1), ("a}", 1), ("a]", 1), ("^*", 1), ("(a$+)", 3), ("a*+", 2), ("a++", 2), ("a?+", 2),
            ("a\\", 1), ("(a)\\1", 3), ("\\k<n>", 0), ("\\bword", 0), ("a\\B", 1), ("\\p{L}", 0), ("\\PL", 0),
            ("\\q", 0),
            ("\\0", 0), ("\\x4", 0), ("\\u12g4", 0), ("\\uD83D", 0), ("\\uDE42", 0), ("\\uD83D\\u0041", 0),
            ("(?=a)", 0),
            ("x(?!a)", 1), ("(?<=a)", 0), ("(?<!a)", 0), ("(?<n>a)", 0), ("(?P<n>a)", 0), ("(?>a)", 0), ("(?i)a", 0),
            ("a{20001}", 1), ("a{99999999999999999999}", 1), ("(a{100}){1000}", 2), ("((a{1000}){1000}){1000}", 3),
        ])
    func refusing(_ source: String, _ offset: Int) {
        let mistake = #expect(throws: TextPattern.Mistake.self) { try TextPattern(source) }
        #expect(mistake?.offset == offset)
        #expect(mistake?.message.isEmpty == false)
    }

    @Test("an expression has at most 1,000 characters and a limited depth of groups")
    func limits() throws {
        let longest = String(repeating: "a", count: 1_000)
        #expect(try TextPattern(longest).matches(longest))
        #expect(throws: TextPattern.Mistake.self) { try TextPattern(longest + "a") }
        let deep = String(repeating: "(", count: 100) + "a" + String(repeating: ")", count: 100)
        #expect(try TextPattern(deep).matches("a"))
        #expect(throws: TextPattern.Mistake.self) { try TextPattern("(" + deep + ")") }
        #expect(throws: TextPattern.Mistake.self) { try TextPattern("a{0,9999}") }
        #expect(try TextPattern("a{0,900}").matches(String(repeating: "a", count: 500)))
    }

    @Test("the larger an expression, the shorter the longest text that it is matched with")
    func longestText() throws {
        let short = try TextPattern("a*")
        #expect(short.maximumTextLength == 4_096)
        #expect(short.matches(String(repeating: "a", count: 4_096)))
        #expect(!short.matches(String(repeating: "a", count: 4_097)))
        let long = try TextPattern("a{1500}|a*")
        #expect((600...700).contains(long.maximumTextLength))
        #expect(long.matches(String(repeating: "a", count: long.maximumTextLength)))
        #expect(!long.matches(String(repeating: "a", count: long.maximumTextLength + 1)))
        #expect(long.stepCount(for: String(repeating: "a", count: 1 << 20)) <= TextPattern.maximumStepCount)
        #expect(long.stepCount(for: "aa") == 2 * long.stepCount(for: "a") && long.stepCount(for: "a") > 1_500)
    }

    @Test(
        "expressions that run endlessly in other engines finish on 4,000 characters",
        arguments: [
            "(a+)+$", "(a*)*b", "(a|aa)+", "(a|a?)+", "([a-z]+)*!", "(.*)(.*)(.*)(.*)(.*)x", "(a?){50}a{50}",
            "^(([a-z])+.)+[A-Z]",
        ])
    func linearTime(_ source: String) throws {
        let text = String(repeating: "a", count: 4_000)
        let pattern = try TextPattern(source)
        #expect(!pattern.matches(text + "?"))
        #expect(pattern.matches(text) == (source == "(a+)+$" || source == "(a|aa)+" || source == "(a|a?)+"))
    }

    @Test("expressions are the same where their sources are")
    func equality() throws {
        #expect(try TextPattern("a+") == TextPattern("a+"))
        #expect(try TextPattern("a+") != TextPattern("aa*"))
        #expect(try Set([TextPattern("a"), TextPattern("a"), TextPattern("b")]).count == 2)
        #expect(try TextPattern("a+").source == "a+")
    }
}

extension String {
    fileprivate var replacingLastWithUpperCase: String { dropLast() + suffix(1).uppercased() }
}
