import GateScreens
import Testing

@Suite("Which rows of a page are drawn anew")
struct RowChangeTests {
    private static func change(_ old: String, _ new: String) -> String {
        let change = RowChange(from: Array(old), to: Array(new), fits: ==)
        let (removed, made) = (change.replaced(of: old.count), change.replaced(of: new.count))
        return "\(String(Array(old)[removed])) → \(String(Array(new)[made]))"
    }

    @Test(
        "rows at the beginning and at the end stay",
        arguments: [
            ("", "", " → "), ("", "ab", " → ab"), ("ab", "", "ab → "), ("ab", "ab", " → "), ("abc", "abcd", " → d"),
            ("abcd", "bcd", "a → "), ("abcd", "abd", "c → "), ("abd", "abcd", " → c"), ("bcd", "abcd", " → a"),
            ("abcd", "axcd", "b → x"), ("abcd", "wxyz", "abcd → wxyz"), ("aaa", "aa", "a → "), ("aa", "aaa", " → a"),
            ("abab", "ab", "ab → "),
        ])
    func kept(old: String, new: String, expected: String) {
        #expect(Self.change(old, new) == expected)
    }

    @Test("one answer among five hundred draws one row")
    func long() {
        let rows = Array(1...500)
        let change = RowChange(from: rows, to: rows.filter { $0 != 250 }, fits: ==)
        #expect(change.replaced(of: 500) == 249..<250 && change.replaced(of: 499).isEmpty)
    }
}
